// The text of a file: UTF-8, or the charset that an SGF names, or Latin-1.

const NAMED = /(?<![A-Za-z])CA\s*\[\s*([\w-]{1,40})\s*\]/;
const LATIN = 'windows-1252';
/** The root of a game comes first, and junk before it is seldom longer. */
const LOOKED_AT_BYTES = 10_000;

export function textOf(bytes: Uint8Array): string {
  const beginning = new TextDecoder(LATIN).decode(bytes.subarray(0, LOOKED_AT_BYTES));
  const named = NAMED.exec(beginning)?.[1] ?? LATIN;
  for (const charset of ['utf-8', named]) {
    // Whose root could be read is not UTF-16, whatever it says.
    if (/^utf-?16/i.test(charset)) continue;
    try {
      return new TextDecoder(charset, { fatal: true }).decode(bytes);
    } catch {
      // Another charset, or one that nobody knows.
    }
  }
  return new TextDecoder(LATIN).decode(bytes);
}
