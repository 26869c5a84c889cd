// What evaluations say: the handcrafted terms as bars, and an NNUE network's pieces, features and neurons.
import { type Child, fill, h, setText, svg } from '../dom';
import { selectField, textField } from '../fields';
import type { NeuronView, NnueInside, Terms } from '../server/types';
import { notifyError } from '../shell/messages';
import * as ask from './ask';
import { LookBoard } from './board';
import { pawns } from './numbers';
import { fitting, type Place, type View } from './place';
import { Question } from './question';

const LEAST_CP = 0.5;
const NEURON_COLUMNS = 32;

export class TermsView implements View {
  readonly element = h('div', { class: 'terms' });
  private readonly question = new Question();

  update({ rules, text }: Place): void {
    this.question.drop();
    if (rules.name !== 'chess') {
      fill(this.element, h('p', {}, 'The handcrafted evaluation is for chess.'));
      return;
    }
    void this.question
      .answer((signal) => ask.terms({ game: rules.name, text }, signal))
      .then((found) => found && this.show(found))
      .catch(notifyError);
  }

  destroy(): void {
    this.question.drop();
  }

  private show({ score_cp, terms }: Terms): void {
    const shown = terms.filter(({ white, black }) => Math.abs(white - black) >= LEAST_CP);
    const most = Math.max(1, ...shown.map(({ white, black }) => Math.abs(white - black)));
    const rows = shown.map(({ name, meaning, white, black }) => {
      const total = white - black;
      const bar = h('span', { class: total >= 0 ? 'bar white' : 'bar black' });
      bar.style.setProperty('--share', `${(50 * Math.abs(total)) / most}%`);
      return h(
        'tr',
        { title: meaning },
        h('th', { scope: 'row' }, name, h('small', {}, meaning)),
        h('td', {}, pawns(white)),
        h('td', {}, pawns(black)),
        h('td', { class: 'bar-cell' }, bar),
        h('td', {}, pawns(total)),
      );
    });
    const names = ['Term', 'White', 'Black', 'For Black or White', 'Difference'];
    fill(
      this.element,
      h('p', { class: 'inside-verdict' }, `${pawns(score_cp)} for White, in pawns: the sum of these terms.`),
      scrolling(
        'Terms',
        h(
          'table',
          { class: 'numbers term-table' },
          h('thead', {}, h('tr', {}, ...names.map((name) => h('th', { scope: 'col' }, name)))),
          h('tbody', {}, ...rows),
        ),
      ),
    );
  }
}

export class NnueView implements View {
  private readonly form = h('div', { class: 'inside-form' });
  private readonly verdict = h('p', { class: 'inside-verdict', role: 'status' });
  private readonly board = new LookBoard();
  private readonly details = h('div', { class: 'inside-main' });
  readonly element = h(
    'div',
    {},
    this.form,
    this.verdict,
    h('div', { class: 'inside-columns' }, h('div', { class: 'inside-side' }, this.board.element), this.details),
  );
  private net = '';
  private move = '';
  private place: Place | null = null;
  private readonly question = new Question();

  update(place: Place): void {
    this.question.drop();
    this.place = place;
    const nets = fitting(place, 'nnue');
    if (!nets.some(({ name }) => name === this.net)) this.net = nets[0]?.name ?? '';
    if (nets.length === 0) {
      fill(this.form);
      fill(this.details);
      setText(this.verdict, 'There is no NNUE network for this game.');
      return;
    }
    const options = nets.map(({ name, title }) => ({ value: name, label: title }));
    fill(
      this.form,
      selectField('Network', options, this.net, (net) => {
        this.net = net;
        this.ask();
      }),
      textField('What changes by the move', this.move, 20, (move) => {
        this.move = move.trim();
        this.ask();
      }),
    );
    this.ask();
  }

