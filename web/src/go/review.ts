// The review of a finished game: every position is judged in turn; what moves cost is listed and drawn.
import { fill, h, setShown, setText } from '../dom';
import { choiceField } from '../fields';
import type { GameView, Side } from '../server/types';
import { icon } from '../shell/icons';
import { notifyError } from '../shell/messages';
import { Graph } from './graph';
import { type Loss, losses, lossText, meanLoss, type Measure, worst } from './losses';
import type { Verdicts } from './verdicts';

const MOST_LISTED = 8;

export class Review {
  private readonly button = h('button', { type: 'button', class: 'button', click: () => this.press() });
  private readonly progress = h('progress', { max: 1, value: 0, 'aria-label': 'Positions judged' });
  private readonly graph: Graph;
  private readonly summary = h('p', { class: 'go-summary', role: 'status' });
  private readonly list = h('ol', { class: 'go-losses' });
  private readonly found: HTMLElement;
  readonly element: HTMLElement;
  private measure: Measure = 'points';
  private running: AbortController | null = null;
  private game: GameView | null = null;
  private shown = 0;

  constructor(
    private readonly verdicts: Verdicts,
    private readonly show: (ply: number) => void,
  ) {
    this.graph = new Graph(show);
    const measures = [
      { value: 'points' as const, label: 'Points' },
      { value: 'rate' as const, label: 'Win rate' },
    ];
    const choose = choiceField('Order by loss of', measures, this.measure, (measure) => {
      this.measure = measure;
      this.draw();
    });
    const legend = h('p', { class: 'field-help' }, 'Area: Black’s win rate. Line: Black’s lead in points.');
    this.found = h('div', { class: 'go-found' }, this.graph.element, legend, this.summary, choose, this.list);
    this.element = h(
      'section',
      { class: 'go-review', 'aria-label': 'Review' },
      h('div', { class: 'button-row' }, this.button, this.progress),
      this.found,
    );
    setShown(this.found, false);
    setShown(this.progress, false);
  }

  update(game: GameView, shown: number): void {
    this.game = game;
    this.shown = shown;
    setShown(this.element, game.result !== null && game.moves.length > 1);
    this.draw();
  }

  /** Stops asking; what was found stays. */
  stop(): void {
    this.running?.abort();
    this.running = null;
  }

  private press(): void {
    if (this.running) {
      this.stop();
      this.draw();
    } else void this.run().catch(notifyError);
  }

  private async run(): Promise<void> {
    const { game } = this;
    if (!game) return;
    const running = new AbortController();
    this.running = running;
    setShown(this.found, true);
    try {
      for (let ply = 0; ply <= game.moves.length && !running.signal.aborted; ply += 1) {
        await this.verdicts.ask(ply);
        this.draw();
      }
    } finally {
      if (this.running === running) this.running = null;
      this.draw();
    }
  }

  private draw(): void {
    const { game } = this;
    if (!game || this.element.hidden) return;
    const { known } = this.verdicts;
    const total = game.moves.length + 1;
    const done = [...known.keys()].filter((ply) => ply < total).length;
    fill(this.button, icon('bulb'), this.label(done, total));
    this.button.disabled = done === total && !this.found.hidden;
    setShown(this.progress, this.running !== null);
    this.progress.value = done / total;
    if (this.found.hidden) return;
    this.graph.update(known, game.moves.length, this.shown);
    const judged = losses(game.moves, known);
    setText(this.summary, this.running ? '' : this.describe(game, judged));
    fill(this.list, ...worst(judged, this.measure, MOST_LISTED).map((loss) => this.row(game, loss)));
  }

  private label(done: number, total: number): string {
    if (this.running) return `Stop (${done} of ${total})`;
    return done === 0 || this.found.hidden ? 'Review the game' : done < total ? 'Continue the review' : 'Reviewed';
  }

  private describe(game: GameView, judged: readonly Loss[]): string {
    const parts = ([0, 1] as Side[]).map((side) => {
      const mean = meanLoss(judged, side, this.measure);
      return mean === null ? '' : `${game.sides[side]} ${lossText(mean, this.measure)} a move`;
    });
    return parts.filter(Boolean).join(', ');
  }

  private row(game: GameView, loss: Loss): HTMLElement {
    const better = loss.better ? `; better: ${loss.better}` : '';
    const text = `${loss.ply}. ${loss.move} (${game.sides[loss.side]}) ${lossText(loss[this.measure], this.measure)}${better}`;
    const click = (): void => this.show(loss.ply);
    return h('li', {}, h('button', { type: 'button', class: 'go-loss', click }, text));
  }
}
