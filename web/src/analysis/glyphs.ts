// The glyphs that people put behind moves, by their numbers in PGN.

export interface Glyph {
  nag: number;
  sign: string;
  words: string;
}

/** What a move was: one of them at a time. */
export const MOVE_GLYPHS: readonly Glyph[] = [
  { nag: 1, sign: '!', words: 'Good move' },
  { nag: 2, sign: '?', words: 'Mistake' },
  { nag: 3, sign: '!!', words: 'Excellent move' },
  { nag: 4, sign: '??', words: 'Blunder' },
  { nag: 5, sign: '!?', words: 'Interesting move' },
  { nag: 6, sign: '?!', words: 'Dubious move' },
];

/** How the position stands: one of them at a time. */
export const POSITION_GLYPHS: readonly Glyph[] = [
  { nag: 10, sign: '=', words: 'Equal' },
  { nag: 13, sign: '∞', words: 'Unclear' },
  { nag: 14, sign: '+/=', words: 'White is slightly better' },
  { nag: 15, sign: '=/+', words: 'Black is slightly better' },
  { nag: 16, sign: '±', words: 'White is better' },
  { nag: 17, sign: '∓', words: 'Black is better' },
  { nag: 18, sign: '+−', words: 'White is winning' },
  { nag: 19, sign: '−+', words: 'Black is winning' },
];

const KNOWN = new Map([...MOVE_GLYPHS, ...POSITION_GLYPHS].map((glyph) => [glyph.nag, glyph]));

/** What is written behind a move; a number that has no sign is written as in PGN. */
export function writeNags(nags: readonly number[]): string {
  return nags.map((nag) => KNOWN.get(nag)?.sign ?? ` $${nag}`).join('');
}

/** The same for those who listen. */
export function sayNags(nags: readonly number[]): string {
  return nags.map((nag) => KNOWN.get(nag)?.words ?? `glyph ${nag}`).join(', ');
}

/** The nags of a move after a glyph was pressed: it comes or goes, and replaces those of its kind. */
export function toggled(nags: readonly number[], nag: number): number[] {
  const kind = [MOVE_GLYPHS, POSITION_GLYPHS].find((glyphs) => glyphs.some((glyph) => glyph.nag === nag)) ?? [];
  const others = nags.filter((each) => !kind.some((glyph) => glyph.nag === each));
  return nags.includes(nag) ? others : [...others, nag].sort((a, b) => a - b);
}
