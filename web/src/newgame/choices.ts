// What the new-game form has chosen so far, and the request that it makes.
import { type GoChoices, readGoChoices, USUAL } from '../go/choices';
import type { About, Habit, NewGame, Opponent, Rules, Start, Strength } from '../server/types';

export type SideChoice = NonNullable<NewGame['side']>;

/** The choices that are remembered from one game to the next; all of them fit into a setting's 1,000 characters. */
export interface Choices {
  game: string;
  /** Of a game that comes in several sizes; null: the usual one. */
  size: { width: number; height: number } | null;
  opponent: string;
  side: SideChoice;
  /** Minutes and seconds per move; null: no clock. */
  clock: { minutes: number; increment: number } | null;
  /** By opponent. */
  strength: Record<string, Strength>;
  /** Of whatever opponent has them. */
  habits: Habit[];
  go: GoChoices;
}

/** What the parts of the form share; `choices` and `rules` are always the current ones. */
export interface FormContext {
  readonly about: About;
  readonly choices: Choices;
  readonly rules: Rules;
  /** Whether the list of opponents has all of them. */
  listsAll: boolean;
  edit: (changes: Partial<Choices>) => void;
  /** Draws the form again, when other fields must be shown. */
  redraw: () => void;
}

function defaultChoices(about: About): Choices {
  const none = { size: null, clock: null, strength: {}, habits: [] };
  return { game: about.first_game, ...none, opponent: '', side: 'first', go: USUAL };
}

/** Reads remembered choices; what no longer makes sense is replaced by the default. */
export function readChoices(text: string, about: About): Choices {
  const choices = defaultChoices(about);
  try {
    const kept = JSON.parse(text || '{}') as Partial<Choices>;
    // A game that was named when philidor was started comes before the one of last time.
    const isKnown = about.games.some((rules) => rules.name === kept.game);
    if (kept.game && isKnown && about.first_game === 'chess') choices.game = kept.game;
    const isSame = kept.game === choices.game;
    const { size } = kept;
    if (isSame && size && Number.isInteger(size.width) && Number.isInteger(size.height)) choices.size = size;
    if (typeof kept.opponent === 'string') choices.opponent = kept.opponent;
    if (kept.side === 'second' || kept.side === 'random') choices.side = kept.side;
    const { clock } = kept;
    if (clock && isWithin(clock.minutes, 0.1, 180) && isWithin(clock.increment, 0, 60)) choices.clock = clock;
    if (kept.strength && typeof kept.strength === 'object') choices.strength = kept.strength;
    if (Array.isArray(kept.habits)) choices.habits = kept.habits;
    if (isSame) choices.go = readGoChoices(kept.go);
  } catch {
    // Not ours: the defaults are fine.
  }
  return choices;
}

/** The game of the menu that one such as "go-9x9,komi=6.5" is a form of; one's own is itself. */
export function familyOf(game: string, about: About): string {
  const family = game.replace(/[-,].*/, '');
  return about.games.some(({ name }) => name === family) ? family : game;
}

function isWithin(value: unknown, min: number, max: number): boolean {
  return typeof value === 'number' && value >= min && value <= max;
}

/** The opponents of a game, in the server's order. */
export function opponentsOf(about: About, rules: Rules): Opponent[] {
  return about.opponents.filter((opponent) => opponent.name === 'person' || rules.opponents.includes(opponent.name));
}

/** Those of them to list: the first ones, or all if that is wished or the chosen one is not among the first. */
export function listedOpponents(about: About, rules: Rules, chosen: Opponent, listsAll: boolean): Opponent[] {
  const all = opponentsOf(about, rules);
  const isFirst = ({ name }: Opponent): boolean => rules.first_opponents.includes(name);
  const first = all.filter(isFirst);
  return listsAll || !isFirst(chosen) ? [...first, ...all.filter((opponent) => !isFirst(opponent))] : first;
}

/** The chosen opponent, or the game's default one if the choice does not play it. */
export function chosenOpponent(choices: Choices, about: About, rules: Rules): Opponent | null {
  const fitting = opponentsOf(about, rules);
  return (
    fitting.find((opponent) => opponent.name === choices.opponent) ??
    fitting.find((opponent) => opponent.name === rules.default_opponent) ??
    fitting[0] ??
    null
  );
}

/** The strength to show for an opponent: the remembered one if it still fits, else the default. */
export function chosenStrength(choices: Choices, opponent: Opponent): Strength | null {
  const kept = choices.strength[opponent.name];
  const { strength } = opponent;
  if (kept && 'settings' in kept && strength.kind !== 'none') return kept;
  if (strength.kind === 'elo') {
    if (kept && 'full' in kept && strength.has_full) return kept;
    if (kept && 'elo' in kept && isWithin(kept.elo, strength.min, strength.max)) return kept;
    return { elo: strength.default };
  }
  if (strength.kind === 'levels') {
    if (kept && 'level' in kept && isWithin(kept.level, 1, strength.levels.length)) return kept;
    return { level: strength.default };
  }
  return null;
}

/** The request for the server. */
export function newGameRequest(choices: Choices, about: About, rules: Rules, start: Start): NewGame {
  const opponent = chosenOpponent(choices, about, rules);
  const { clock } = choices;
  return {
    game: rules.name,
    opponent: opponent?.name ?? null,
    strength: opponent ? chosenStrength(choices, opponent) : null,
    habits: opponent ? opponent.habits.filter((habit) => choices.habits.includes(habit)) : [],
    side: choices.side,
    clock: clock && {
      base_ms: Math.round(clock.minutes * 60_000),
      increment_ms: Math.round(clock.increment * 1000),
    },
    start,
  };
}
