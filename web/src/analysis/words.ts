// Scores, shares and counts in words.
import type { Score } from '../server/types';
import type { Wdl } from './types';

/** "+0.35", "−1.20", "#3", "#−2"; "#" for a king that is mated already. */
export function writeScore(score: Score | null): string {
  if (!score) return '';
  if (score.mate !== null) return score.mate === 0 ? '#' : `#${minus(String(score.mate))}`;
  if (score.cp === null) return '';
  return `${score.cp > 0 ? '+' : ''}${minus((score.cp / 100).toFixed(2))}`;
}

/** A number as people read it: "345 k", "1.2 M". */
export function compact(value: number): string {
  if (value >= 1e9) return `${(value / 1e9).toFixed(1)} G`;
  if (value >= 1e6) return `${(value / 1e6).toFixed(1)} M`;
  return value >= 1e4 ? `${Math.round(value / 1e3)} k` : value.toLocaleString('en');
}

export function percent(share: number): string {
  const value = 100 * share;
  return `${value > 0 && value < 1 ? '<1' : Math.round(value)} %`;
}

/** The expected result for White in [-1, 1], as the bar shows it. */
export function valueOf(score: Score | null, wdl: Wdl | null): number {
  if (wdl) return wdl[0] - wdl[2];
  if (!score) return 0;
  if (score.mate !== null) return score.mate >= 0 ? 1 : -1;
  return 2 / (1 + Math.exp(-0.00368208 * (score.cp ?? 0))) - 1;
}

export function sayWdl(wdl: Wdl): string {
  return `White wins ${percent(wdl[0])}, draw ${percent(wdl[1])}, Black wins ${percent(wdl[2])}`;
}

function minus(text: string): string {
  return text.replace('-', '−');
}
