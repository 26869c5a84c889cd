// What networks of planes see: their input, filters and layers, what a choice rests on, and two of them side by side.
import { fill, h, setText, svg } from '../dom';
import { numberField, selectField, textField } from '../fields';
import type { InsideNet, NetComparison, PlaneSet, PlanesRequest, Position, SaliencyView } from '../server/types';
import { notifyError } from '../shell/messages';
import * as ask from './ask';
import { LookBoard } from './board';
import { scrolling } from './evaluations';
import { decimal, percent } from './numbers';
import { fitting, type Place, type View } from './place';
import { Question } from './question';

type What = 'input' | 'layer' | 'filter';

/** The base of views that begin with the choice of a network. */
abstract class NetView implements View {
  protected readonly form = h('div', { class: 'inside-form' });
  protected readonly verdict = h('p', { class: 'inside-verdict', role: 'status' });
  protected readonly body = h('div');
  readonly element = h('div', {}, this.form, this.verdict, this.body);
  protected readonly question = new Question();
  protected place: Place | null = null;
  protected net = '';

  update(place: Place): void {
    this.question.drop();
    this.place = place;
    const nets = this.choose(place);
    if (!nets.some(({ name }) => name === this.net)) this.net = nets[0]?.name ?? '';
    fill(this.body);
    if (nets.length === 0) {
      fill(this.form);
      setText(this.verdict, 'There is no such network for this game. You can add one on the first page.');
      return;
    }
    this.drawForm(nets);
    this.ask();
  }

  destroy(): void {
    this.question.drop();
  }

  protected choose(place: Place): InsideNet[] {
    return fitting(place, 'policy');
  }

  protected netField(
    nets: readonly InsideNet[],
    label: string,
    value: string,
    set: (net: string) => void,
  ): HTMLElement {
    const options = nets.map(({ name, title }) => ({ value: name, label: title }));
    return selectField(label, options, value, (net) => {
      set(net);
      this.drawForm(nets);
      this.ask();
    });
  }

  protected abstract drawForm(nets: readonly InsideNet[]): void;
  protected abstract ask(): void;

  protected shownPosition(place: Place, found?: Position): Position {
    return found ?? { ...place.rules.start, text: place.text };
  }
}

export class LayersView extends NetView {
  private what: What = 'input';
  private layer = 0;
  private filter = 0;

  protected override choose(place: Place): InsideNet[] {
    const towers = [...fitting(place, 'policy'), ...fitting(place, 'value')];
    return towers.filter(({ layers }) => layers !== null);
  }

  protected override drawForm(nets: readonly InsideNet[]): void {
    const net = nets.find(({ name }) => name === this.net);
    const kinds: { value: What; label: string }[] = [
      { value: 'input', label: 'Input planes' },
      { value: 'layer', label: 'A layer at work' },
      { value: 'filter', label: 'A filter of a layer' },
    ];
    this.layer = Math.min(this.layer, (net?.layers ?? 1) - 1);
    this.filter = Math.min(this.filter, (net?.filters ?? 1) - 1);
    fill(
      this.form,
      this.netField(nets, 'Network', this.net, (name) => (this.net = name)),
      selectField('Show', kinds, this.what, (what) => {
        this.what = what;
        this.drawForm(nets);
        this.ask();
      }),
      this.what !== 'input' &&
        this.counter('Layer (0 is the first convolution)', this.layer, net?.layers, (layer) => (this.layer = layer)),
      this.what === 'filter' && this.counter('Filter', this.filter, net?.filters, (filter) => (this.filter = filter)),
    );
  }

  private counter(
    label: string,
    value: number,
    count: number | null | undefined,
    set: (value: number) => void,
  ): HTMLElement {
    return numberField(label, value, { min: 0, max: (count ?? 1) - 1, step: 1 }, (number) => {
      set(number);
      this.ask();
    });
  }

  protected override ask(): void {
    const { place } = this;
    if (!place) return;
    const { rules, text } = place;
    const number = this.what === 'filter' ? this.filter : this.layer;
    const asked: PlanesRequest = { game: rules.name, text, net: this.net, what: this.what, number, layer: this.layer };
    void this.question
      .answer((signal) => ask.planes(asked, signal))
      .then((found) => found && this.show(found))
      .catch(notifyError);
  }

  private show(found: PlaneSet): void {
    const { title, numbers, total } = found;
    setText(this.verdict, `${title}: ${numbers.length} of ${total} planes, those with the most contrast.`);
    fill(
      this.body,
      h('div', { class: 'planes' }, ...found.planes.map((plane, place) => planePicture(found, plane, place))),
    );
  }
}

/** One plane in gray, the largest number white. */
function planePicture({ width, height, numbers }: PlaneSet, plane: readonly number[], place: number): HTMLElement {
  const low = Math.min(...plane);
  const span = Math.max(...plane) - low || 1;
  const cells = plane.map((value, index) => {
    const level = Math.round((255 * (value - low)) / span);
    const y = height - 1 - Math.floor(index / width);
    return svg('rect', { x: index % width, y, width: 1.02, height: 1.02, fill: `rgb(${level} ${level} ${level})` });
  });
  const words = `${numbers[place] ?? 0}: ${decimal(low)} to ${decimal(low + span)}`;
  return h(
    'figure',
    {},
    svg('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': `Plane ${words}` }, ...cells),
    h('figcaption', {}, words),
  );
}

