// Runs in words and numbers.
import type { RunSummary } from '../server/types';

/** How long ago something was, in its largest unit. */
export function ageText(seconds: number): string {
  const units: [number, string][] = [
    [86_400, 'd'],
    [3600, 'h'],
    [60, 'min'],
  ];
  const [size, unit] = units.find(([size]) => seconds >= size) ?? [1, 's'];
  return `${Math.max(0, Math.round(seconds / size))} ${unit} ago`;
}

/** "4 of 20", "4" or nothing. */
export function generationText({ generation, wanted_generations }: RunSummary): string {
  if (wanted_generations > 0) return `${generation} of ${wanted_generations}`;
  return generation > 0 ? String(generation) : '';
}

/** A number as short as it can be read. */
export function numberText(value: number): string {
  if (value !== 0 && Math.abs(value) < 0.001) return value.toExponential(1);
  if (Math.abs(value) >= 1000) return Math.round(value).toLocaleString('en');
  return String(Number(value.toFixed(3)));
}

/** A size in the largest unit that leaves a whole number. */
export function sizeText(bytes: number): string {
  return bytes >= 1e6 ? `${(bytes / 1e6).toFixed(1)} MB` : `${Math.max(1, Math.round(bytes / 1e3))} kB`;
}
