// "Try again": the mistakes of a reviewed game as exercises. The answer is never shown before it is asked for.
import { fill, h } from '../dom';
import { type LineActions, lineMoves } from './lines';
import type { Study } from './study';
import type { Review, ReviewedMove, Tried } from './types';

export interface ExerciseActions extends LineActions {
  /** Shows the position before a mistake, with its mover at the bottom. */
  show: (node: number, side: 0 | 1) => void;
  select: (node: number) => void;
  end: () => void;
}

export class Exercise {
  readonly element = h('section', { class: 'exercise', 'aria-label': 'Exercise' });
  private readonly tasks: ReviewedMove[];
  private at = 0;
  private solved = 0;
  /** What the task is at: a move is expected, on its way, or the task is done. */
  private state: 'asking' | 'waiting' | 'done' = 'asking';

  constructor(
    private readonly study: Study,
    review: Review,
    side: 0 | 1 | null,
    private readonly actions: ExerciseActions,
  ) {
    this.tasks = review.moves.filter((move) => move.judgment !== null && (side === null || move.side === side));
    this.ask();
  }

  private get task(): ReviewedMove | undefined {
    return this.tasks[this.at];
  }

  private before(task: ReviewedMove): number {
    return this.study.nodes.get(task.node)?.parent ?? 0;
  }

  /** Takes a move that was made on the board; says whether it was meant for the exercise. */
  play(text: string): boolean {
    const { task } = this;
    // Whoever has gone elsewhere on the board plays there.
    if (!task || this.state !== 'asking' || this.study.current !== this.before(task)) return false;
    this.state = 'waiting';
    if (!this.study.send({ type: 'try', place: task.place, move: text })) this.state = 'asking';
    this.draw('Looking at it…');
    return true;
  }

  /** Shows what became of a move. */
  judge(tried: Tried): void {
    const { task } = this;
    if (!task || this.state !== 'waiting' || tried.place !== task.place) return;
    this.state = tried.is_good ? 'done' : 'asking';
    if (tried.is_good) this.solved += 1;
    const ply = this.study.nodes.get(task.node)?.ply ?? 0;
    const words = tried.is_best
      ? `${tried.san} is the best move.`
      : tried.is_good
        ? `${tried.san} is good: it loses ${tried.cost.toFixed(0)} points at most.`
        : tried.was_played
          ? `${tried.san} is what was played. It is refuted by:`
          : `${tried.san} loses ${tried.cost.toFixed(0)} points. It is refuted by:`;
    const refutation = tried.is_good ? [] : lineMoves(tried.line, ply, { ...this.actions, play: () => {} });
    this.draw(words, tried.is_good ? 'good' : 'bad', refutation);
    if (!tried.is_good) this.actions.show(this.before(task), task.side);
  }

  /** The move could not be looked at. */
  refuse(message: string): void {
    if (this.state !== 'waiting') return;
    this.state = 'asking';
    this.draw(message, 'bad');
  }

  private ask(): void {
    const { task } = this;
    this.state = 'asking';
    if (!task) {
      fill(
        this.element,
        h('h2', {}, 'Done'),
        h('p', { role: 'status' }, `You found a good move in ${this.solved} of ${this.tasks.length} positions.`),
        h('button', { type: 'button', class: 'button primary', click: this.actions.end }, 'Back to the review'),
      );
      return;
    }
    this.actions.show(this.before(task), task.side);
    this.draw(`${task.number} ${task.san}${task.judgment ?? ''} was played. Find a better move on the board.`);
  }

  private reveal(task: ReviewedMove): void {
    this.state = 'done';
    const ply = this.study.nodes.get(task.node)?.ply ?? 1;
    this.draw('The better line:', 'plain', lineMoves(task.best_line, ply - 1, this.actions));
  }

  private draw(words: string, kind = 'plain', line: HTMLElement[] = []): void {
    const { task } = this;
    const next = (): void => {
      this.at += 1;
      this.ask();
    };
    const isLast = this.at + 1 >= this.tasks.length;
    fill(
      this.element,
      h('h2', {}, `Mistake ${this.at + 1} of ${this.tasks.length}`),
      h('p', { class: `exercise-words ${kind}`, role: 'status' }, words),
      line.length > 0 && h('p', { class: 'mistake-line' }, ...line),
      h(
        'div',
        { class: 'button-row' },
        this.state !== 'done' &&
          task &&
          h('button', { type: 'button', class: 'button', click: () => this.reveal(task) }, 'Show the answer'),
        h(
          'button',
          { type: 'button', class: this.state === 'done' ? 'button primary' : 'button', click: next },
          isLast ? 'Finish' : this.state === 'done' ? 'Next' : 'Skip',
        ),
        h('button', { type: 'button', class: 'button', click: this.actions.end }, 'End'),
      ),
    );
  }
}
