// Verdicts in words.
import type { Judgement, Side } from '../server/types';
import { leadText, moverRate } from './position';

/** "Black 61 %, B+4.2. e5 58 %, c3 55 % (UCT, 20,000 playouts)." */
export function describeVerdict(verdict: Judgement, mover: Side, moves: boolean, owners: boolean): string {
  const percent = (rate: number): string => `${Math.round(100 * rate)} %`;
  const name = mover === 0 ? 'Black' : 'White';
  const parts = [`${name} ${percent(moverRate(verdict.win_rate, mover))}, ${leadText(verdict.lead)}.`];
  if (moves && verdict.candidates.length > 0) {
    const listed = verdict.candidates.slice(0, 5).map(({ move, win_rate }) => {
      return win_rate === null ? move.san : `${move.san} ${percent(win_rate)}`;
    });
    parts.push(`${listed.join(', ')}.`);
  }
  if (owners) parts.push(describeOwners(verdict.owners));
  return `${parts.join(' ')} (${verdict.judge})`;
}

/** What a screen reader says of the owners: how many points are likely whose. */
function describeOwners(owners: readonly number[]): string {
  const sure = (side: number): number => owners.filter((owner) => owner * side > 0.5).length;
  return `Likely Black's: ${sure(1)} points, White's: ${sure(-1)}.`;
}
