// One engine of the analysis board: who it is, how long it thinks, and what it says.
import { spokenMove } from '../chess/words';
import { fill, h, setShown, setText } from '../dom';
import { numberField, selectField, sliderField } from '../fields';
import type { Opponent, Side } from '../server/types';
import { icon } from '../shell/icons';
import { type LineActions, lineMoves } from './lines';
import type { AnalyseCommand, EngineLine, EngineView, StudyNode, Wdl } from './types';
import { compact, percent, sayWdl, writeScore } from './words';

/** What is chosen for an engine; kept by the browser. */
export interface EngineChoice {
  engine: string;
  elo: number;
  lines: number;
  limit: 'endless' | 'seconds' | 'nodes' | 'depth';
  amount: number;
  hash: number;
  threads: number;
}

export const DEFAULT_CHOICE: EngineChoice = {
  engine: 'nnue',
  elo: 1500,
  lines: 3,
  limit: 'endless',
  amount: 10,
  hash: 32,
  threads: 1,
};

const AMOUNTS = { endless: 0, seconds: 10, nodes: 1_000_000, depth: 20 };

export interface EngineActions extends LineActions {
  order: (order: AnalyseCommand | null) => void;
  chosen: (choice: EngineChoice, on: boolean) => void;
  /** Takes the second engine away. */
  close: (() => void) | null;
  /** A further button of its head. */
  extra: HTMLElement | null;
}

export class EnginePanel {
  readonly element: HTMLElement;
  view: EngineView | null = null;
  on = false;
  threat = false;
  private readonly toggle = h('input', { type: 'checkbox', role: 'switch', class: 'switch' });
  private readonly verdict = h('strong', { class: 'engine-score' });
  private readonly facts = h('span', { class: 'engine-facts' });
  private readonly bar = h('div', { class: 'wdl', role: 'img' });
  private readonly list = h('ol', { class: 'engine-lines' });
  private readonly message = h('p', { class: 'engine-message', role: 'status' });
  private readonly options = h('div', { class: 'engine-options', hidden: true });
  /** What the list shows, and whether somebody points at it; it must not move away under the pointer. */
  private drawn = '';
  private failure = '';

  constructor(
    private readonly seat: Side,
    private readonly opponents: readonly Opponent[],
    private choice: EngineChoice,
    private readonly actions: EngineActions,
  ) {
    const name = seat === 0 ? 'Engine' : 'Second engine';
    this.toggle.setAttribute('aria-label', name);
    this.toggle.addEventListener('change', () => this.switch(this.toggle.checked));
    const { close, extra } = actions;
    const more: HTMLButtonElement = h(
      'button',
      {
        type: 'button',
        class: 'icon-button',
        title: 'Options',
        'aria-label': `Options of the ${name.toLowerCase()}`,
        'aria-expanded': 'false',
        click: () => {
          const isOpen = this.options.toggleAttribute('hidden') === false;
          more.setAttribute('aria-expanded', String(isOpen));
        },
      },
      icon('settings'),
    );
    this.element = h(
      'section',
      { class: `engine seat-${seat}`, 'aria-label': name },
      h(
        'div',
        { class: 'engine-head' },
        this.toggle,
        this.verdict,
        this.facts,
        more,
        extra,
        close &&
          h('button', { type: 'button', class: 'icon-button', 'aria-label': 'Remove this engine', click: close }, '✕'),
      ),
      this.options,
      this.bar,
      this.list,
      this.message,
    );
    this.drawOptions();
    this.update(null, null);
  }

  /** The opponent that was chosen, or the first there is. */
  private get opponent(): Opponent | undefined {
    return this.opponents.find(({ name }) => name === this.choice.engine) ?? this.opponents[0];
  }

  switch(on: boolean): void {
    this.on = on;
    this.failure = '';
    this.toggle.checked = on;
    if (!on) this.view = null;
    this.actions.order(on ? this.command() : null);
    this.actions.chosen(this.choice, on);
    this.update(this.view, null);
  }

  /** Shows what the other side would do if it could move now, or goes back. */
  switchThreat(): void {
    this.threat = !this.threat;
    this.switch(true);
  }

  /** What the engine thinks, for those who listen. */
  spoken(): string {
    const view = this.on ? this.view : null;
    const [line] = view?.lines ?? [];
    if (!view || !line) return 'The engine has said nothing yet.';
    const moves = line.moves.slice(0, 4).map(({ san }) => spokenMove(san));
    return `${writeScore(view.score)}, depth ${view.depth ?? 0}: ${moves.join(', ')}.`;
  }

  private command(): AnalyseCommand {
    const { lines, limit, amount, hash, threads, elo } = this.choice;
    const opponent = this.opponent;
    return {
      type: 'analyse',
      seat: this.seat,
      engine: opponent?.name ?? this.choice.engine,
      strength: opponent?.strength.kind === 'elo' ? { elo } : null,
      lines,
      limit: limit === 'endless' ? {} : { [limit]: amount },
      threat: this.threat,
      hash_mb: hash,
      threads,
    };
  }

  private choose(changes: Partial<EngineChoice>, draw = false): void {
    this.choice = { ...this.choice, ...changes };
    if (draw) this.drawOptions();
    this.actions.chosen(this.choice, this.on);
    if (this.on) this.switch(true);
  }

