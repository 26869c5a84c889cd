// One game as this tab sees it: the server's last word, the move on its way there, and the position being looked at.
import { type Connection, LiveGame, type LiveListener } from '../server/live';
import type {
  Command,
  Evaluation,
  GameNews,
  GameView,
  LiveMessage,
  Move,
  PlayedMove,
  Position,
  SettingValue,
  Thought,
} from '../server/types';

/** Where a move came from: what the server says about it belongs there. */
type Source = 'board' | 'typed';

export interface SessionListener {
  /** The game or what is shown of it changed; `before` is the game as it was. */
  changed: (before: GameView | null) => void;
  connection: (connection: Connection) => void;
  /** A move was refused. */
  refused: (message: string, source: Source) => void;
  notice: (message: string, isError: boolean) => void;
  settings: (settings: Record<string, SettingValue>) => void;
  /** The game does not exist (any more). */
  gone: () => void;
}

/** What a session needs of the live game; a test brings its own. */
export interface Live {
  send: (command: Command) => boolean;
  close: () => void;
}

const REFUSALS = ['illegal_move', 'stale_position', 'not_your_turn', 'game_over', 'bad_message'];

/** The game of a message, with the moves that were sent before. */
function whole({ kept, game }: GameNews, before: GameView | null): GameView {
  return kept === 0 ? game : { ...game, moves: [...(before?.moves ?? []).slice(0, kept), ...game.moves] };
}

export class Session {
  game: GameView | null = null;
  /** When the game came, on this page's clock (performance.now). */
  receivedAt = 0;
  thinking: (Thought & { nps: number | null }) | null = null;
  hint: Move | null = null;
  private readonly live: Live;
  private pending: { revision: number; move: string; source: Source } | null = null;
  private browsed: number | null = null;
  private readonly evaluations = new Map<number, Evaluation>();
  private wantsEvaluations = false;
  private isFresh = false;

  constructor(
    id: string,
    private readonly listener: SessionListener,
    connect: (id: string, listener: LiveListener) => Live = (id, listener) => new LiveGame(id, listener),
  ) {
    this.live = connect(id, {
      message: (message) => this.receive(message),
      connection: (connection) => this.connectionChanged(connection),
    });
  }

  close(): void {
    this.live.close();
  }

  /** How many moves lie before the position that is shown. */
  get shownPly(): number {
    return this.browsed ?? this.game?.moves.length ?? 0;
  }

  get isBrowsing(): boolean {
    return this.browsed !== null;
  }

  /** Whether a move is on its way; the board shows it already. */
  get isMoving(): boolean {
    return this.pending !== null;
  }

  get shownPosition(): Position | null {
    if (!this.game) return null;
    if (this.browsed === null) return this.game.position;
    return this.browsed === 0 ? this.game.start : (this.game.moves[this.browsed - 1]?.position ?? null);
  }

  get lastMove(): PlayedMove | null {
    return this.game?.moves[this.shownPly - 1] ?? null;
  }

  get evaluation(): Evaluation | null {
    return this.evaluations.get(this.shownPly) ?? null;
  }

  /** Shows the position after `ply` moves. */
  browse(ply: number): void {
    if (!this.game || this.pending) return;
    this.browsed = ply >= this.game.moves.length ? null : ply;
    this.askAboutShown();
    this.listener.changed(this.game);
  }

  move(text: string, source: Source): void {
    if (!this.game) return;
    this.pending = { revision: this.game.revision, move: text, source };
    // Without a connection the move waits: it is sent again when the server comes back with the same position.
    this.sendPending();
  }

  takeBack(): void {
    if (this.game) this.send({ type: 'takeback', revision: this.game.revision });
  }

  askHint(): void {
    if (this.game) this.send({ type: 'hint', revision: this.game.revision });
  }

  send(command: Command): void {
    if (!this.live.send(command))
      this.listener.notice('There is no connection right now; please try again soon.', true);
  }

  wantEvaluations(on: boolean): void {
    this.wantsEvaluations = on;
    this.live.send({ type: 'evaluate', on });
    this.askAboutShown();
  }

  /** An older position may never have been judged: the bar was off then, or another tab had the game. */
  private askAboutShown(): void {
    if (!this.wantsEvaluations || this.browsed === null || this.evaluations.has(this.browsed)) return;
    this.live.send({ type: 'evaluate', on: true, ply: this.browsed });
  }

  private sendPending(): void {
    if (this.pending) this.live.send({ type: 'move', revision: this.pending.revision, move: this.pending.move });
  }

  private connectionChanged(connection: Connection): void {
    if (connection === 'gone') this.listener.gone();
    if (connection === 'open') {
      this.isFresh = true;
      this.live.send({ type: 'evaluate', on: this.wantsEvaluations });
    }
    this.listener.connection(connection);
  }

  private receive(message: LiveMessage): void {
    switch (message.type) {
      case 'game':
        this.receiveGame(whole(message, this.game));
        break;
      case 'thinking':
        this.thinking = message;
        this.listener.changed(this.game);
        break;
      case 'evaluation':
        this.evaluations.set(message.ply, message);
        this.listener.changed(this.game);
        break;
      case 'hint':
        this.hint = message.revision === this.game?.revision ? message.move : null;
        this.listener.changed(this.game);
        break;
      case 'notice':
        // A draw offer that stands is asked about beside the board.
        if (message.code !== 'draw_offered') this.listener.notice(message.message, false);
        break;
      case 'error':
        this.receiveError(message.code, message.message);
        break;
      case 'settings':
        this.listener.settings(message.settings);
        break;
      case 'deleted':
        this.listener.gone();
        break;
    }
  }

  private receiveGame(game: GameView): void {
    const before = this.game;
    if (before && game.revision < before.revision) return;
    this.game = game;
    this.receivedAt = performance.now();
    if (before?.revision !== game.revision) {
      this.hint = null;
      this.browsed = null;
      this.thinking = null;
      for (const ply of this.evaluations.keys()) if (ply > game.moves.length) this.evaluations.delete(ply);
    }
    const wasFresh = this.isFresh;
    this.isFresh = false;
    if (this.pending && this.pending.revision === game.revision) {
      // The connection broke before the move arrived, or this is news of something else than the position.
      if (wasFresh) this.sendPending();
    } else this.pending = null;
    this.listener.changed(before);
  }

  private receiveError(code: string, message: string): void {
    const { pending } = this;
    if (!pending || !REFUSALS.includes(code)) {
      this.listener.notice(message, true);
      return;
    }
    this.pending = null;
    this.listener.refused(message, pending.source);
    this.listener.changed(this.game);
  }
}
