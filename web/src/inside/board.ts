// A board to look at, of any game, with squares that glow, numbers on them, and arrows as wide as their share.
import { squareCenter, viewBoxOf } from '../board/drawing';
import { pictureOf } from '../board/picture';
import { fill, h, svg } from '../dom';
import type { BoardShape, GridShape, Move, Position, Square } from '../server/types';

export interface Arrow {
  move: Pick<Move, 'from' | 'to'>;
  /** From 0 to 1. */
  share: number;
}

export interface Marks {
  /** By square, from -1 (cool) over 0 (nothing) to 1 (warm). */
  heat?: ReadonlyMap<Square, number>;
  labels?: ReadonlyMap<Square, string>;
  arrows?: readonly Arrow[];
}

const LEAST_SHARE = 0.01;

export class LookBoard {
  readonly element = h('div', { class: 'look-board' });

  show(game: string, shape: BoardShape, position: Position, marks: Marks = {}): void {
    const picture = pictureOf(game, shape, position);
    if (shape.kind === 'text') fill(this.element, picture);
    else fill(this.element, picture, drawHeat(shape, marks), drawMarks(shape, marks));
  }
}

/** What glows lies under the pieces of chess, whose picture has layers. */
function drawHeat(shape: GridShape, { heat }: Marks): SVGSVGElement {
  const squares = [...(heat ?? [])].map(([square, value]) => {
    const { x, y } = squareCenter(shape, square, 0);
    const kind = value >= 0 ? 'warm' : 'cool';
    const box = { x: x - 0.5, y: y - 0.5, width: 1, height: 1 };
    return svg('rect', { class: `heat ${kind}`, 'fill-opacity': Math.min(1, Math.abs(value)) * 0.75, ...box });
  });
  return svg('svg', { class: 'heat-layer', viewBox: viewBoxOf(shape), 'aria-hidden': 'true' }, ...squares);
}

function drawMarks(shape: GridShape, { labels, arrows }: Marks): SVGSVGElement {
  const texts = [...(labels ?? [])].map(([square, label]) => {
    const { x, y } = squareCenter(shape, square, 0);
    return svg('text', { class: 'square-label', x: x + 0.46, y: y + 0.44, 'text-anchor': 'end' }, label);
  });
  const lines = (arrows ?? []).filter(({ share }) => share >= LEAST_SHARE).map((arrow) => drawArrow(shape, arrow));
  return svg('svg', { class: 'mark-layer', viewBox: viewBoxOf(shape), 'aria-hidden': 'true' }, ...texts, ...lines);
}

function drawArrow(shape: GridShape, { move, share }: Arrow): SVGElement | null {
  if (move.to === null) return null;
  const to = squareCenter(shape, move.to, 0);
  const width = 0.06 + 0.3 * share;
  if (move.from === null) {
    return svg('circle', { class: 'arrow', cx: to.x, cy: to.y, r: 0.36, 'stroke-width': width, fill: 'none' });
  }
  const from = squareCenter(shape, move.from, 0);
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const [across, down] = [(to.x - from.x) / length, (to.y - from.y) / length];
  const head = 0.18 + width / 2;
  const end = { x: to.x - across * head, y: to.y - down * head };
  const left = { x: end.x - down * (width / 2 + 0.1), y: end.y + across * (width / 2 + 0.1) };
  const right = { x: end.x + down * (width / 2 + 0.1), y: end.y - across * (width / 2 + 0.1) };
  return svg(
    'g',
    { class: 'arrow' },
    svg('line', { x1: from.x, y1: from.y, x2: end.x, y2: end.y, 'stroke-width': width }),
    svg('path', { d: `M${left.x} ${left.y}L${to.x} ${to.y}L${right.x} ${right.y}Z` }),
  );
}