  private ask(): void {
    const { place } = this;
    if (!place) return;
    const { rules, text } = place;
    const asked = { game: rules.name, text, net: this.net, move: this.move || null };
    void this.question
      .answer((signal) => ask.nnue(asked, signal))
      .then((found) => found && this.show(place, found))
      .catch(notifyError);
  }

  destroy(): void {
    this.question.drop();
  }

  private show({ rules, text }: Place, found: NnueInside): void {
    const squares = Object.entries(found.pieces);
    const most = Math.max(1, ...squares.map(([, value]) => Math.abs(value)));
    const labels = new Map(squares.map(([square, value]) => [square, (Math.abs(value) / 100).toFixed(1)]));
    const heat = new Map(squares.map(([square, value]) => [square, Math.abs(value) / most]));
    const position = { ...rules.start, text, cells: cellsOf(text) };
    this.board.show(rules.name, rules.board, position, { labels, heat });
    setText(
      this.verdict,
      `${pawns(found.score_cp)} for White. On the squares: what each piece is worth here, in pawns.`,
    );
    fill(this.details, changeOf(found), ...found.views.map(neuronSection));
  }
}

function changeOf({ change, score_cp }: NnueInside): Child {
  if (!change) return null;
  const side = (name: string, number: 0 | 1): HTMLElement =>
    h(
      'li',
      {},
      h('strong', {}, `${name}'s view: `),
      `off ${change.off[number].join('; ') || 'nothing'}; on ${change.on[number].join('; ') || 'nothing'}. `,
      `${change.neurons[number]} neurons change.`,
    );
  const rows = change.largest.map(([view, number, before, after]) =>
    h('tr', {}, h('th', { scope: 'row' }, `${view} ${number}`), h('td', {}, before), h('td', {}, after)),
  );
  const head = h('tr', {}, ...['Neuron', 'Before', 'After'].map((name) => h('th', { scope: 'col' }, name)));
  return h(
    'section',
    { class: 'inside-change' },
    h('h2', {}, `After ${change.move}: ${pawns(change.score_cp)} (${pawns(change.score_cp - score_cp)})`),
    h('ul', {}, side('White', 0), side('Black', 1)),
    scrolling(
      'Neurons that change most',
      h('table', { class: 'numbers' }, h('thead', {}, head), h('tbody', {}, ...rows)),
    ),
  );
}

function neuronSection(view: NeuronView): HTMLElement {
  const most = Math.max(1, ...view.neurons);
  const rows = Math.ceil(view.neurons.length / NEURON_COLUMNS);
  const cells = view.neurons.map((value, number) =>
    svg(
      'rect',
      {
        class: 'neuron',
        x: number % NEURON_COLUMNS,
        y: Math.floor(number / NEURON_COLUMNS),
        width: 0.9,
        height: 0.9,
        'fill-opacity': value / most,
      },
      svg('title', {}, `neuron ${number}: ${value}`),
    ),
  );
  const words = `${view.side}'s view: ${view.features.length} features on, ${view.firing} of ${view.neurons.length} neurons fire`;
  return h(
    'section',
    {},
    h('h2', {}, words),
    svg(
      'svg',
      { class: 'neurons', viewBox: `0 0 ${NEURON_COLUMNS} ${rows}`, role: 'img', 'aria-label': words },
      ...cells,
    ),
    h(
      'details',
      {},
      h('summary', {}, 'Features that are on'),
      h('ul', { class: 'features' }, ...view.features.map((feature) => h('li', {}, feature))),
    ),
  );
}

export function scrolling(label: string, table: HTMLElement): HTMLElement {
  return h('div', { class: 'table-scroll', tabindex: 0, role: 'region', 'aria-label': label }, table);
}

/** The pieces of a FEN, row by row from the bottom. */
export function cellsOf(fen: string): string {
  const rows = (fen.split(' ')[0] ?? '').split('/');
  return rows
    .reverse()
    .map((row) => row.replace(/[1-8]/g, (digit) => '.'.repeat(Number(digit))))
    .join('');
}
