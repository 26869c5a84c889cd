// Trees as they grow: Monte Carlo step by step with its four phases, and alpha-beta with its windows.
import { fill, h, setShown, setText } from '../dom';
import { numberField, selectField, sliderField } from '../fields';
import type { Algorithm, InsideNet, MoveRow, NodeTable, TreeMade, TreeRequest, TreeStep } from '../server/types';
import { icon, type IconName } from '../shell/icons';
import { notifyError } from '../shell/messages';
import * as ask from './ask';
import { LookBoard } from './board';
import { decimal, percent } from './numbers';
import { fitting, type Place, type View } from './place';
import { Question } from './question';
import { TreeView } from './tree';

const PLIES = 2;
const MOST = 6;
const WAIT_MS = 60;

/** The networks that a search can ask. */
function searching(place: Place): InsideNet[] {
  return fitting(place, 'policy').filter(({ has_value }) => has_value);
}

/** The views of searches; `kind` says which of them. */
export class SearchView implements View {
  readonly element: HTMLElement;
  private readonly form = h('div', { class: 'inside-form' });
  private readonly facts = h('p', { class: 'field-help', role: 'status' });
  private readonly slider = h('div', { class: 'step-slider' });
  private readonly phases = h('ol', { class: 'phases', 'aria-live': 'polite' });
  private readonly board = new LookBoard();
  private readonly line = h('p', { class: 'node-line' });
  private readonly table = h('div', { class: 'node-table' });
  private readonly result = h('div', { class: 'inside-result', hidden: true });
  private readonly tree: TreeView;
  private readonly question = new Question();
  private place: Place | null = null;
  private made: TreeMade | null = null;
  private step = 0;
  private selected = 0;
  private timer = 0;
  private algorithm: Algorithm;
  private net = '';
  private simulations = 200;
  private depth = 3;
  private order = 'canonical';

  constructor(private readonly kind: 'mcts' | 'alphabeta' | 'policy') {
    this.algorithm = kind === 'alphabeta' ? 'alphabeta' : kind === 'policy' ? 'puct' : 'uct';
    this.tree = new TreeView({
      open: (node) => ask.subtree(this.made?.id ?? '', node, this.step, 1, 40, []),
      select: (node) => {
        this.selected = node;
        void this.showNode().catch(notifyError);
      },
    });
    const board = h('div', { class: 'inside-side' }, this.board.element, this.line, this.phases);
    fill(
      this.result,
      this.slider,
      h('div', { class: 'inside-columns' }, board, h('div', { class: 'inside-main' }, this.tree.element, this.table)),
    );
    this.element = h('div', {}, this.form, this.facts, this.result);
  }

  update(place: Place): void {
    this.question.drop();
    this.place = place;
    this.made = null;
    const nets = searching(place);
    if (!nets.some(({ name }) => name === this.net)) this.net = nets[0]?.name ?? '';
    if (this.kind === 'mcts' && this.algorithm === 'puct' && nets.length === 0) this.algorithm = 'uct';
    setShown(this.result, false);
    setText(
      this.facts,
      this.kind === 'policy' && nets.length === 0 ? 'No network here has a policy for this game.' : '',
    );
    this.drawForm();
  }

  destroy(): void {
    this.question.drop();
    clearTimeout(this.timer);
  }

