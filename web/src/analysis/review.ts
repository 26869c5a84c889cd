// The review of a game: how it went, where it turned, and the mistakes with what would have been better.
import { fill, h, setShown, setText } from '../dom';
import { selectField } from '../fields';
import { Graph, kindOf } from './graph';
import { type LineActions, lineMoves } from './lines';
import type { Study } from './study';
import type { Crowd, Review, ReviewedMove, ReviewedSide, StudyCommand } from './types';
import { percent, writeScore } from './words';

export interface ReviewActions extends LineActions {
  select: (node: number) => void;
  send: (command: StudyCommand) => boolean;
  /** Writes the review into the study. */
  annotate: () => void;
  /** Begins to practice one's mistakes; null for those of both sides. */
  practice: (side: 0 | 1 | null) => void;
}

const JUDGMENTS = { '?!': 'Inaccuracy', '?': 'Mistake', '??': 'Blunder' } as Record<string, string>;

export class ReviewPanel {
  readonly element = h('div', { class: 'review' });
  private readonly graph: Graph;
  private readonly begin = h('div', { class: 'review-begin' });
  private readonly progress = h('progress', { 'aria-label': 'Review', max: 1, value: 0 });
  private readonly progressText = h('p', { class: 'field-help', role: 'status' });
  private readonly running: HTMLElement;
  private readonly body = h('div', { class: 'review-body' });
  private readonly here = h('div', { class: 'review-here' });
  private drawn: Review | null = null;
  private nodes = '100000';
  private human = '1500';
  private crowd = 'human';
  private crowds: readonly Crowd[] = [];

  constructor(
    private readonly study: Study,
    private readonly actions: ReviewActions,
  ) {
    this.graph = new Graph(actions.select);
    const stop = h(
      'button',
      { type: 'button', class: 'button small', click: () => void actions.send({ type: 'stop_review' }) },
      'Stop',
    );
    this.running = h('div', { class: 'review-running' }, this.progress, this.progressText, stop);
    this.drawBegin(false);
    fill(this.element, this.running, this.body, this.begin);
    this.update();
  }

  /** Lets one choose among networks of people, where there are several. */
  offer(crowds: readonly Crowd[]): void {
    this.crowds = crowds;
    this.drawBegin(this.drawn !== null);
  }

  private drawBegin(again: boolean): void {
    const depths = [
      { value: '20000', label: 'Quick (20,000 nodes a move)' },
      { value: '100000', label: 'Good (100,000 nodes a move)' },
      { value: '1000000', label: 'Thorough (1,000,000 nodes a move)' },
    ];
    const ratings = [
      { value: '0', label: 'without people' },
      ...[800, 1000, 1200, 1500, 1800, 2000, 2200, 2400].map((rating) => ({
        value: String(rating),
        label: `players rated ${rating}`,
      })),
    ];
    fill(
      this.begin,
      !again &&
        h(
          'p',
          { class: 'field-help' },
          'An engine looks at every move of the main line: accuracy, mistakes, and what would have been better.',
        ),
      selectField('How thorough', depths, this.nodes, (value) => (this.nodes = value)),
      selectField('Compared with', ratings, this.human, (value) => (this.human = value)),
      this.crowds.length > 1 &&
        selectField(
          'Who is asked',
          this.crowds.map(({ name, title }) => ({ value: name, label: title })),
          this.crowd,
          (value) => (this.crowd = value),
        ),
      h(
        'button',
        {
          type: 'button',
          class: 'button primary',
          click: () =>
            void this.actions.send({
              type: 'review',
              nodes: Number(this.nodes),
              human: this.human === '0' ? null : Number(this.human),
              crowd: this.crowd,
            }),
        },
        again ? 'Review again' : 'Review this game',
      ),
    );
  }

  update(): void {
    const { review, reviewing } = this.study;
    setShown(this.running, reviewing !== null);
    setShown(this.begin, reviewing === null);
    if (reviewing) {
      this.progress.max = reviewing.total;
      this.progress.value = reviewing.done;
      setText(this.progressText, `${reviewing.done} of ${reviewing.total} positions`);
    }
    if (review !== this.drawn) {
      this.drawn = review;
      this.drawBegin(review !== null);
      if (review) this.draw(review);
      else fill(this.body);
    }
    if (review) this.mark(review);
  }

  private draw(review: Review): void {
    this.graph.draw(review);
    const mistakes = review.moves.filter(({ judgment }) => judgment !== null);
    fill(
      this.body,
      h('p', { class: 'review-verdict' }, verdict(review)),
      this.graph.element,
      this.here,
      h('div', { class: 'review-sides' }, side(review.white, 0), side(review.black, 1)),
      mistakes.length > 0 &&
        h(
          'div',
          { class: 'button-row' },
          h(
            'button',
            { type: 'button', class: 'button', click: () => this.actions.practice(null) },
            'Learn from the mistakes',
          ),
          ...([0, 1] as const)
            .filter((one) => mistakes.some((move) => move.side === one))
            .map((one) =>
              h(
                'button',
                { type: 'button', class: 'button small', click: () => this.actions.practice(one) },
                one === 0 ? "White's only" : "Black's only",
              ),
            ),
        ),
      h(
        'div',
        { class: 'button-row' },
        h(
          'button',
          {
            type: 'button',
            class: 'button small',
            title: 'Evaluations, glyphs, and the better and refuting lines as variations',
            click: () => this.actions.annotate(),
          },
          'Write the review into the study',
        ),
      ),
      h('ol', { class: 'mistakes', 'aria-label': 'Mistakes' }, ...mistakes.map((move) => this.mistake(move, review))),
      h(
        'p',
        { class: 'field-help' },
        `Judged by ${review.judge}. ?! loses 5, ? 10 and ?? 15 points of winning chances.`,
      ),
    );
  }

