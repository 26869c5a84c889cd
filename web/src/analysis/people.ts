// Human beside engine: how likely people of each rating play a move, and what it costs them.
import { fill, h, setText, svg } from '../dom';
import { selectField, sliderField } from '../fields';
import { type LineActions, lineMoves } from './lines';
import type { Study } from './study';
import type { Candidate, Crowd, PeopleHere } from './types';
import { percent, writeScore } from './words';

const WIDTH = 120;
const HEIGHT = 34;

export class PeoplePanel {
  readonly element = h('div', { class: 'people' });
  private readonly status = h('p', { class: 'field-help', role: 'status' });
  private readonly body = h('div', { class: 'people-body' });
  private readonly choice = h('div', { class: 'people-choice' });
  private readonly known = new Map<number, PeopleHere>();
  private crowd = 'human';
  private rating = 1500;
  private asked: number | null = null;
  private isShown = false;

  constructor(
    private readonly study: Study,
    private readonly actions: LineActions,
  ) {
    fill(this.element, this.choice, this.status, this.body);
  }

  /** Lets one choose among networks of people, where there are several. */
  offer(crowds: readonly Crowd[]): void {
    if (crowds.length < 2) return;
    const options = crowds.map(({ name, title }) => ({ value: name, label: title }));
    const choose = (crowd: string): void => {
      this.crowd = crowd;
      this.forget();
      this.update();
    };
    fill(this.choice, selectField('Who is asked', options, this.crowd, choose));
  }

  /** Begins or ends to follow the position. */
  show(shown: boolean): void {
    this.isShown = shown;
    this.update();
  }

  receive(people: PeopleHere): void {
    // The answer of a network that was asked before another was chosen.
    if (people.crowd !== this.crowd) return;
    this.known.set(people.node, people);
    if (this.asked === people.node) this.asked = null;
    this.update();
  }

  refuse(message: string): void {
    if (this.asked === null) return;
    this.asked = null;
    setText(this.status, message);
  }

  /** The tree has other ids now. */
  forget(): void {
    this.known.clear();
    this.asked = null;
  }

  update(): void {
    if (!this.isShown || !this.study.node) return;
    const found = this.known.get(this.study.current);
    if (found) {
      this.draw(found);
      return;
    }
    fill(this.body);
    if (this.study.place?.result) setText(this.status, 'The game is over here.');
    else if (this.asked === null && this.study.place) {
      // One question at a time: the next one follows when the answer is there.
      this.asked = this.study.current;
      setText(this.status, 'Asking people…');
      this.study.send({ type: 'people', node: this.asked, crowd: this.crowd });
    }
  }

  private draw(people: PeopleHere): void {
    const { ratings, candidates } = people;
    const at = nearest(ratings, this.rating);
    setText(this.status, this.answer(people, at));
    fill(
      this.body,
      ratings.length > 1 &&
        sliderField(
          'Rating',
          this.rating,
          { min: ratings[0] ?? 800, max: ratings.at(-1) ?? 2400, step: 100 },
          String,
          (rating) => {
            this.rating = rating;
            setText(this.status, this.answer(people, nearest(ratings, rating)));
            this.drawTable(candidates, ratings, nearest(ratings, rating));
          },
        ),
      this.table,
      h('p', { class: 'field-help' }, `Cost in points of winning chances, judged by ${people.judge}.`),
    );
    this.drawTable(candidates, ratings, at);
  }

  private readonly table = h('table', { class: 'people-table' });

  /** "A player rated 1500 would most likely play Nf3 (45 %)." */
  private answer({ candidates, ratings }: PeopleHere, at: number): string {
    const usual = [...candidates].sort((a, b) => (b.shares[at] ?? 0) - (a.shares[at] ?? 0))[0];
    const best = candidates[0];
    if (!usual || !best) return 'No move is known here.';
    const who = ratings.length > 0 ? `A player rated ${ratings[at] ?? ''}` : 'The network';
    const found =
      usual === best
        ? 'which is the best move'
        : `and finds the best move, ${best.san}, ${percent(best.shares[at] ?? 0)}`;
    const times = usual === best ? '' : ' of the time';
    const trap = usual.is_trap ? ' This popular move is a trap.' : '';
    return `${who} would most likely play ${usual.san} (${percent(usual.shares[at] ?? 0)}), ${found}${times}.${trap}`;
  }

  private drawTable(candidates: readonly Candidate[], ratings: readonly number[], at: number): void {
    const ply = this.study.node?.ply ?? 0;
    fill(
      this.table,
      h('caption', { class: 'sr-only' }, 'Candidate moves'),
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          ...['Move', 'Score', 'Cost', ratings.length > 0 ? `At ${ratings[at] ?? ''}` : 'Share', 'By rating'].map(
            (name) => h('th', { scope: 'col' }, name),
          ),
        ),
      ),
      h(
        'tbody',
        {},
        ...candidates.map((each) =>
          h(
            'tr',
            { class: each.is_trap ? 'trap' : '' },
            h('td', {}, ...lineMoves(each.line.slice(0, 1), ply, this.actions), each.is_trap && ' trap'),
            h('td', {}, writeScore(each.score)),
            h('td', {}, each.cost < 0.5 ? '–' : `−${each.cost.toFixed(0)}`),
            h('td', {}, percent(each.shares[at] ?? 0)),
            h('td', {}, curve(each, ratings)),
          ),
        ),
      ),
    );
  }
}

function nearest(ratings: readonly number[], wanted: number): number {
  let best = 0;
  ratings.forEach((rating, index) => {
    if (Math.abs(rating - wanted) < Math.abs((ratings[best] ?? 0) - wanted)) best = index;
  });
  return best;
}

/** How the share changes with the rating. */
function curve({ shares, san }: Candidate, ratings: readonly number[]): SVGElement | string {
  if (ratings.length < 2) return '';
  const step = WIDTH / (ratings.length - 1);
  const points = shares.map(
    (share, index) => `${(index * step).toFixed(1)},${(HEIGHT - 2 - share * (HEIGHT - 4)).toFixed(1)}`,
  );
  const words = `${san}: ${percent(shares[0] ?? 0)} at ${ratings[0] ?? ''}, ${percent(shares.at(-1) ?? 0)} at ${ratings.at(-1) ?? ''}`;
  return svg(
    'svg',
    { class: 'share-curve', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': words },
    svg('title', {}, words),
    svg('polyline', { points: points.join(' ') }),
  );
}