  private drawForm(): void {
    const { place } = this;
    if (!place) return;
    const nets = searching(place).map(({ name, title }) => ({ value: name, label: title }));
    const fields: (HTMLElement | false)[] = [];
    if (this.kind === 'mcts' && nets.length > 0) {
      const options = [
        { value: 'uct' as const, label: 'Random playouts (UCT)' },
        { value: 'puct' as const, label: 'A network (PUCT)' },
      ];
      const choose = (value: 'uct' | 'puct'): void => {
        this.algorithm = value;
        this.drawForm();
      };
      fields.push(selectField('Leaves are judged by', options, this.algorithm as 'uct' | 'puct', choose));
    }
    if (this.algorithm === 'puct') {
      fields.push(selectField('Network', nets, this.net, (net) => (this.net = net)));
    }
    if (this.algorithm === 'alphabeta') {
      fields.push(
        numberField('Moves ahead', this.depth, { min: 1, max: 12, step: 1 }, (depth) => (this.depth = depth)),
      );
      const orders = place.orders.map((order) => ({ value: order, label: order.replaceAll('-', ' ') }));
      fields.push(selectField('Order of moves', orders, this.order, (order) => (this.order = order)));
    } else {
      const limits = { min: 1, max: this.algorithm === 'uct' ? 20_000 : 2_000, step: 1 };
      fields.push(numberField('Simulations', this.simulations, limits, (count) => (this.simulations = count)));
    }
    const disabled = this.algorithm === 'puct' && nets.length === 0;
    const run = h('button', { type: 'button', class: 'button primary', disabled }, 'Search');
    run.addEventListener('click', () => {
      run.disabled = true;
      void this.search()
        .catch(notifyError)
        .finally(() => (run.disabled = false));
    });
    fill(this.form, ...fields, run);
  }

  private async search(): Promise<void> {
    // Whoever types a position and searches at once means that position.
    if (!(await this.place?.settled())) return;
    const { place } = this;
    if (!place) return;
    setText(this.facts, 'Searching…');
    const wanted: TreeRequest = { game: place.rules.name, text: place.text, algorithm: this.algorithm };
    if (this.algorithm === 'alphabeta') Object.assign(wanted, { depth: this.depth, order: this.order });
    else wanted.simulations = Math.min(this.simulations, this.algorithm === 'uct' ? 20_000 : 2_000);
    if (this.algorithm === 'puct') wanted.net = this.net;
    let made: TreeMade | null;
    try {
      made = await this.question.answer((signal) => ask.growTree(wanted, signal));
    } catch (error) {
      setText(this.facts, '');
      throw error;
    }
    if (!made) return;
    this.made = made;
    this.selected = 0;
    this.step = made.steps;
    setText(this.facts, this.describe(made));
    this.drawSlider(made);
    setShown(this.result, true);
    setShown(this.tree.element, this.kind !== 'policy');
    setShown(this.phases, this.kind !== 'policy');
    await this.showStep();
  }

  private describe(made: TreeMade): string {
    const count = (value: number): string => value.toLocaleString('en');
    const end = made.is_whole ? '' : ' The search was ended there.';
    if (made.algorithm === 'alphabeta') {
      return `${count(made.nodes)} nodes in the order of the search, judged by ${made.judge}.${end}`;
    }
    return `${count(made.steps)} simulations, ${count(made.nodes)} nodes, judged by ${made.judge}.${end}`;
  }

  private drawSlider(made: TreeMade): void {
    const name = made.algorithm === 'alphabeta' ? 'Node' : 'Simulation';
    const write = (step: number): string => `${step.toLocaleString('en')} of ${made.steps.toLocaleString('en')}`;
    const limits = { min: made.algorithm === 'alphabeta' ? 0 : 1, max: made.steps, step: 1 };
    const field = sliderField(name, this.step, limits, write, (step) => this.goTo(step));
    const input = field.querySelector('input');
    const move = (by: number): void => {
      if (!input) return;
      input.valueAsNumber = Math.min(Math.max(this.step + by, limits.min), limits.max);
      input.dispatchEvent(new Event('input'));
    };
    const button = (label: string, name: IconName, by: number): HTMLElement =>
      h(
        'button',
        { type: 'button', class: 'icon-button', 'aria-label': label, title: label, click: () => move(by) },
        icon(name),
      );
    fill(
      this.slider,
      button('First step', 'first', -Infinity),
      button('One step back', 'previous', -1),
      field,
      button('One step on', 'next', 1),
      button('Last step', 'last', Infinity),
    );
  }