  private drawOptions(): void {
    const { lines, limit, amount, hash, threads, elo } = this.choice;
    const opponent = this.opponent;
    const strength = opponent?.strength;
    const cores = Math.max(1, navigator.hardwareConcurrency || 1);
    fill(
      this.options,
      selectField(
        'Engine',
        this.opponents.map(({ name, title }) => ({ value: name, label: title })),
        opponent?.name ?? '',
        (engine) => this.choose({ engine }, true),
      ),
      h('p', { class: 'field-help' }, opponent?.description ?? ''),
      strength?.kind === 'elo' &&
        sliderField('Rating of the players', elo, strength, String, (value) => this.choose({ elo: value })),
      numberField('Lines to show', lines, { min: 1, max: 5 }, (value) => this.choose({ lines: value })),
      selectField(
        'Think',
        [
          { value: 'endless', label: 'until I stop it' },
          { value: 'seconds', label: 'for some seconds' },
          { value: 'nodes', label: 'for some positions' },
          { value: 'depth', label: 'to a depth' },
        ],
        limit,
        (value) => this.choose({ limit: value, amount: AMOUNTS[value] }, true),
      ),
      limit !== 'endless' &&
        numberField(
          { seconds: 'Seconds', nodes: 'Positions', depth: 'Half moves deep' }[limit],
          amount,
          { min: 1, max: { seconds: 3600, nodes: 1e12, depth: 199 }[limit] },
          (value) => this.choose({ amount: value }),
        ),
      selectField(
        'Memory for positions',
        [16, 32, 128, 512, 1024].map((size) => ({ value: String(size), label: `${size} MB` })),
        String(hash),
        (value) => this.choose({ hash: Number(value) }),
      ),
      cores > 1 &&
        numberField('Processor cores', threads, { min: 1, max: Math.min(64, cores) }, (value) =>
          this.choose({ threads: value }),
        ),
    );
  }

  /** Shows what the engine says; `node` is what the tab shows. */
  update(view: EngineView | null, node: StudyNode | null): void {
    const isFresh = view !== null && node !== null && view.node === node.id;
    this.view = view;
    const shown = this.on && isFresh && view ? view : null;
    setText(this.verdict, shown ? writeScore(shown.score) : '');
    setText(this.facts, this.describe(shown));
    this.drawWdl(shown?.wdl ?? null);
    const lines = shown?.lines ?? [];
    const ply = node ? node.ply + (shown?.threat ? 1 : 0) : 0;
    // Under the pointer or the focus nothing may move away, unless the position itself is another one.
    const isHeld = this.list.matches(':hover') || this.list.contains(document.activeElement);
    const place = `${node?.id ?? ''} ${shown?.threat ?? ''}`;
    if (!(isHeld && this.drawn === place && lines.length === this.list.childElementCount)) {
      this.drawn = place;
      // A button that goes away does not say that nobody points at it any more.
      if (isHeld) this.actions.preview(null);
      fill(this.list, ...lines.map((line) => this.line(line, ply)));
    }
    setShown(this.list, lines.length > 0);
    if (this.on && view?.status === 'failed') this.fail(view.message ?? 'The engine stopped working.');
    setText(this.message, this.failure || (shown?.message ?? ''));
    this.message.classList.toggle('problem', this.failure !== '');
  }

  /** Turns the engine off and says why; it can be turned on again. */
  private fail(message: string): void {
    this.failure = message;
    this.on = false;
    this.toggle.checked = false;
    this.actions.order(null);
  }

  private describe(view: EngineView | null): string {
    const title = this.opponent?.title ?? '';
    if (!this.on) return title;
    if (!view) return `${title} · waits`;
    const parts = [this.threat ? `${title}: threat` : title];
    if (view.status === 'waiting') parts.push('waits for a core');
    if (view.depth !== null) parts.push(`depth ${view.depth}`);
    if (view.nodes > 1) parts.push(`${compact(view.nodes)} nodes`);
    if (view.nps > 0) parts.push(`${compact(view.nps)}/s`);
    return parts.join(' · ');
  }

  private drawWdl(wdl: Wdl | null): void {
    setShown(this.bar, wdl !== null);
    if (!wdl) return;
    const parts = wdl.map((share, index) => {
      const part = h('span', { class: `wdl-${index}` }, share >= 0.12 ? percent(share) : '');
      part.style.flexGrow = String(Math.max(0.0001, share));
      return part;
    });
    fill(this.bar, ...parts);
    this.bar.setAttribute('aria-label', sayWdl(wdl));
    this.bar.title = sayWdl(wdl);
  }

  private line(line: EngineLine, ply: number): HTMLElement {
    const actions = this.threat ? { ...this.actions, play: () => {} } : this.actions;
    const known = writeScore(line.score) || (line.share === null ? '' : percent(line.share));
    const share = line.share !== null && line.score ? percent(line.share) : '';
    return h(
      'li',
      {},
      h('span', { class: 'line-score' }, known),
      share && h('span', { class: 'line-share', title: 'Share of the search' }, share),
      h('span', { class: 'line-moves' }, ...lineMoves(line.moves, ply, actions)),
    );
  }
}
