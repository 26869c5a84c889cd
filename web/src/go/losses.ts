// What the moves of a game cost: from verdicts on the positions before and after each of them.
import type { Judgement, PlayedMove, Side } from '../server/types';

/** A move that was judged; losses are the mover's, and never below 0. */
export interface Loss {
  ply: number;
  side: Side;
  move: string;
  /** Of the mover's chance to win, from 0 to 1. */
  rate: number;
  points: number;
  /** What the judge would have played; null: the same. */
  better: string | null;
}

export type Measure = 'rate' | 'points';

/** The loss of every move between two judged positions; `verdicts` are by ply, those not known yet are missing. */
export function losses(moves: readonly PlayedMove[], verdicts: ReadonlyMap<number, Judgement>): Loss[] {
  return moves.flatMap((move, index) => {
    const before = verdicts.get(index);
    const after = verdicts.get(index + 1);
    if (!before || !after) return [];
    const sign = move.side === 0 ? 1 : -1;
    const best = before.candidates[0]?.move;
    // Who plays what the judge would have played has lost nothing, however the second look turns out.
    const isBest = best?.text === move.text;
    return [
      {
        ply: index + 1,
        side: move.side,
        move: move.san,
        rate: isBest ? 0 : Math.max(0, sign * (before.win_rate - after.win_rate)),
        points: isBest ? 0 : Math.max(0, sign * (before.best_lead - after.lead)),
        better: isBest || !best ? null : best.san,
      },
    ];
  });
}

/** The moves that cost most, the worst first; what cost next to nothing is left out. */
export function worst(found: readonly Loss[], by: Measure, most: number): Loss[] {
  const least = by === 'rate' ? 0.05 : 1;
  return [...found]
    .filter((loss) => loss[by] >= least)
    .sort((a, b) => b[by] - a[by])
    .slice(0, most);
}

/** What a side lost in the mean of its moves; null: none was judged. */
export function meanLoss(found: readonly Loss[], side: Side, by: Measure): number | null {
  const own = found.filter((loss) => loss.side === side);
  return own.length === 0 ? null : own.reduce((sum, loss) => sum + loss[by], 0) / own.length;
}

/** A loss in words: "−14 %" or "−6.2 points". */
export function lossText(loss: number, by: Measure): string {
  return by === 'rate' ? `−${Math.round(100 * loss)} %` : `−${loss.toFixed(1)} points`;
}
