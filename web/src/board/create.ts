// Which board a game is played on.
import type { BoardShape } from '../server/types';
import type { BoardHandlers, BoardView } from './board';
import { ChessBoard } from './chess';
import { GridBoard } from './grid';
import { TextBoard } from './text';

export function createBoard(game: string, shape: BoardShape, handlers: BoardHandlers): BoardView {
  if (shape.kind === 'text') return new TextBoard(handlers);
  return game === 'chess' ? new ChessBoard(shape, handlers) : new GridBoard(shape, handlers);
}
