// The chess board: chessground, with a promotion chooser and a keyboard cursor.
import { Chessground } from '@lichess-org/chessground';
import type { Api } from '@lichess-org/chessground/api';
import type { Config } from '@lichess-org/chessground/config';
import type { Color, Key, MoveMetadata } from '@lichess-org/chessground/types';
import { h } from '../dom';
import { writeBoard } from '../chess/fen';
import type { GridShape, Move, Square } from '../server/types';
import { type Settings, watchSettings } from '../settings';
import { type BoardHandlers, type BoardModel, type BoardView, describeSquare, squaresOf } from './board';
import { openChooser } from './chooser';
import { Cursor } from './cursor';
import { wantsMotion } from './motion';
import { destinations, movesBetween } from './moves';

const COLORS: readonly [Color, Color] = ['white', 'black'];

export interface Arrow {
  from: Square;
  to: Square;
  /** One of chessground's colors. */
  brush: string;
  /** From 1 to 15. */
  width: number;
}

export class ChessBoard implements BoardView {
  readonly element = h('div', {
    class: 'board chess-board cg-wrap',
    tabindex: 0,
    role: 'application',
    'aria-roledescription': 'chess board',
    'aria-label': 'Board: arrow keys walk over the squares, Enter moves',
    'aria-describedby': 'board-words',
  });
  private readonly api: Api;
  private readonly cursor: Cursor;
  private readonly unwatch: () => void;
  private model: BoardModel | null = null;
  /** A move made before the legal ones were known, and where. */
  private early: { from: Square; to: Square; position: string } | null = null;

  constructor(
    private readonly shape: GridShape,
    private readonly handlers: BoardHandlers,
  ) {
    this.cursor = new Cursor(shape);
    this.api = Chessground(this.element, {
      movable: { free: false, events: { after: (from, to, meta) => this.moved(from, to, meta) } },
      premovable: { enabled: true },
      draggable: { showGhost: true },
      drawable: { enabled: true },
    });
    this.unwatch = watchSettings((settings) => this.applySettings(settings));
    this.element.addEventListener('keydown', (event) => this.keyPressed(event));
    this.element.addEventListener('focus', () => this.showCursor());
    this.element.addEventListener('blur', () => this.api.set({ highlight: { custom: new Map() } }));
  }

  update(model: BoardModel): void {
    const before = this.model;
    this.model = model;
    // A premove answers the opponent's next move and nothing else: not a take back, not a look at older moves.
    const hasChanged = before?.position.text !== model.position.text;
    if (before && hasChanged) {
      if (model.position.ply !== before.position.ply + 1) this.api.cancelPremove();
      this.api.selectSquare(null);
    }
    if (this.early?.position !== model.position.text) this.early = null;
    else if (model.awaited) return;
    this.draw(model);
    // Made before it was on the page, the board had no size; without this, a very early click would find no square.
    if (!before) this.api.redrawAll();
    if (model.legal.length > 0 && model.movable === model.position.to_move) this.api.playPremove();
    this.playEarly();
  }

  suggest(move: Move | null): void {
    const [from, to] = squaresOf(move) as Key[];
    this.api.setAutoShapes(from && to ? [{ orig: from, dest: to, brush: 'blue' }] : []);
  }

  /** Draws the arrows of engines; those that the user drew stay. */
  setArrows(arrows: readonly Arrow[]): void {
    this.api.setAutoShapes(
      arrows.map(({ from, to, brush, width }) => ({
        orig: from as Key,
        dest: to as Key,
        brush,
        modifiers: { lineWidth: width },
      })),
    );
  }

  focus(): void {
    this.element.focus();
  }

  destroy(): void {
    this.unwatch();
    this.api.destroy();
  }

  private draw(model: BoardModel): void {
    const { position, bottom, movable } = model;
    const last = squaresOf(model.last) as Key[];
    const config: Config = {
      orientation: COLORS[bottom],
      turnColor: COLORS[position.to_move],
      lastMove: last,
      movable: {
        free: model.awaited ?? false,
        color: movable === null ? undefined : COLORS[movable],
        dests: destinations(model.legal) as Map<Key, Key[]>,
      } as NonNullable<Config['movable']>,
    };
    const fen = writeBoard(position.cells ?? '');
    // Setting the same pieces again would wipe the arrows that the user drew.
    if (fen !== this.api.getFen()) config.fen = fen;
    this.api.set(config);
    this.api.set({ check: position.check !== null });
  }

  private playEarly(): void {
    const early = this.early;
    if (!early) return;
    this.early = null;
    this.api.move(early.from as Key, early.to as Key);
    this.moved(early.from, early.to, { premove: false });
  }

  private moved(from: Square, to: Square, meta: MoveMetadata): void {
    const model = this.model;
    if (!model) return;
    if (model.awaited) {
      this.early = { from, to, position: model.position.text };
      return;
    }
    const moves = movesBetween(model.legal, from, to);
    const [first] = moves;
    if (!first) this.draw(model);
    else if (moves.length === 1) this.handlers.move(first);
    else if (meta.premove) this.handlers.move(moves.find((move) => move.promotion === 'q') ?? first);
    else this.choosePromotion(model, moves, to);
  }

  private choosePromotion(model: BoardModel, moves: readonly Move[], to: Square): void {
    const column = this.shape.files.indexOf(to.charAt(0));
    const left = (model.bottom === 0 ? column : 7 - column) * 12.5;
    const white = model.position.to_move === 0;
    openChooser(this.element, moves, { left, fromTop: model.bottom === model.position.to_move }, white, (move) => {
      if (move) this.handlers.move(move);
      else this.draw(model);
    });
  }

  private applySettings(settings: Settings): void {
    this.api.set({
      coordinates: settings.coordinates,
      animation: { enabled: wantsMotion(), duration: 180 },
      movable: { showDests: settings.legal_dots },
      premovable: { showDests: settings.legal_dots },
    });
    // Coordinates are part of the board's frame, which is only drawn anew on request.
    if (this.model) this.api.redrawAll();
  }

  private showCursor(): void {
    if (this.element.matches(':focus-visible')) {
      this.api.set({ highlight: { custom: new Map([[this.cursor.square as Key, 'cursor']]) } });
    }
  }

  private keyPressed(event: KeyboardEvent): void {
    if (!this.model || event.ctrlKey || event.metaKey || event.altKey) return;
    if (this.cursor.walk(event.key, this.model.bottom)) this.tellSquare();
    else if (event.key === 'Enter' || event.key === ' ') this.pressSquare();
    else if (event.key === 'Escape') {
      this.api.cancelPremove();
      this.api.selectSquare(null);
    } else return;
    event.preventDefault();
    event.stopPropagation();
    this.showCursor();
  }

  private pressSquare(): void {
    const before = this.api.state.selected;
    this.api.selectSquare(this.cursor.square as Key, true);
    const selected = this.api.state.selected;
    if (!selected) {
      if (this.api.state.premovable.current) this.handlers.say(`premove ${before ?? ''} ${this.cursor.square}`);
      return;
    }
    const goals = this.api.state.movable.dests?.get(selected) ?? [];
    this.tellSquare(goals.length > 0 ? `, selected, can go to ${goals.join(', ')}` : ', selected');
  }

  private tellSquare(more = ''): void {
    const cells = this.model?.position.cells ?? '';
    this.handlers.say(describeSquare(this.shape, cells, this.cursor.square) + more);
  }
}
