// What the pages know of Go beyond any board of points; the rules are the server's.
import type { GridShape, PlayedMove, Position, Side, Square } from '../server/types';
import { squareName } from '../board/board';

/** Whether a game's name, with its size and options, is Go's. */
export function isGo(game: string): boolean {
  return /^go(?:[-,]|$)/.test(game);
}

/** Where a stone was just taken that may not be taken back at once; null: nowhere. */
export function koSquare(position: Position): Square | null {
  // "rows stone ply passes ko komi"
  const word = position.text.split(' ')[4] ?? '-';
  return word === '-' ? null : word;
}

/** White's points for moving second, as the position's text has them. */
export function komiOf(position: Position): number {
  return Number(position.text.split(' ')[5]?.replace('komi', '') ?? 0);
}

/** How many stones each side has taken off. */
export function prisoners(start: Position, moves: readonly PlayedMove[]): [number, number] {
  const taken: [number, number] = [0, 0];
  const stones = (position: Position, letter: string): number => position.cells?.split(letter).length ?? 0;
  let before = start;
  for (const move of moves) {
    const other = move.side === 0 ? 'O' : 'X';
    taken[move.side] += stones(before, other) - stones(move.position, other);
    before = move.position;
  }
  return taken;
}

/** The most handicap stones that have usual places on a board. */
export function mostStones({ width, height }: Pick<GridShape, 'width' | 'height'>): number {
  const shorter = Math.min(width, height);
  if (shorter < 7) return 0;
  return width % 2 === 0 || height % 2 === 0 || shorter === 7 ? 4 : 9;
}

/** The usual places of handicap stones, in the order of the GTP standard. */
export function handicapSquares(shape: GridShape, stones: number): Square[] {
  const middle = (side: number): number => Math.floor(side / 2);
  const edge = (side: number): number => (side >= 13 ? 3 : 2);
  const columns = { w: edge(shape.width), e: shape.width - 1 - edge(shape.width) };
  const rows = { s: edge(shape.height), n: shape.height - 1 - edge(shape.height) };
  const square = (place: string): Square => {
    const column = place.includes('w') ? columns.w : place.includes('e') ? columns.e : middle(shape.width);
    const row = place.includes('s') ? rows.s : place.includes('n') ? rows.n : middle(shape.height);
    return squareName(shape, column, row);
  };
  const hasCenter = stones >= 5 && stones % 2 === 1;
  const around = ['sw', 'ne', 'se', 'nw', 'w', 'e', 's', 'n'].slice(0, hasCenter ? stones - 1 : stones);
  return [...around, ...(hasCenter ? [''] : [])].map(square);
}

/** A number of points without a needless fraction. */
export function points(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(1);
}

/** "B+4.2", "W+0.5", "even": who leads, as Go players write it. */
export function leadText(lead: number): string {
  const size = Math.abs(lead).toFixed(1);
  return size === '0.0' ? 'even' : `${lead > 0 ? 'B' : 'W'}+${size}`;
}

/** The chance of the side to move, of Black's chance. */
export function moverRate(blackRate: number, mover: Side): number {
  return mover === 0 ? blackRate : 1 - blackRate;
}
