// Networks that a person hands over: a file becomes an opponent.
import { h } from '../dom';
import { addNetwork } from '../server/http';
import type { Opponent } from '../server/types';
import { notify, notifyError } from '../shell/messages';

const ENDINGS = '.pb,.gz,.onnx,.nnue,.zst,.phnn,.safetensors';

/** A button that takes a file; `added` is told of the new opponent. */
export function networkField(added: (opponent: Opponent) => Promise<void>): HTMLElement {
  const input = h('input', { type: 'file', accept: ENDINGS, id: 'network-file', class: 'sr-only' });
  const words = h('span', {}, 'Add a network file…');
  const label = h('label', { for: 'network-file', class: 'button file-button' }, words);
  const take = async (file: File): Promise<void> => {
    words.textContent = `Reading ${file.name}…`;
    input.disabled = true;
    try {
      const opponent = await addNetwork(file);
      await added(opponent);
      notify(`${opponent.title} can be played now.`, 'info');
    } catch (error) {
      notifyError(error);
    } finally {
      words.textContent = 'Add a network file…';
      input.disabled = false;
      input.value = '';
    }
  };
  input.addEventListener('change', () => {
    const file = input.files?.[0];
    if (file) void take(file);
  });
  const help = "Leela's and Maia's .pb.gz, ONNX, .nnue or our own; it is kept in your data folder.";
  return h('div', { class: 'network-field' }, input, label, h('p', { class: 'field-help' }, help));
}
