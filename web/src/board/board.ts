// What every board can do, whether chessground draws it or we do.
import type { GridShape, Move, Position, Side, Square } from '../server/types';

export interface BoardModel {
  position: Position;
  /** The move that led here, to be marked. */
  last: Pick<Move, 'from' | 'to'> | null;
  /** The moves that may be made now; empty while looking at an older position. */
  legal: readonly Move[];
  /** The legal moves are still being asked for: a move made now is played as soon as they are known. */
  awaited?: boolean;
  /** The row of stones that has won. */
  won?: readonly Square[];
  /** The side at the bottom. */
  bottom: Side;
  /** The side that a person moves here, also while the other one thinks (premoves); null: none. */
  movable: Side | null;
}

export interface BoardHandlers {
  move: (move: Move) => void;
  /** Tells screen readers something. */
  say: (text: string) => void;
  /** A square was pressed on which nothing can be selected or moved. */
  pressed?: (square: Square) => void;
}

export interface BoardView {
  element: HTMLElement;
  update: (model: BoardModel) => void;
  /** Marks a suggested move; null takes the mark away. */
  suggest: (move: Move | null) => void;
  /** Draws marks over the pieces, in squares of the drawing; they stay until others are drawn. */
  annotate?: (marks: readonly SVGElement[]) => void;
  focus: () => void;
  destroy: () => void;
}

/** The squares that a move touched. */
export function squaresOf(move: Pick<Move, 'from' | 'to'> | null): Square[] {
  return [move?.from, move?.to].filter((square): square is Square => typeof square === 'string');
}

/** What stands on a square, in words. */
export function describeSquare(shape: GridShape, cells: string, square: Square): string {
  const piece = shape.pieces[cells[squareIndex(shape, square)] ?? '.'];
  return piece ? `${square}, ${piece.name}` : `${square}, empty`;
}

/** A square's place in `cells`. */
export function squareIndex(shape: GridShape, square: Square): number {
  const column = shape.files.findIndex((file) => square.startsWith(file));
  const row = shape.ranks.indexOf(square.slice(shape.files[column]?.length ?? 0));
  return row * shape.width + column;
}

export function squareName(shape: GridShape, column: number, row: number): Square {
  return `${shape.files[column] ?? ''}${shape.ranks[row] ?? ''}`;
}

/** The whole board in words, one side after the other, as screen readers tell it. */
export function describeBoard(shape: GridShape, cells: string, sides: readonly [string, string]): string {
  const lists: [string[], string[]] = [[], []];
  [...cells].forEach((character, index) => {
    const piece = shape.pieces[character];
    if (!piece) return;
    const square = squareName(shape, index % shape.width, Math.floor(index / shape.width));
    const name = piece.name.replace(new RegExp(`^${sides[piece.side]} `, 'i'), '');
    lists[piece.side].push(name.toLowerCase() === sides[piece.side].toLowerCase() ? square : `${name} ${square}`);
  });
  return sides.map((side, index) => `${side}: ${lists[index as Side].join(', ') || 'nothing'}.`).join(' ');
}
