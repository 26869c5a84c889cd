// What is drawn on a Go board beside its stones: the ko, dead stones, whose the points are, candidates.
import { squareIndex, squareName } from '../board/board';
import { squareCenter } from '../board/drawing';
import { svg } from '../dom';
import type { Candidate, CountView, GridShape, Square } from '../server/types';

/** A square around the point that may not be taken back. */
export function koMark(shape: GridShape, square: Square): SVGElement {
  const { x, y } = squareCenter(shape, square, 0);
  return svg('rect', { class: 'ko-mark', x: x - 0.28, y: y - 0.28, width: 0.56, height: 0.56 });
}

/** A counted board: crosses on dead stones, and a small stone of its owner on every point that is not its stone's. */
export function countMarks(shape: GridShape, cells: string, count: CountView): SVGElement[] {
  const dead = new Set(count.dead);
  return [...count.owners].flatMap((owner, index) => {
    const square = squareName(shape, index % shape.width, Math.floor(index / shape.width));
    const marks: SVGElement[] = dead.has(square) ? [cross(shape, square)] : [];
    if (owner !== '.' && owner !== cells[index]) marks.push(ownerMark(shape, square, owner === 'X' ? 1 : -1));
    return marks;
  });
}

/** Whose each point is likely to be: the larger the mark, the surer. A stone that stays its color's needs none. */
export function ownerMarks(shape: GridShape, cells: string, owners: readonly number[]): SVGElement[] {
  return owners.flatMap((owner, index) => {
    if (Math.abs(owner) < 0.1 || cells[index] === (owner > 0 ? 'X' : 'O')) return [];
    return [ownerMark(shape, squareName(shape, index % shape.width, Math.floor(index / shape.width)), owner)];
  });
}

function ownerMark(shape: GridShape, square: Square, owner: number): SVGElement {
  const { x, y } = squareCenter(shape, square, 0);
  const size = 0.42 * Math.sqrt(Math.abs(owner));
  const side = owner > 0 ? 0 : 1;
  return svg('rect', { class: `owner side-${side}`, x: x - size / 2, y: y - size / 2, width: size, height: size });
}

function cross(shape: GridShape, square: Square): SVGElement {
  const { x, y } = squareCenter(shape, square, 0);
  const d = `M${x - 0.3} ${y - 0.3} l.6 .6 M${x + 0.3} ${y - 0.3} l-.6 .6`;
  return svg('path', { class: 'dead-mark', d, 'data-square': square });
}

/** Candidates with their chances in percent; the best one stands out. */
export function candidateMarks(shape: GridShape, candidates: readonly Candidate[]): SVGElement[] {
  return candidates.flatMap(({ move, win_rate }, order) => {
    if (move.to === null) return [];
    const { x, y } = squareCenter(shape, move.to, 0);
    const label = win_rate === null ? String(order + 1) : String(Math.round(100 * win_rate));
    return [
      svg(
        'g',
        { class: order === 0 ? 'candidate best' : 'candidate', 'data-square': move.to },
        svg('circle', { cx: x, cy: y, r: 0.44 }),
        svg('text', { x, y: y + 0.14, 'text-anchor': 'middle' }, label),
      ),
    ];
  });
}

/** Whether there is a stone on a point. */
export function hasStone(shape: GridShape, cells: string, square: Square): boolean {
  return 'XO'.includes(cells[squareIndex(shape, square)] ?? '.');
}