  private mark(review: Review): void {
    this.graph.mark(this.study.current);
    const move = review.moves.find(({ node }) => node === this.study.current);
    fill(this.here, move ? h('p', {}, describe(move, review.human)) : null);
  }

  private mistake(move: ReviewedMove, review: Review): HTMLElement {
    const ply = this.study.nodes.get(move.node)?.ply ?? move.place + 1;
    const before = this.study.nodes.get(move.node)?.parent ?? 0;
    const from = (node: number): LineActions => ({
      preview: this.actions.preview,
      play: (moves) => {
        this.actions.select(node);
        this.actions.play(moves);
      },
    });
    return h(
      'li',
      { class: kindOf(move.judgment) },
      h(
        'button',
        { type: 'button', class: 'mistake-move', click: () => this.actions.select(move.node) },
        `${move.number} ${move.san}${move.judgment ?? ''}`,
      ),
      h(
        'span',
        { class: 'mistake-words' },
        `${JUDGMENTS[move.judgment ?? ''] ?? ''}, ${lost(move)}` +
          (move.place === review.turning_point ? ' · the turning point' : ''),
      ),
      move.best_line.length > 0 &&
        h('p', { class: 'mistake-line' }, 'Better: ', ...lineMoves(move.best_line, ply - 1, from(before))),
      move.reply_line.length > 0 &&
        h('p', { class: 'mistake-line' }, 'Refuted by: ', ...lineMoves(move.reply_line, ply, from(move.node))),
      move.people && h('p', { class: 'mistake-line' }, peopleWords(move, review.human)),
    );
  }
}

/** Who won, and which move decided it. */
export function verdict(review: Review): string {
  const names = { '1-0': review.white.name, '0-1': review.black.name } as Record<string, string>;
  const winner = names[review.result];
  const result = winner ? `${winner} won.` : review.result === '1/2-1/2' ? 'A draw.' : 'The game has no result.';
  const turning = review.turning_point === null ? undefined : review.moves[review.turning_point];
  const opening = review.opening ? ` ${review.opening}.` : '';
  if (!turning) return `${result}${opening}`;
  return `${result}${opening} The game turned with ${turning.number} ${turning.san}${turning.judgment ?? ''}.`;
}

function describe(move: ReviewedMove, human: number | null): string {
  const judged = move.judgment ? `${JUDGMENTS[move.judgment] ?? ''}. ` : '';
  const best = move.best && move.best !== move.san ? ` Best was ${move.best}.` : move.best ? ' The best move.' : '';
  const people = move.people ? ` ${peopleWords(move, human)}` : '';
  return `${move.number} ${move.san}: ${judged}${writeScore(move.score)}, accuracy ${move.accuracy.toFixed(0)} %.${best}${people}`;
}

/** What a mistake cost; of a mate that was missed or allowed in a decided game, points say nothing. */
function lost(move: ReviewedMove): string {
  return move.loss_percent < 0.5 ? 'about a mate' : `−${move.loss_percent.toFixed(0)} points`;
}

function peopleWords(move: ReviewedMove, human: number | null): string {
  if (!move.people) return '';
  const { played, best, usual } = move.people;
  const found = best === null || move.best === move.san ? '' : `; ${percent(best)} find ${move.best ?? ''}`;
  const most =
    usual[0] && ![move.san, move.best].includes(usual[0].san)
      ? `; most play ${usual[0].san} (${percent(usual[0].share)})`
      : '';
  return `Of players rated ${human ?? ''}, ${percent(played)} play ${move.san}${found}${most}.`;
}

function side(review: ReviewedSide, which: 0 | 1): HTMLElement {
  const counts = [
    [review.inaccuracies, 'inaccuracy', 'inaccuracies'],
    [review.mistakes, 'mistake', 'mistakes'],
    [review.blunders, 'blunder', 'blunders'],
  ] as const;
  return h(
    'section',
    { class: 'review-side' },
    h('h2', {}, h('span', { class: `side-dot side-${which}` }), review.name),
    h(
      'p',
      {},
      h('strong', {}, review.accuracy === null ? '–' : `${review.accuracy.toFixed(1)} %`),
      ' accuracy, ',
      review.average_loss === null ? '–' : `${review.average_loss.toFixed(0)} cp`,
      ' lost a move',
    ),
    h('p', {}, counts.map(([count, one, many]) => `${count} ${count === 1 ? one : many}`).join(', ')),
    h(
      'p',
      { class: 'field-help' },
      review.phases.map(({ phase, accuracy }) => `${phase} ${accuracy.toFixed(0)} %`).join(' · '),
    ),
  );
}
