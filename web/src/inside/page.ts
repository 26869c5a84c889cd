// The look inside: one position, and what searches and networks see in it.
import { fill, h, setText } from '../dom';
import { selectField } from '../fields';
import { checkPosition, rules as fetchRules } from '../server/http';
import type { InsideList, Rules } from '../server/types';
import { notifyError } from '../shell/messages';
import type { App, Page } from '../shell/page';
import { listNets } from './ask';
import { NnueView, TermsView } from './evaluations';
import { CompareView, LayersView, SaliencyPanel } from './networks';
import { placeOf, type View } from './place';
import { Question } from './question';
import { SearchView } from './searches';

const TYPING_MS = 300;

interface Tab {
  name: string;
  label: string;
  words: string;
  make: () => View;
}

const TABS: readonly Tab[] = [
  {
    name: 'tree',
    label: 'Monte Carlo tree',
    words: 'The tree grows by one node a simulation: selection, expansion, evaluation, backup (book, 3.5 and 4.2).',
    make: () => new SearchView('mcts'),
  },
  {
    name: 'alphabeta',
    label: 'Alpha-beta',
    words: 'Every node has a window; where it closes, the rest of the moves is cut off (book, 3.2).',
    make: () => new SearchView('alphabeta'),
  },
  {
    name: 'policy',
    label: 'Policy',
    words:
      'Heat is the network’s policy P, arrows are the visits N, as the search makes up its mind (book, 4.2.2 and 4.3.2).',
    make: () => new SearchView('policy'),
  },
  {
    name: 'nnue',
    label: 'NNUE',
    words: 'What each piece is worth, which features and neurons fire, and what a move changes (book, 4.6).',
    make: () => new NnueView(),
  },
  {
    name: 'terms',
    label: 'Terms',
    words: 'The handcrafted evaluation as the sum of its terms (book, 3.3 and 3.4).',
    make: () => new TermsView(),
  },
  {
    name: 'layers',
    label: 'Layers',
    words: 'What a convolutional network sees, and what its filters and layers make of it (book, 4.2 and 4.4).',
    make: () => new LayersView(),
  },
  {
    name: 'saliency',
    label: 'What it looks at',
    words: 'Each square is hidden from the network once: on which does its move rest?',
    make: () => new SaliencyPanel(),
  },
  {
    name: 'compare',
    label: 'Two networks',
    words: 'Two networks on one position: where do they disagree?',
    make: () => new CompareView(),
  },
];

export function insidePage(app: App): Page {
  const page = new InsidePage(app);
  return { element: page.element, title: 'Look inside', destroy: () => page.destroy() };
}

class InsidePage {
  readonly element: HTMLElement;
  private readonly tabs = new Map<string, HTMLButtonElement>();
  private readonly words = h('p', { class: 'field-help' });
  private readonly body = h('div', { class: 'inside-view', role: 'tabpanel', id: 'inside-view' });
  private readonly place = h('div', { class: 'inside-place' });
  private readonly problem = h('p', { class: 'field-problem', role: 'status' });
  private list: InsideList | null = null;
  private rules: Rules;
  private text: string;
  private tab: Tab;
  private view: View | null = null;
  private readonly typed = new Question();
  private timer = 0;
  /** What was typed and is not looked at yet. */
  private unread: string | null = null;
  private isGone = false;

  constructor(private readonly app: App) {
    const asked = new URLSearchParams(location.search);
    const { games } = app.about;
    const first = games[0];
    if (!first) throw new Error('The server offers no game.');
    const name = asked.get('game') ?? first.name;
    this.rules = games.find((rules) => rules.name === name) ?? first;
    this.text = asked.get('text') ?? this.rules.start.text;
    this.tab = TABS.find(({ name }) => name === asked.get('view')) ?? (TABS[0] as Tab);
    const buttons = TABS.map((tab) => this.tabButton(tab));
    this.element = h(
      'div',
      { class: 'page inside' },
      h('h1', {}, 'Look inside'),
      this.place,
      this.problem,
      h('div', { class: 'inside-tabs', role: 'tablist', 'aria-label': 'Views' }, ...buttons),
      this.words,
      this.body,
    );
    void this.load(name).catch(notifyError);
  }

