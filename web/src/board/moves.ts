// Legal moves as a board needs them: by squares.
import type { Move, Square } from '../server/types';

/** All squares on which dropping the piece means this move. */
function targets(move: Move): Square[] {
  return move.to === null ? [] : [move.to, ...move.also];
}

/** For each square with a piece that can move, where it can go. */
export function destinations(legal: readonly Move[]): Map<Square, Square[]> {
  const result = new Map<Square, Square[]>();
  for (const move of legal) {
    if (move.from === null) continue;
    const known = result.get(move.from) ?? [];
    result.set(move.from, [...known, ...targets(move).filter((square) => !known.includes(square))]);
  }
  return result;
}

/** The legal moves from one square to another; several where a pawn promotes. */
export function movesBetween(legal: readonly Move[], from: Square, to: Square): Move[] {
  const exact = legal.filter((move) => move.from === from && move.to === to);
  // In Chess960 the rook that castles may stand where the king could also go: the plain king move wins.
  return exact.length > 0 ? exact : legal.filter((move) => move.from === from && move.also.includes(to));
}

/** The legal moves that place a stone when this square is chosen. */
export function placementsOn(legal: readonly Move[], square: Square): Move[] {
  return legal.filter((move) => move.from === null && targets(move).includes(square));
}

/** The legal moves that no square stands for, such as a pass. */
export function movesWithoutSquare(legal: readonly Move[]): Move[] {
  return legal.filter((move) => move.to === null);
}
