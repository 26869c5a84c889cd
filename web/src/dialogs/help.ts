// The help dialog: how to move, and the table of shortcuts as it is in force.
import { h } from '../dom';
import { keyName, listShortcuts, type Shortcut } from '../keys';
import { openDialog } from './dialog';

const WAYS_TO_MOVE: readonly (readonly [string, string])[] = [
  ['Drag', 'a piece to its square, or click the piece and then the square.'],
  ['Type', 'the move into its field: e4, Nf3, O-O, e8=Q, or the squares: e2e4.'],
  [
    'Keyboard',
    'on the board: the arrow keys walk over the squares, Enter takes a piece and sets it down, Escape lets go.',
  ],
  ['Premove', 'move while the opponent thinks; a click on an empty square takes it back.'],
  ['Draw on the board', 'with the right mouse button: arrows and circles.'],
];

/** Shows the help. */
export function openHelp(): void {
  const ways = h('dl', { class: 'help-ways' });
  for (const [name, text] of WAYS_TO_MOVE) ways.append(h('dt', {}, name), h('dd', {}, text));
  const groups = [...listShortcuts()].map(([name, shortcuts]) => shortcutGroup(name, shortcuts));
  openDialog('Help', [h('h3', {}, 'Making a move'), ways, h('div', { class: 'help-groups' }, ...groups)], {
    wide: true,
  });
}

function shortcutGroup(name: string, shortcuts: readonly Shortcut[]): HTMLElement {
  const rows = shortcuts.map((shortcut) =>
    h('tr', {}, h('td', {}, ...shortcut.keys.map((key) => h('kbd', {}, keyName(key)))), h('td', {}, shortcut.label)),
  );
  return h('section', {}, h('h3', {}, name), h('table', { class: 'help-keys' }, h('tbody', {}, ...rows)));
}
