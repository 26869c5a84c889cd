// A chess board on which pieces can be put anywhere.
import { Chessground } from '@lichess-org/chessground';
import type { Api } from '@lichess-org/chessground/api';
import type { Key, MouchEvent, Piece } from '@lichess-org/chessground/types';
import { writeBoard } from '../chess/fen';
import { colorOf, roleOf } from '../chess/pieces';
import { h } from '../dom';
import type { GridShape, Side } from '../server/types';
import { settings } from '../settings';
import { describeSquare, squareIndex, squareName } from './board';
import { Cursor } from './cursor';

/** What a press on a square does: move pieces, take them off, or put this one there (a FEN letter). */
export type Tool = 'move' | 'remove' | string;

const LETTERS: Record<string, string> = { pawn: 'p', knight: 'n', bishop: 'b', rook: 'r', queen: 'q', king: 'k' };

export interface EditableHandlers {
  changed: (cells: string) => void;
  say: (text: string) => void;
}

export class EditableBoard {
  readonly element = h('div', {
    class: 'board chess-board cg-wrap',
    tabindex: 0,
    role: 'application',
    'aria-roledescription': 'chess board',
    'aria-label': 'Board: arrow keys walk, a letter puts a piece (capital for White), Delete removes it',
  });
  tool: Tool = 'move';
  private readonly api: Api;
  private readonly cursor: Cursor;
  private bottom: Side = 0;

  constructor(
    private readonly shape: GridShape,
    private readonly handlers: EditableHandlers,
  ) {
    this.cursor = new Cursor(shape);
    this.api = Chessground(this.element, {
      coordinates: settings().coordinates,
      animation: { enabled: false },
      movable: { free: true, color: 'both', showDests: false },
      premovable: { enabled: false },
      draggable: { deleteOnDropOff: true, showGhost: true },
      drawable: { enabled: false },
      highlight: { lastMove: false },
      events: { change: () => this.changed() },
    });
    // Before chessground sees it: with a piece in hand a press puts it down, and painting goes on while pressed.
    for (const name of ['mousedown', 'touchstart']) {
      this.element.addEventListener(name, (event) => this.pressed(event as MouchEvent), { capture: true });
    }
    this.element.addEventListener('keydown', (event) => this.keyPressed(event));
    this.element.addEventListener('focus', () => this.showCursor());
    this.element.addEventListener('blur', () => this.api.set({ highlight: { custom: new Map() } }));
  }

  get cells(): string {
    const cells = Array.from({ length: 64 }, () => '.');
    for (const [key, piece] of this.api.state.pieces) {
      const letter = LETTERS[piece.role] ?? 'p';
      cells[squareIndex(this.shape, key)] = piece.color === 'white' ? letter.toUpperCase() : letter;
    }
    return cells.join('');
  }

  set cells(cells: string) {
    this.api.set({ fen: writeBoard(cells) });
  }

  flip(): void {
    this.bottom = this.bottom === 0 ? 1 : 0;
    this.api.toggleOrientation();
  }

  /** Begins to drag a new piece from beside the board. */
  dragNew(letter: string, event: MouchEvent): void {
    this.api.dragNewPiece(pieceOf(letter), event, true);
  }

  destroy(): void {
    this.api.destroy();
  }

  private changed(): void {
    // Chessground plays in turns; an editor does not.
    this.api.state.turnColor = 'white';
    delete this.api.state.lastMove;
    this.handlers.changed(this.cells);
  }

  private pressed(event: MouchEvent): void {
    if (this.tool === 'move' || ('button' in event && event.button !== 0)) return;
    const touch = event.touches?.[0];
    const point = touch ?? event;
    const key = this.api.getKeyAtDomPos([point.clientX ?? 0, point.clientY ?? 0]);
    event.preventDefault();
    event.stopPropagation();
    if (key) this.put(key, this.tool === 'remove' || this.has(key, this.tool) ? null : this.tool);
  }

  private has(key: Key, letter: string): boolean {
    return this.cells[squareIndex(this.shape, key)] === letter;
  }

  private put(key: Key, letter: string | null): void {
    this.api.setPieces(new Map([[key, letter === null ? undefined : pieceOf(letter)]]));
    this.changed();
  }

  private showCursor(): void {
    if (this.element.matches(':focus-visible')) {
      this.api.set({ highlight: { custom: new Map([[this.cursor.square as Key, 'cursor']]) } });
    }
  }

  private keyPressed(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const key = this.cursor.square as Key;
    if (/^[pnbrqk]$/i.test(event.key)) this.put(key, event.key);
    else if (['Delete', 'Backspace', '.'].includes(event.key)) this.put(key, null);
    else if (event.key === 'Enter' || event.key === ' ') {
      if (this.tool !== 'move') this.put(key, this.tool === 'remove' ? null : this.tool);
    } else if (!this.cursor.walk(event.key, this.bottom)) return;
    event.preventDefault();
    event.stopPropagation();
    this.handlers.say(describeSquare(this.shape, this.cells, this.cursor.square));
    this.showCursor();
  }
}

function pieceOf(letter: string): Piece {
  return { role: roleOf(letter), color: colorOf(letter) };
}

/** The squares on which a pawn can be taken in passing, for the side to move. */
export function enPassantSquares(shape: GridShape, cells: string, toMove: 'w' | 'b'): string[] {
  const [row, pawn, from] = toMove === 'w' ? [5, 'p', 4] : [2, 'P', 3];
  const behind = toMove === 'w' ? 6 : 1;
  return shape.files.flatMap((_, column) => {
    const at = (r: number): string => cells[r * 8 + column] ?? '.';
    const fits = at(from) === pawn && at(row) === '.' && at(behind) === '.';
    return fits ? [squareName(shape, column, row)] : [];
  });
}
