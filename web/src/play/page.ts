// The page of one game: the board with both players, and beside it everything that can be done.
import { type BoardView, describeBoard } from '../board/board';
import { createBoard } from '../board/create';
import { movesWithoutSquare } from '../board/moves';
import { confirm } from '../dialogs/dialog';
import { fill, h, setShown, setText } from '../dom';
import { GoPanel } from '../go/panel';
import { isGo } from '../go/position';
import { sgfUrl } from '../go/server';
import { addShortcuts, type Shortcut } from '../keys';
import { analyseGame, pgnUrl, playOn, rematch } from '../server/http';
import type { GameView, Move, Side } from '../server/types';
import { changeSettings, receiveSettings, settings, watchSettings } from '../settings';
import { copyText } from '../shell/clipboard';
import { icon, type IconName } from '../shell/icons';
import { notify, notifyError, showConnection } from '../shell/messages';
import type { App, Page } from '../shell/page';
import { playSound } from '../sound';
import { Announcer, describeChange } from './announcer';
import { spokenClock } from './clock';
import { type Actions, canFlip, Controls, Questions } from './controls';
import { EvaluationBar, formatThought } from './evaluation';
import { MoveList } from './movelist';
import { PlayerBar } from './players';
import { Session } from './session';
import { gameShortcuts } from './shortcuts';
import { describeGame, describeStatus } from './status';
import { TypedMove } from './typed';

export function playPage(app: App, id: string): Page {
  const page = new PlayPage(app, id);
  return { element: page.element, title: 'Game', destroy: () => page.destroy() };
}

class PlayPage {
  readonly element = h('div', { class: 'table' });
  private readonly session: Session;
  private readonly announcer = new Announcer();
  private readonly bars: readonly [PlayerBar, PlayerBar];
  private readonly evaluation = new EvaluationBar();
  private readonly moves = new MoveList((ply) => this.session.browse(ply));
  private readonly typed: TypedMove;
  private readonly controls: Controls;
  private readonly questions: Questions;
  private readonly heading = h('h1', { class: 'game-heading' });
  private readonly opening = h('p', { class: 'opening' });
  private readonly status = h('p', { class: 'status' });
  private readonly takeAway = h('div', { class: 'take-away' });
  private readonly thought = h('p', { class: 'thought' });
  private readonly passes = h('div', { class: 'button-row passes' });
  private readonly words = h('p', { id: 'board-words', class: 'sr-only' });
  private readonly boardPlace = h('div', { class: 'board-place' });
  private readonly cleanups: (() => void)[] = [];
  private readonly goPlace = h('div', { class: 'go-place' });
  private board: BoardView | null = null;
  private go: GoPanel | null = null;
  private flipped = false;

  constructor(
    private readonly app: App,
    private readonly id: string,
  ) {
    const flag = (): void => this.session.send({ type: 'flag' });
    this.bars = [new PlayerBar(flag), new PlayerBar(flag)];
    const actions = this.actions();
    this.controls = new Controls(actions);
    this.questions = new Questions(actions);
    this.session = new Session(id, {
      changed: (before) => this.update(before),
      connection: showConnection,
      refused: (message, source) => this.refused(message, source === 'typed'),
      notice: (message, isError) => notify(message, isError ? 'error' : 'info'),
      settings: receiveSettings,
      gone: () => this.showGone(),
    });
    this.typed = new TypedMove((text) => this.session.move(text, 'typed'));
    this.layOut();
    this.cleanups.push(
      addShortcuts(this.shortcuts(actions)),
      watchSettings(({ eval_bar }) => {
        this.session.wantEvaluations(eval_bar);
        if (this.session.game) this.update(this.session.game);
      }),
    );
  }

  destroy(): void {
    for (const cleanup of this.cleanups) cleanup();
    for (const bar of this.bars) bar.destroy();
    this.session.close();
    this.go?.destroy();
    this.board?.destroy();
  }

  private layOut(): void {
    const [first, second] = this.bars;
    fill(
      this.element,
      h(
        'section',
        { class: 'table-board', 'aria-label': 'Board' },
        second.element,
        this.evaluation.element,
        this.boardPlace,
        first.element,
        this.words,
      ),
      h(
        'aside',
        { class: 'panel', 'aria-label': 'Game' },
        h('header', { class: 'panel-header' }, this.heading, this.opening, this.takeAway),
        this.moves.element,
        this.thought,
        this.questions.element,
        this.goPlace,
        this.status,
        this.passes,
        this.typed.element,
        this.controls.element,
      ),
      ...this.announcer.elements,
    );
    // Nothing of this makes sense before the game has arrived.
    setShown(this.element, false);
  }

