// What has been taken, and who has more.
import type { PlayedMove, Side } from '../server/types';

const VALUES: Record<string, number> = { p: 1, n: 3, b: 3, r: 5, q: 9 };

/** What each side has taken within these moves, as FEN letters, strongest first. */
export function capturedBy(moves: readonly PlayedMove[]): [string, string] {
  const taken: [string[], string[]] = [[], []];
  for (const move of moves) if (move.captured) taken[move.side].push(move.captured);
  const order = 'qrbnp';
  const sorted = (side: Side): string =>
    taken[side].sort((a, b) => order.indexOf(a.toLowerCase()) - order.indexOf(b.toLowerCase())).join('');
  return [sorted(0), sorted(1)];
}

/** White's lead in pawns. */
export function materialLead(cells: string): number {
  let lead = 0;
  for (const piece of cells) {
    const value = VALUES[piece.toLowerCase()] ?? 0;
    lead += piece === piece.toLowerCase() ? -value : value;
  }
  return lead;
}
