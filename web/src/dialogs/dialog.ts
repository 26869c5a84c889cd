// Modal dialogs on the browser's own <dialog>: it traps the focus, closes with Escape and gives the focus back.
import { type Child, h } from '../dom';

export interface Dialog {
  element: HTMLDialogElement;
  close: () => void;
}

/** Opens a dialog with a heading; it leaves the page when it is closed. */
export function openDialog(heading: string, content: Child[], options: { wide?: boolean } = {}): Dialog {
  const id = 'dialog-heading';
  const close = (): void => element.close();
  const element = h(
    'dialog',
    { class: options.wide ? 'dialog wide' : 'dialog', 'aria-labelledby': id },
    h(
      'header',
      { class: 'dialog-header' },
      h('h2', { id }, heading),
      h('button', { type: 'button', class: 'icon-button', 'aria-label': 'Close', click: close }, '✕'),
    ),
    h('div', { class: 'dialog-body' }, ...content),
  );
  // A click beside the dialog lands on the dialog element itself: its content covers the rest.
  element.addEventListener('mousedown', (event) => {
    if (event.target === element) close();
  });
  element.addEventListener('close', () => element.remove());
  document.body.append(element);
  element.showModal();
  return { element, close };
}

/** Asks a question; resolves to whether it was answered with yes. */
export function confirm(heading: string, question: string, yes: string, kind = 'danger'): Promise<boolean> {
  return new Promise((resolve) => {
    let answer = false;
    const accept = h('button', { type: 'button', class: `button ${kind}`, autofocus: true }, yes);
    const refuse = h('button', { type: 'button', class: 'button' }, 'Cancel');
    const dialog = openDialog(heading, [h('p', {}, question), h('div', { class: 'button-row end' }, refuse, accept)]);
    accept.addEventListener('click', () => {
      answer = true;
      dialog.close();
    });
    refuse.addEventListener('click', dialog.close);
    dialog.element.addEventListener('close', () => resolve(answer));
  });
}