  private actions(): Actions {
    const newest = (game: GameView): void => this.app.go(`/game/${game.id}`);
    return {
      takeBack: () => void this.takeBack(),
      hint: () => (this.go ? this.go.hint() : this.session.askHint()),
      offerDraw: () => this.session.send({ type: 'offer_draw' }),
      answerDraw: (accept) => this.session.send({ type: accept ? 'accept_draw' : 'decline_draw' }),
      resign: () => void this.resign(),
      flip: () => this.flip(),
      newGame: () => this.app.go('/new'),
      rematch: () => void rematch(this.id).then(newest, notifyError),
      analyse: () => void analyseGame(this.id).then((path) => this.app.go(path), notifyError),
      retry: () => this.session.send({ type: 'retry' }),
    };
  }

  private shortcuts(actions: Actions): Shortcut[] {
    return gameShortcuts({
      ...actions,
      game: () => this.session.game,
      typeMove: () => this.typed.focus(),
      goToBoard: () => this.board?.focus(),
      step: (by) => this.moves.step(by),
      toggleEvaluation,
      sayPosition: () => this.announcer.tellNow(this.words.textContent ?? ''),
      sayStatus: () => this.sayStatus(),
      sayClocks: () => this.sayClocks(),
    });
  }

  /** Shows everything as the session has it. */
  private update(before: GameView | null): void {
    const { game, shownPosition } = this.session;
    if (!game || !shownPosition) return;
    setShown(this.element, true);
    const bottom = this.bottomSide(game);
    this.updateBoard(game, bottom);
    const moves = game.moves.slice(0, this.session.shownPly);
    // The first bar stands below the board, the second above it.
    this.bars[0].update(game, this.session.receivedAt, bottom, moves, shownPosition);
    this.bars[1].update(game, this.session.receivedAt, bottom === 0 ? 1 : 0, moves, shownPosition);
    this.evaluation.update(this.session.evaluation, bottom, settings().eval_bar);
    this.moves.update(game, this.session.shownPly);
    this.controls.update(game);
    this.questions.update(game);
    this.updateTexts(game);
    this.go?.update(game, this.session.shownPly, shownPosition);
    if (before !== game) this.gameChanged(before, game);
  }

  private updateBoard(game: GameView, bottom: Side): void {
    const { session } = this;
    const position = session.shownPosition;
    if (!position) return;
    if (!this.board) this.createBoard(game);
    // While a move is on its way the board shows it; what the server answers is drawn next.
    if (session.isMoving) return;
    const canMove = !session.isBrowsing && game.status !== 'over';
    this.board?.update({
      position,
      last: session.lastMove,
      legal: canMove ? game.legal : [],
      won: session.isBrowsing ? [] : (game.result?.squares ?? []),
      bottom,
      movable: canMove ? (game.you ?? position.to_move) : null,
    });
    this.board?.suggest(session.isBrowsing ? null : session.hint);
    fill(this.passes, ...(canMove && game.board.kind === 'grid' ? this.passButtons(game) : []));
  }

  private createBoard(game: GameView): void {
    this.board = createBoard(game.game, game.board, {
      move: (move) => this.play(move),
      say: (text) => this.announcer.tellNow(text),
      pressed: (square) => this.go?.pressed(square),
    });
    if (isGo(game.game)) this.createGo();
    fill(this.boardPlace, this.board.element);
    this.element.classList.toggle('no-flip', !canFlip(game));
    fill(this.takeAway, ...this.takeAwayButtons(game.game));
    this.typed.setExample(game.game === 'chess' ? 'e4, Nf3, O-O, e2e4' : (game.legal[0]?.text ?? ''));
  }

  private createGo(): void {
    this.go = new GoPanel({
      id: this.id,
      board: () => this.board,
      play: (move) => this.play(move),
      browse: (ply) => this.session.browse(ply),
      say: (text) => this.announcer.tellNow(text),
    });
    fill(this.goPlace, this.go.element);
  }

  /** What leaves this page: the position and the game as text, and in chess the position into the editor. */
  private takeAwayButtons(game: string): HTMLElement[] {
    const isChess = game === 'chess';
    const [save, address] = isGo(game) ? ['Save as SGF', sgfUrl(this.id)] : ['Save as PGN', pgnUrl(this.id)];
    const text = (): string => this.session.shownPosition?.text ?? '';
    const name = isChess ? 'FEN' : 'Position';
    const edit = (): void => this.app.go('/editor', { fen: text() });
    const lookInside = (): void => {
      const query = new URLSearchParams({ game: this.session.game?.game ?? '', text: text() });
      this.app.go(`/inside?${query.toString()}`);
    };
    return [
      ...(isChess ? [iconButton('editor', 'Set up this position in the editor', edit)] : []),
      iconButton('inside', 'Look inside this position', lookInside),
      iconButton('copy', `Copy the position (${name})`, () => void copyText(text(), name)),
      h('a', { class: 'icon-button', href: address, download: '', title: save, 'aria-label': save }, icon('download')),
    ];
  }

