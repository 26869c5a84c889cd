// The evaluation graph of a reviewed game: White's win percentage after each move; every move can be pressed.
import { svg } from '../dom';
import { writeScore } from './words';
import type { Review, ReviewedMove } from './types';

const WIDTH = 640;
const HEIGHT = 150;
const FLOOR = 130;

const y = (share: number): number => FLOOR - (FLOOR - 4) * (share / 100);

export class Graph {
  readonly element = svg('svg', {
    class: 'graph',
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    role: 'img',
    'aria-label': "White's win percentage after each move",
  });
  private readonly cursor = svg('path', { class: 'graph-cursor' });
  private readonly places = new Map<number, number>();

  constructor(private readonly select: (node: number) => void) {
    this.element.addEventListener('click', (event) => {
      const node = (event.target as Element).closest('[data-node]')?.getAttribute('data-node');
      if (node) this.select(Number(node));
    });
  }

  draw(review: Review): void {
    const { moves } = review;
    const step = WIDTH / Math.max(1, moves.length);
    const points = [review.start_percent, ...moves.map(({ percent }) => percent)].map(
      (share, place) => `${(place * step).toFixed(1)},${y(share).toFixed(1)}`,
    );
    this.places.clear();
    moves.forEach(({ node }, place) => this.places.set(node, (place + 1) * step));
    this.element.replaceChildren(
      svg('rect', { class: 'graph-dark', width: WIDTH, height: FLOOR }),
      svg('polygon', { class: 'graph-light', points: `0,${FLOOR} ${points.join(' ')} ${WIDTH},${FLOOR}` }),
      svg('path', { class: 'graph-middle', d: `M0 ${y(50)}H${WIDTH}` }),
      ...phases(moves, step),
      this.cursor,
      ...moves.map((move, place) => this.move(move, place, step, place === review.turning_point)),
    );
  }

  /** Marks the position that is shown. */
  mark(node: number): void {
    const x = this.places.get(node);
    this.cursor.setAttribute('d', x === undefined ? '' : `M${x.toFixed(1)} 0V${FLOOR}`);
  }

  private move(move: ReviewedMove, place: number, step: number, isTurning: boolean): SVGElement {
    const x = (place + 1) * step;
    const words = `${move.number} ${move.san}${move.judgment ?? ''} (${writeScore(move.score)})`;
    return svg(
      'g',
      { 'data-node': move.node },
      svg('title', {}, words),
      isTurning && svg('path', { class: 'graph-turning', d: `M${x.toFixed(1)} 0V${FLOOR}` }),
      move.judgment !== null &&
        svg('circle', { class: `dot ${kindOf(move.judgment)}`, cx: x, cy: y(move.percent), r: 4 }),
      svg('rect', { class: 'graph-touch', x: x - step / 2, width: step, height: HEIGHT }),
    );
  }
}

export function kindOf(judgment: string | null): string {
  return { '??': 'blunder', '?': 'mistake', '?!': 'inaccuracy' }[judgment ?? ''] ?? '';
}

/** The names of the phases below the graph, each where it begins. */
function phases(moves: readonly ReviewedMove[], step: number): SVGElement[] {
  const parts: SVGElement[] = [];
  let before = '';
  let end = -1;
  moves.forEach((move, place) => {
    const x = place * step;
    if (move.phase === before || x < end) return;
    before = move.phase;
    end = x + 90;
    if (place > 0) parts.push(svg('path', { class: 'graph-phase', d: `M${x.toFixed(1)} 0V${HEIGHT}` }));
    parts.push(svg('text', { class: 'graph-text', x: x + 4, y: HEIGHT - 5 }, move.phase));
  });
  return parts;
}
