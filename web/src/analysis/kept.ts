// Which engines were chosen on the analysis board, kept in the browser.
import { DEFAULT_CHOICE, type EngineChoice } from './engine';

const KEPT = 'philidor-engines';

export interface Kept {
  choices: (EngineChoice | undefined)[];
  on: boolean;
}

export function readKept(): Kept {
  try {
    const kept = JSON.parse(localStorage.getItem(KEPT) ?? '{}') as Partial<Kept>;
    const choices = (kept.choices ?? []).map((choice) => (choice ? { ...DEFAULT_CHOICE, ...choice } : undefined));
    return { choices, on: kept.on === true };
  } catch {
    return { choices: [], on: false };
  }
}

export function writeKept(kept: Kept): void {
  try {
    localStorage.setItem(KEPT, JSON.stringify(kept));
  } catch {
    // A browser that forbids storage forgets the engine, nothing else.
  }
}
