// What somebody pasted: a position or a game.
import type { PositionCheck } from '../server/types';

/** Whether pasted text is a game rather than a position. */
export function looksLikePgn(text: string): boolean {
  return /^\s*\[\s*\w+\s+"|\b1\s*\.|\b(?:1-0|0-1|1\/2-1\/2)\s*$/.test(text);
}

/** What was pasted, in words. */
export function describeCheck(check: PositionCheck): string {
  if (!check.ok) return check.problem ?? 'This is not a position.';
  if (check.moves) {
    const { White = '?', Black = '?' } = check.tags ?? {};
    return `${White} – ${Black}, ${check.moves.length} moves. ${check.result?.text ?? ''}`;
  }
  return check.result ? `The game is over here: ${check.result.text}` : `${check.legal_count ?? 0} legal moves.`;
}

/** Why a text is not taken, and what to do with it. */
export function tooLarge(bytes: number, most: number): string {
  const megabytes = (value: number): string => `${(value / 1e6).toFixed(1)} MB`;
  return `This text has ${megabytes(bytes)}, and ${megabytes(most)} are taken at most. Paste a single game of it.`;
}