export class SaliencyPanel extends NetView {
  private readonly board = new LookBoard();
  private move = '';

  protected override drawForm(nets: readonly InsideNet[]): void {
    fill(
      this.form,
      this.netField(nets, 'Network', this.net, (name) => (this.net = name)),
      textField('Move (empty: the likeliest)', this.move, 20, (move) => {
        this.move = move.trim();
        this.ask();
      }),
    );
  }

  protected override ask(): void {
    const { place } = this;
    if (!place) return;
    const { rules, text } = place;
    const asked = { game: rules.name, text, net: this.net, move: this.move || null };
    void this.question
      .answer((signal) => Promise.all([ask.saliency(asked, signal), positionOf(place)]))
      .then((answers) => answers && this.show(place, answers[1], answers[0]))
      .catch(notifyError);
  }

  private show(place: Place, position: Position, found: SaliencyView): void {
    const squares = Object.entries(found.squares);
    const most = Math.max(0.001, ...squares.map(([, loss]) => Math.abs(loss)));
    const heat = new Map(squares.map(([square, loss]) => [square, loss / most]));
    const arrows = [{ move: found.drawn, share: found.probability }];
    this.board.show(place.rules.name, place.rules.board, position, { heat, arrows });
    setText(
      this.verdict,
      `${found.move} has ${percent(found.probability)}. Warm squares: without what stands there it has less; cool ones: more.`,
    );
    const sorted = squares.sort(([, a], [, b]) => Math.abs(b) - Math.abs(a)).slice(0, 10);
    const rows = sorted.map(([square, loss]) =>
      h(
        'tr',
        {},
        h('th', { scope: 'row' }, square),
        h('td', {}, percent(found.probability - loss)),
        h('td', {}, percent(-loss)),
      ),
    );
    const names = ['Hidden square', `${found.move} then has`, 'Change'];
    const table = h(
      'table',
      { class: 'numbers' },
      h('thead', {}, h('tr', {}, ...names.map((name) => h('th', { scope: 'col' }, name)))),
      h('tbody', {}, ...rows),
    );
    fill(this.body, columns(this.board.element, scrolling('Squares that matter most', table)));
  }
}

export class CompareView extends NetView {
  private readonly board = new LookBoard();
  private other = '';

  protected override drawForm(nets: readonly InsideNet[]): void {
    if (!nets.some(({ name }) => name === this.other)) this.other = (nets[1] ?? nets[0])?.name ?? '';
    fill(
      this.form,
      this.netField(nets, 'Network', this.net, (name) => (this.net = name)),
      this.netField(nets, 'And', this.other, (name) => (this.other = name)),
    );
  }

  protected override ask(): void {
    const { place } = this;
    if (!place) return;
    const { rules, text } = place;
    const asked = { game: rules.name, text, net: this.net, other: this.other };
    void this.question
      .answer((signal) => Promise.all([ask.compare(asked, signal), positionOf(place)]))
      .then((answers) => answers && this.show(place, answers[1], answers[0]))
      .catch(notifyError);
  }

  private show(place: Place, position: Position, found: NetComparison): void {
    const title = (name: string): string => place.nets.find((net) => net.name === name)?.title ?? name;
    const names = [title(this.net), title(this.other)] as const;
    const most = Math.max(0.001, ...found.moves.flatMap(({ shares }) => shares));
    const rows = found.moves.slice(0, 14).map(({ move, shares }) => {
      const bars = shares.map((share, number) => {
        const bar = h('span', { class: `share-bar net-${number}` });
        bar.style.setProperty('--share', `${(100 * share) / most}%`);
        return bar;
      });
      const cells = shares.map((share) => h('td', {}, percent(share)));
      return h('tr', {}, h('th', { scope: 'row' }, move), ...cells, h('td', { class: 'bar-cell' }, ...bars));
    });
    const head = h('tr', {}, ...['Move', ...names, 'Shares'].map((name) => h('th', { scope: 'col' }, name)));
    const table = h('table', { class: 'numbers' }, h('thead', {}, head), h('tbody', {}, ...rows));
    const arrows = found.moves.map(({ drawn, shares }) => ({ move: drawn, share: Math.abs(shares[0] - shares[1]) }));
    this.board.show(place.rules.name, place.rules.board, position, { arrows });
    const [first, second] = found.values;
    setText(
      this.verdict,
      `They agree on ${percent(found.agreement)} of their probability. Value for the side to move: ${names[0]} ` +
        `${decimal(first)}, ${names[1]} ${decimal(second)}. Arrows: where they differ.`,
    );
    fill(this.body, columns(this.board.element, scrolling('Both policies', table)));
  }
}

function columns(board: HTMLElement, main: HTMLElement): HTMLElement {
  return h(
    'div',
    { class: 'inside-columns' },
    h('div', { class: 'inside-side' }, board),
    h('div', { class: 'inside-main' }, main),
  );
}

/** The position as it is drawn. */
async function positionOf({ rules, text }: Place): Promise<Position> {
  if (text === rules.start.text) return rules.start;
  const { checkPosition } = await import('../server/http');
  return (await checkPosition(rules.name, text)).position ?? rules.start;
}
