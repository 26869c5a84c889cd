// Messages at the edge of the page: what went wrong, what the opponent answered, how the connection stands.
import { h, setShown, setText } from '../dom';
import type { Connection } from '../server/live';

const SHOWN_MS = 7000;

const list = h('div', { class: 'messages', role: 'status' });
const pill = h('div', { class: 'connection', role: 'status', hidden: true });

/** The elements that the page must hold. */
export const messageElements: readonly HTMLElement[] = [list, pill];

/** Shows a message for a while; errors stay until the next one or a click. */
export function notify(message: string, kind: 'info' | 'error' = 'info'): void {
  for (const old of [...list.children]) if (old.classList.contains('error') || kind === 'error') old.remove();
  const close = h('button', { type: 'button', class: 'icon-button', 'aria-label': 'Close message' }, '✕');
  const element = h('div', { class: `message ${kind}` }, h('span', {}, message), close);
  close.addEventListener('click', () => element.remove());
  list.append(element);
  if (kind === 'info') setTimeout(() => element.remove(), SHOWN_MS);
}

/** Shows an error that was thrown; its message is made for people. */
export function notifyError(error: unknown): void {
  notify(error instanceof Error ? error.message : String(error), 'error');
}

/** Shows how the connection stands; nothing while all is well. */
export function showConnection(connection: Connection | null): void {
  setShown(pill, connection === 'lost');
  setText(pill, connection === 'lost' ? 'Connection lost. Trying again…' : '');
}
