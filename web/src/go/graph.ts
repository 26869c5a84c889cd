// The course of a game: Black's chance to win and lead, move by move; a click goes to the move.
import { fill, h, svg } from '../dom';
import type { Judgement } from '../server/types';

const WIDTH = 300;
const HEIGHT = 90;

export class Graph {
  private readonly picture = svg('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none' });
  readonly element = h('div', { class: 'go-graph', 'aria-hidden': 'true' }, this.picture);
  private plies = 1;

  constructor(show: (ply: number) => void) {
    this.element.addEventListener('click', (event) => {
      const box = this.element.getBoundingClientRect();
      show(Math.round(((event.clientX - box.left) / box.width) * this.plies));
    });
  }

  update(verdicts: ReadonlyMap<number, Judgement>, plies: number, shown: number): void {
    this.plies = Math.max(1, plies);
    const known = [...verdicts.values()].filter(({ ply }) => ply <= plies).sort((a, b) => a.ply - b.ply);
    const widest = Math.max(10, ...known.map(({ lead }) => Math.abs(lead)));
    const x = (ply: number): number => (WIDTH * ply) / this.plies;
    const rate = known.map(({ ply, win_rate }) => `${x(ply).toFixed(1)} ${(HEIGHT * (1 - win_rate)).toFixed(1)}`);
    const lead = known.map(
      ({ ply, lead }) => `${x(ply).toFixed(1)} ${((HEIGHT / 2) * (1 - lead / widest)).toFixed(1)}`,
    );
    const first = x(known[0]?.ply ?? 0);
    const last = x(known.at(-1)?.ply ?? 0);
    fill(
      this.picture,
      rate.length > 0 &&
        svg('path', { class: 'rate-area', d: `M${first} ${HEIGHT} L${rate.join(' L')} L${last} ${HEIGHT} Z` }),
      svg('path', { class: 'even-line', d: `M0 ${HEIGHT / 2} H${WIDTH}` }),
      lead.length > 1 && svg('path', { class: 'lead-line', d: `M${lead.join(' L')}` }),
      svg('path', { class: 'shown-line', d: `M${x(shown)} 0 V${HEIGHT}` }),
    );
  }
}
