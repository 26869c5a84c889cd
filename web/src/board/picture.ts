// Small pictures of positions, for lists.
import { pieceImage } from '../chess/pieces';
import { h } from '../dom';
import type { BoardShape, Position } from '../server/types';
import { artClass, artOf } from './art';
import { drawPicture } from './drawing';

/** A picture of a position of any game; it says nothing to screen readers. */
export function pictureOf(game: string, shape: BoardShape, position: Position): HTMLElement {
  const frame = h('div', { class: 'picture', 'aria-hidden': 'true' });
  if (shape.kind === 'text' || position.cells === null) frame.append(h('pre', {}, position.drawing ?? ''));
  else if (game === 'chess') frame.append(chessPicture(position.cells));
  else {
    frame.classList.add(artClass(shape));
    frame.append(drawPicture(shape, artOf(shape), position));
  }
  return frame;
}

function chessPicture(cells: string): HTMLElement {
  const board = h('div', { class: 'chess-picture cg-wrap' });
  [...cells].forEach((letter, index) => {
    if (letter === '.') return;
    const image = pieceImage(letter);
    image.style.left = `${(index % 8) * 12.5}%`;
    image.style.top = `${(7 - Math.floor(index / 8)) * 12.5}%`;
    board.append(image);
  });
  return board;
}
