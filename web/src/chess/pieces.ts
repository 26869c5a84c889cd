// A chess piece as chessground's style sheet knows it: <piece class="white knight">.
import type { Color, Role } from '@lichess-org/chessground/types';

const ROLES: Record<string, Role> = { p: 'pawn', n: 'knight', b: 'bishop', r: 'rook', q: 'queen', k: 'king' };

export function roleOf(letter: string): Role {
  return ROLES[letter.toLowerCase()] ?? 'pawn';
}

/** Upper case is White, as in FEN. */
export function colorOf(letter: string): Color {
  return letter === letter.toUpperCase() ? 'white' : 'black';
}

/** A picture of a piece; it must stand inside an element of class `cg-wrap`. */
export function pieceImage(letter: string): HTMLElement {
  const element = document.createElement('piece');
  element.className = `${colorOf(letter)} ${roleOf(letter)}`;
  return element;
}
