// Copying to the clipboard, which browsers allow on this computer but not from another one without encryption.
import { openDialog } from '../dialogs/dialog';
import { h } from '../dom';
import { notify } from './messages';

/** Copies a text and says so; where copying is forbidden the text is shown, to be copied by hand. */
export async function copyText(text: string, name: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    notify(`${name} copied.`);
  } catch {
    const area = h('textarea', { rows: 4, readonly: true, 'aria-label': name });
    area.value = text;
    openDialog(name, [h('p', { class: 'field-help' }, 'The browser does not let the page copy; here it is:'), area]);
    area.select();
  }
}
