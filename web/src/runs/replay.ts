// The newest games of a run on a board: step by step, or by themselves.
import type { BoardView } from '../board/board';
import { createBoard } from '../board/create';
import { fill, h, setText } from '../dom';
import { selectField } from '../fields';
import type { ReplayList, ReplayView } from '../server/types';
import { icon, type IconName } from '../shell/icons';

const STEP_MS = 700;

export class Replay {
  readonly element = h('section', { class: 'run-replay', 'aria-label': 'Newest games' });
  private readonly place = h('div', { class: 'board-place', inert: true, 'aria-hidden': 'true' });
  private readonly words = h('p', { class: 'replay-words', role: 'status' });
  private readonly play = h('button', { type: 'button', class: 'button', click: () => this.toggle() });
  private board: BoardView | null = null;
  private list: ReplayList | null = null;
  private game: ReplayView | null = null;
  private ply = 0;
  private timer = 0;

  /** Shows the newest games; they come anew when the run has played more. */
  show(list: ReplayList): void {
    this.list = list;
    this.stop();
    const options = list.games.map(({ moves, result }, place) => ({
      value: String(place),
      label: `${place === 0 ? 'Newest' : `${place + 1}.`}: ${moves.length} moves, ${result?.text ?? 'unfinished'}`,
    }));
    const steps: [IconName, string, () => void][] = [
      ['first', 'First position', () => this.go(0)],
      ['previous', 'One move back', () => this.go(this.ply - 1)],
      ['next', 'One move on', () => this.go(this.ply + 1)],
      ['last', 'Last position', () => this.go(Infinity)],
    ];
    const buttons = steps.map(([name, label, click]) =>
      h('button', { type: 'button', class: 'icon-button', title: label, 'aria-label': label, click }, icon(name)),
    );
    fill(
      this.element,
      h('h2', {}, 'Newest games'),
      ...(list.games.length === 0
        ? [h('p', { class: 'field-help' }, 'This run has kept no games yet.')]
        : [
            selectField('Game', options, '0', (place) => this.choose(Number(place))),
            this.place,
            h('div', { class: 'button-row' }, this.play, ...buttons),
            this.words,
          ]),
    );
    this.choose(0);
  }

  /** Says why there are none. */
  fail(message: string): void {
    this.stop();
    fill(this.element, h('h2', {}, 'Newest games'), h('p', { class: 'field-help problem' }, message));
  }

  destroy(): void {
    this.stop();
    this.board?.destroy();
  }

  private choose(place: number): void {
    const { list } = this;
    this.game = list?.games[place] ?? null;
    this.stop();
    if (!list || !this.game) return;
    this.board?.destroy();
    this.board = createBoard(list.game, this.game.board, { move: () => {}, say: () => {} });
    fill(this.place, this.board.element);
    this.go(Infinity);
  }

  private go(ply: number): void {
    const { game } = this;
    if (!game) return;
    this.ply = Math.min(Math.max(ply, 0), game.moves.length);
    const last = game.moves[this.ply - 1] ?? null;
    const position = last?.position ?? game.start;
    this.board?.update({ position, last, legal: [], bottom: 0, movable: null });
    const what = last ? `${this.ply} of ${game.moves.length}: ${game.sides[last.side]} ${last.san}` : 'Start';
    const isEnd = this.ply === game.moves.length;
    setText(this.words, isEnd && game.result ? `${what}. ${game.result.text}` : what);
    fill(this.play, this.timer ? 'Pause' : 'Play');
  }

  private toggle(): void {
    if (this.timer) {
      this.stop();
      return;
    }
    const length = this.game?.moves.length ?? 0;
    this.timer = window.setInterval(() => {
      this.go(this.ply + 1);
      if (this.ply >= length) this.stop();
    }, STEP_MS);
    this.go(this.ply >= length ? 0 : this.ply);
  }

  private stop(): void {
    clearInterval(this.timer);
    this.timer = 0;
    fill(this.play, 'Play');
  }
}
