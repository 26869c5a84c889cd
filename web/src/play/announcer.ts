// What screen readers hear: moves and results politely, the square under the cursor at once.
import { spokenMove } from '../chess/words';
import { h } from '../dom';
import type { GameView } from '../server/types';

/** What to say when a game changed; empty when there is nothing to say. */
export function describeChange(before: GameView | null, after: GameView): string {
  const parts: string[] = [];
  const grown = before ? after.moves.length - before.moves.length : 0;
  if (grown < 0) parts.push('Moves taken back.');
  if (grown > 0) {
    for (const move of after.moves.slice(-grown)) parts.push(`${after.sides[move.side]}: ${spokenMove(move.san)}.`);
  }
  if (after.result && !before?.result) parts.push(after.result.text);
  else if (parts.length > 0 && after.status === 'your_turn' && after.you !== null) parts.push('Your turn.');
  return parts.join(' ');
}

export class Announcer {
  private readonly moves = h('div', { class: 'sr-only', 'aria-live': 'polite' });
  private readonly cursor = h('div', { class: 'sr-only', 'aria-live': 'assertive' });
  readonly elements: readonly HTMLElement[] = [this.moves, this.cursor];

  /** Says something when there is time. */
  tell(text: string): void {
    this.say(this.moves, text);
  }

  /** Says something now. */
  tellNow(text: string): void {
    this.say(this.cursor, text);
  }

  private say(region: HTMLElement, text: string): void {
    if (!text) return;
    // The same words twice are not a change to a screen reader; an invisible difference makes them one.
    region.textContent = region.textContent === text ? `${text}\u00a0` : text;
  }
}
