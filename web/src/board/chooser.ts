// Asks which of several moves between the same squares is meant: what a pawn becomes, in chess.
import { h } from '../dom';
import type { Move } from '../server/types';
import { pieceImage } from '../chess/pieces';

const NAMES: Record<string, string> = { q: 'Queen', r: 'Rook', b: 'Bishop', n: 'Knight' };
const ORDER = 'qrbn';

export interface ChooserPlace {
  /** In percent of the board's width. */
  left: number;
  fromTop: boolean;
}

/** Shows the choices over the board; calls `done` with the chosen move, or null when nothing was chosen. */
export function openChooser(
  board: HTMLElement,
  moves: readonly Move[],
  place: ChooserPlace,
  white: boolean,
  done: (move: Move | null) => void,
): void {
  const sorted = [...moves].sort((a, b) => ORDER.indexOf(a.promotion ?? '') - ORDER.indexOf(b.promotion ?? ''));
  const buttons = sorted.map((move) => choiceButton(move, white, () => finish(move)));
  const list = h('div', { class: place.fromTop ? 'chooser' : 'chooser from-bottom' }, ...buttons);
  list.style.left = `${place.left}%`;
  const layer = h(
    'div',
    { class: 'chooser-layer', role: 'dialog', 'aria-modal': 'true', 'aria-label': 'Promote to' },
    list,
  );

  function finish(move: Move | null): void {
    layer.remove();
    board.focus({ preventScroll: true });
    done(move);
  }

  layer.addEventListener('mousedown', (event) => {
    event.stopPropagation();
    if (event.target === layer) finish(null);
  });
  layer.addEventListener('keydown', (event) => {
    event.stopPropagation();
    const chosen = sorted.find((move) => move.promotion === event.key.toLowerCase());
    if (event.key === 'Escape') finish(null);
    else if (chosen) finish(chosen);
    else if (event.key === 'ArrowDown' || event.key === 'ArrowRight') step(1);
    else if (event.key === 'ArrowUp' || event.key === 'ArrowLeft') step(-1);
    else if (event.key === 'Tab') step(event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
  });

  function step(by: number): void {
    const at = buttons.findIndex((button) => button === document.activeElement);
    buttons[(at + by + buttons.length) % buttons.length]?.focus();
  }

  board.append(layer);
  buttons[0]?.focus();
}

function choiceButton(move: Move, white: boolean, click: () => void): HTMLButtonElement {
  const letter = move.promotion;
  const name = letter ? NAMES[letter] : undefined;
  if (!letter || !name) return h('button', { type: 'button', class: 'chooser-text', click }, move.san);
  return h(
    'button',
    { type: 'button', 'aria-label': name, title: `${name} (${letter})`, click },
    pieceImage(white ? letter.toUpperCase() : letter),
  );
}
