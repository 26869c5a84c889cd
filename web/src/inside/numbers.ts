// How numbers are written on this page.

export function percent(share: number | null): string {
  return share === null ? '–' : `${(100 * share).toFixed(1).replace('-', '−')} %`;
}

export function decimal(value: number | null, digits = 2): string {
  return value === null ? '–' : value.toFixed(digits).replace('-', '−');
}

/** Pawns with their sign, from centipawns. */
export function pawns(centipawns: number): string {
  const text = decimal(centipawns / 100);
  return centipawns > 0 ? `+${text}` : text;
}

/** A bound of a window; open ends are infinite. */
export function bound(value: number | null, isLow: boolean): string {
  if (value === null) return isLow ? '−∞' : '∞';
  return String(value).replace('-', '−');
}