  /** Shows a step soon: a slider that is dragged asks once it rests. */
  private goTo(step: number): void {
    this.step = step;
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.showStep().catch(notifyError), WAIT_MS);
  }

  private async showStep(): Promise<void> {
    const { made, step } = this;
    if (!made) return;
    const done = await ask.treeStep(made.id, step);
    const tree = this.kind === 'policy' ? null : await ask.subtree(made.id, 0, step, PLIES, MOST, done.path);
    if (made !== this.made || step !== this.step) return;
    this.showPhases(made, done);
    if (tree) this.tree.show(tree, done.path);
    if (made.algorithm === 'alphabeta') this.showPosition(made, { position: done.position, line: [], moves: [] });
    else await this.showNode();
  }

  private showPhases(made: TreeMade, done: TreeStep): void {
    const items = done.words.map((words) => h('li', {}, words));
    const rows = done.backup.map((row) =>
      h(
        'tr',
        {},
        h('td', {}, row.move || 'root'),
        h('td', {}, `${row.N_before} → ${row.N}`),
        h('td', {}, `${decimal(row.W_before)} → ${decimal(row.W)}`),
        h('td', {}, decimal(row.Q)),
      ),
    );
    const head = h('tr', {}, ...['Backup', 'N', 'W', 'Q'].map((name) => h('th', { scope: 'col' }, name)));
    const backup = h('table', { class: 'numbers' }, h('thead', {}, head), h('tbody', {}, ...rows));
    fill(this.phases, ...items, made.algorithm !== 'alphabeta' && h('li', { class: 'backup' }, backup));
  }

  private async showNode(): Promise<void> {
    const { made, selected, step } = this;
    if (!made) return;
    const found = await ask.nodeTable(made.id, selected, step);
    if (made === this.made && selected === this.selected) this.showPosition(made, found);
  }

  private showPosition(made: TreeMade, { position, line, moves }: NodeTable): void {
    const total = moves.reduce((sum, { N }) => sum + N, 0);
    // Before the first visit below, the priors are all there is to show.
    const share = (row: MoveRow): number => (total > 0 ? row.N / total : (row.P ?? 0));
    const arrows = moves.flatMap((row) => (row.drawn ? [{ move: row.drawn, share: share(row) }] : []));
    const heat = new Map<string, number>();
    for (const row of moves) {
      const square = row.drawn?.to;
      if (square) heat.set(square, Math.min(1, (heat.get(square) ?? 0) + (row.P ?? share(row))));
    }
    this.board.show(this.place?.rules.name ?? '', made.board, position, { arrows, heat });
    setText(this.line, line.length > 0 ? `After ${line.join(' ')}` : '');
    fill(this.table, moves.length > 0 && moveTable(moves));
  }
}

/** The moves of a node with the book's letters, the most visited first. */
export function moveTable(moves: readonly MoveRow[]): HTMLElement {
  const sorted = [...moves].sort((a, b) => b.N - a.N || (b.P ?? 0) - (a.P ?? 0));
  const names = ['Move', 'P', 'N', 'Q', 'U', 'Q + U', 'V'];
  const rows = sorted.map((row) =>
    h(
      'tr',
      {},
      h('th', { scope: 'row' }, row.move),
      h('td', {}, percent(row.P)),
      h('td', {}, row.N.toLocaleString('en')),
      h('td', {}, decimal(row.Q)),
      h('td', {}, decimal(row.U)),
      h('td', {}, decimal(row.score)),
      h('td', {}, decimal(row.V)),
    ),
  );
  return h(
    'div',
    { class: 'table-scroll', tabindex: 0, role: 'region', 'aria-label': 'Moves of this node' },
    h(
      'table',
      { class: 'numbers' },
      h('thead', {}, h('tr', {}, ...names.map((name) => h('th', { scope: 'col' }, name)))),
      h('tbody', {}, ...rows),
    ),
  );
}
