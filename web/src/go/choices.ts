// What is chosen for a game of Go beside what all games have.

/** Komi and handicap; null is the usual komi of the board. */
export interface GoChoices {
  komi: number | null;
  handicap: number;
}

export const USUAL: GoChoices = { komi: null, handicap: 0 };

/** No more is offered; the rules know a thousand. */
export const MOST_KOMI = 100;

/** Reads what was remembered; what makes no sense is as usual. */
export function readGoChoices(kept: unknown): GoChoices {
  const { komi, handicap } = (kept ?? {}) as Partial<GoChoices>;
  return {
    komi: typeof komi === 'number' && Math.abs(komi) <= MOST_KOMI ? komi : null,
    handicap: Number.isInteger(handicap) && handicap! >= 2 && handicap! <= 9 ? handicap! : 0,
  };
}

/** The name of a game with a size and a komi. */
export function goName(side: number, { komi }: GoChoices): string {
  return `go-${side}x${side}${komi === null ? '' : `,komi=${komi}`}`;
}