  destroy(): void {
    this.isGone = true;
    clearTimeout(this.timer);
    this.view?.destroy?.();
  }

  private async load(name: string): Promise<void> {
    if (name !== this.rules.name) this.rules = await fetchRules(name);
    this.drawPlace();
    this.open(this.tab);
    this.list = await listNets();
    if (!this.isGone) this.open(this.tab);
  }

  private tabButton(tab: Tab): HTMLButtonElement {
    const button = h(
      'button',
      {
        type: 'button',
        role: 'tab',
        id: `tab-${tab.name}`,
        'aria-controls': 'inside-view',
        click: () => this.open(tab),
      },
      tab.label,
    );
    button.addEventListener('keydown', (event) => this.walk(event, tab));
    this.tabs.set(tab.name, button);
    return button;
  }

  /** Arrow keys go to the next tab, as everywhere with tabs. */
  private walk(event: KeyboardEvent, tab: Tab): void {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const next = TABS[(TABS.indexOf(tab) + by + TABS.length) % TABS.length] as Tab;
    this.open(next);
    this.tabs.get(next.name)?.focus();
  }

  private drawPlace(): void {
    const known = this.app.about.games;
    const games = (known.includes(this.rules) ? known : [this.rules, ...known]).map(({ name, title }) => ({
      value: name,
      label: title,
    }));
    const input = h('input', { id: 'inside-text', type: 'text', spellcheck: 'false', autocomplete: 'off' });
    input.value = this.text;
    input.addEventListener('input', () => {
      clearTimeout(this.timer);
      this.unread = input.value.trim();
      this.timer = window.setTimeout(() => void this.settle().catch(notifyError), TYPING_MS);
    });
    const label = this.rules.name === 'chess' ? 'Position (FEN)' : 'Position';
    fill(
      this.place,
      selectField('Game', games, this.rules.name, (name) => {
        // What was typed is of another game.
        clearTimeout(this.timer);
        this.typed.drop();
        this.unread = null;
        setText(this.problem, '');
        this.rules = known.find((rules) => rules.name === name) ?? this.rules;
        this.text = this.rules.start.text;
        this.drawPlace();
        this.changed();
      }),
      h('div', { class: 'field' }, h('label', { for: 'inside-text' }, label), input),
    );
  }

  /** Takes what was typed, if anything was; says whether there is a position now. */
  private async settle(): Promise<boolean> {
    clearTimeout(this.timer);
    const text = this.unread;
    if (text === null) return this.problem.textContent === '';
    const { name, start } = this.rules;
    const check = await this.typed.answer(() => checkPosition(name, text || start.text));
    if (!check || text !== this.unread) return false;
    this.unread = null;
    const problem = check.ok ? (check.result ? `The game is over here: ${check.result.text}` : '') : check.problem;
    setText(this.problem, problem ?? 'This is not a position.');
    if (this.problem.textContent !== '') return false;
    this.text = check.position?.text ?? text;
    this.changed();
    return true;
  }

  private open(tab: Tab): void {
    this.view?.destroy?.();
    this.tab = tab;
    for (const [name, button] of this.tabs) {
      const isOpen = name === tab.name;
      button.setAttribute('aria-selected', String(isOpen));
      button.tabIndex = isOpen ? 0 : -1;
    }
    this.body.setAttribute('aria-labelledby', `tab-${tab.name}`);
    setText(this.words, tab.words);
    this.view = this.list ? tab.make() : null;
    fill(this.body, this.view?.element ?? h('p', { role: 'status' }, 'Looking for networks…'));
    this.changed();
  }

  /** The position or the view is another one: the address says so, and the view is told. */
  private changed(): void {
    const query = new URLSearchParams({ game: this.rules.name, text: this.text, view: this.tab.name });
    history.replaceState(history.state, '', `/inside?${query.toString()}`);
    if (this.list) this.view?.update(placeOf(this.app.about, this.list, this.rules, this.text, () => this.settle()));
  }
}