  private passButtons(game: GameView): HTMLElement[] {
    return movesWithoutSquare(game.legal).map((move) =>
      h('button', { type: 'button', class: 'button', click: () => this.play(move) }, capitalized(move.san)),
    );
  }

  private updateTexts(game: GameView): void {
    const { session } = this;
    setText(this.heading, describeGame(game));
    const opening = [...game.moves.slice(0, session.shownPly)].reverse().find((move) => move.opening)?.opening;
    setText(this.opening, opening ? `${opening.eco} ${opening.name}` : '');
    setText(this.status, describeStatus(game));
    setShown(this.status, game.result === null);
    setShown(this.typed.element, game.result === null);
    const thought = session.thinking ?? [...game.moves].reverse().find((move) => move.thought)?.thought;
    setText(this.thought, thought ? formatThought(thought) : '');
    const { board } = game;
    if (board.kind === 'grid' && session.shownPosition?.cells) {
      setText(this.words, describeBoard(board, session.shownPosition.cells, game.sides));
    }
  }

  /** The game itself changed: say so, sound so, and put it into the tab's title. */
  private gameChanged(before: GameView | null, game: GameView): void {
    this.announcer.tell(describeChange(before, game));
    const yours = game.status === 'your_turn' && game.you !== null;
    document.title = `${yours ? 'Your move · ' : ''}${game.title} · philidor`;
    if (!before || before.revision === game.revision) return;
    if (game.moves.length > before.moves.length) {
      this.typed.clear();
      const last = game.moves.at(-1);
      playSound(game.position.check ? 'check' : last?.captured ? 'capture' : 'move');
    }
    if (game.result && !before.result) playSound('end');
  }

  private play(move: Move): void {
    this.typed.refuse('');
    this.session.move(move.text, 'board');
  }

  private refused(message: string, wasTyped: boolean): void {
    if (wasTyped) this.typed.refuse(message);
    else notify(message, 'error');
  }

  private bottomSide(game: GameView): Side {
    const side = game.you ?? 0;
    return this.flipped === (side === 0) ? 1 : 0;
  }

  private flip(): void {
    if (!this.session.game || !canFlip(this.session.game)) return;
    this.flipped = !this.flipped;
    this.update(this.session.game);
  }

  private async takeBack(): Promise<void> {
    if (!this.session.game?.result) {
      this.session.takeBack();
      return;
    }
    const question =
      'This game is over and stays in My games with its result. A copy of it goes on from before your last move.';
    if (!(await confirm('Play on?', question, 'Play on', 'primary'))) return;
    await playOn(this.id).then((game) => this.app.go(`/game/${game.id}`), notifyError);
  }

  private async resign(): Promise<void> {
    if (await confirm('Resign', 'Give up this game?', 'Resign')) this.session.send({ type: 'resign' });
  }

  private sayStatus(): void {
    const { game } = this.session;
    if (!game) return;
    const last = game.moves.at(-1);
    const move = last ? `${game.sides[last.side]}: ${last.san}. ` : 'No moves yet. ';
    this.announcer.tellNow(move + (game.result?.text ?? describeStatus(game)));
  }

  private sayClocks(): void {
    const { game } = this.session;
    if (!game?.clock) this.announcer.tellNow('This game has no clock.');
    else {
      const [below, above] = this.bars.map((bar) => spokenClock(bar.clock.left()));
      this.announcer.tellNow(`Below: ${below ?? ''}. Above: ${above ?? ''}.`);
    }
  }

  private showGone(): void {
    setShown(this.element, true);
    fill(
      this.element,
      h(
        'div',
        { class: 'page narrow' },
        h('h1', {}, 'This game is not here'),
        h('p', {}, 'It was deleted, or the address is wrong. ', h('a', { href: '/games' }, 'My games')),
      ),
    );
  }
}

function iconButton(name: IconName, label: string, click: () => void): HTMLButtonElement {
  return h('button', { type: 'button', class: 'icon-button', title: label, 'aria-label': label, click }, icon(name));
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function toggleEvaluation(): void {
  void changeSettings({ eval_bar: !settings().eval_bar }).catch(notifyError);
}
