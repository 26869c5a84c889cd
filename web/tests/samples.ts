// Small positions, moves and games for the tests.
import type { GameView, GridShape, Move, PlayedMove, Position } from '../src/server/types';

export function position(changes: Partial<Position> = {}): Position {
  return { text: 'start', cells: null, drawing: null, to_move: 0, ply: 0, check: null, ...changes };
}

export function move(from: string | null, to: string | null, changes: Partial<Move> = {}): Move {
  const text = `${from ?? ''}${to ?? ''}${changes.promotion ?? ''}`;
  return { text, san: text, from, to, promotion: null, also: [], ...changes };
}

export function played(changes: Partial<PlayedMove>): PlayedMove {
  return {
    text: 'e2e4',
    san: 'e4',
    from: 'e2',
    to: 'e4',
    promotion: null,
    ply: 1,
    side: 0,
    position: position(),
    captured: null,
    clock_ms: null,
    opening: null,
    thought: null,
    ...changes,
  };
}

export function grid(width: number, height: number, changes: Partial<GridShape> = {}): GridShape {
  return {
    kind: 'grid',
    width,
    height,
    files: [...'abcdefghijklmnopqrstuvwxyz'].slice(0, width),
    ranks: Array.from({ length: height }, (_, row) => String(row + 1)),
    style: 'checkered',
    art: 'figures',
    turns: true,
    pieces: { P: { side: 0, name: 'white pawn' }, p: { side: 1, name: 'black pawn' } },
    ...changes,
  };
}

export function game(changes: Partial<GameView> = {}): GameView {
  return {
    id: 'abc',
    revision: 1,
    game: 'chess',
    title: 'Chess',
    variant: 'standard',
    chess960_number: null,
    created: '2026-11-15T11:30:00Z',
    updated: '2026-11-15T11:30:00Z',
    sides: ['White', 'Black'],
    players: [
      { kind: 'person', name: 'You', opponent: null, strength: null },
      { kind: 'engine', name: 'Engine', opponent: 'classic', strength: { elo: 1200 } },
    ],
    you: 0,
    status: 'your_turn',
    board: grid(8, 8),
    start: position(),
    position: position(),
    legal: [],
    moves: [],
    opening: null,
    captured: ['', ''],
    material: 0,
    clock: null,
    result: null,
    draw_offer: null,
    engine: { status: 'idle', message: null },
    can: {
      move: true,
      takeback: false,
      play_on: false,
      rematch: false,
      resign: true,
      offer_draw: true,
      hint: true,
      retry: false,
    },
    tags: null,
    ...changes,
  };
}
