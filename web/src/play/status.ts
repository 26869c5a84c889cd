// A game in a few words.
import type { Clock, GameView } from '../server/types';

/** "Chess · 5+3", "Chess960 no. 518". */
export function describeGame(game: Pick<GameView, 'title' | 'variant' | 'chess960_number' | 'clock'>): string {
  const parts = [game.title];
  if (game.variant === 'chess960') parts[0] = `Chess960 no. ${game.chess960_number ?? '?'}`;
  if (game.variant === 'position') parts.push('from a position');
  if (game.variant === 'handicap') parts.push('with handicap');
  if (game.clock) parts.push(describeClock(game.clock));
  return parts.join(' · ');
}

/** "5+3": minutes and seconds per move, as chess players write it. */
export function describeClock(clock: Pick<Clock, 'base_ms' | 'increment_ms'>): string {
  const minutes = clock.base_ms / 60_000;
  const base = Number.isInteger(minutes) ? String(minutes) : minutes.toFixed(1);
  return `${base}+${clock.increment_ms / 1000}`;
}

/** "1–0" and "½–½", as books print them. */
export function formatResult(score: string): string {
  return score.replaceAll('1/2', '½').replace('-', '–');
}

/** Whose turn it is, and what the engine is doing. */
export function describeStatus(game: GameView): string {
  const side = game.position.to_move;
  if (game.status === 'over') return '';
  if (game.status === 'your_turn') return game.you === null ? `${game.sides[side]} to move` : 'Your move';
  const { name } = game.players[side];
  if (game.engine.status === 'failed') return '';
  if (game.engine.status === 'waiting') return `${name} waits for a free core…`;
  return `${name} is thinking…`;
}
