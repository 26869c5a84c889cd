// Lines of moves that can be looked at on the board by pointing at them, and played in by pressing them.
import { h } from '../dom';
import { moveNumber } from './tree';
import type { LineMove } from './types';

export interface LineActions {
  /** Shows the position after a move of the line for as long as somebody points at it; null ends that. */
  preview: (move: LineMove | null) => void;
  /** Plays the line up to a move into the study. */
  play: (moves: readonly LineMove[]) => void;
}

/** The moves of a line as buttons; `ply` counts the half moves before the first. */
export function lineMoves(
  moves: readonly LineMove[],
  ply: number,
  actions: LineActions,
  keep?: (button: HTMLButtonElement) => void,
): HTMLElement[] {
  return moves.map((move, index) => {
    const number = index === 0 || (ply + index) % 2 === 0 ? `${moveNumber(ply + index + 1)} ` : '';
    const button = h(
      'button',
      {
        type: 'button',
        class: 'line-move',
        'data-move': move.text,
        'aria-label': `${number}${move.san}: play in up to here`,
        click: () => {
          actions.preview(null);
          actions.play(moves.slice(0, index + 1));
        },
        mouseenter: () => actions.preview(move),
        mouseleave: () => actions.preview(null),
        focus: () => actions.preview(move),
        blur: () => actions.preview(null),
      },
      number && h('span', { class: 'inline-number' }, number),
      move.san,
    );
    keep?.(button);
    return button;
  });
}
