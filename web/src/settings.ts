// The page's settings: kept by the server, mirrored in the browser so that the theme is right before anything is asked.
import { saveSettings } from './server/http';
import type { SettingValue } from './server/types';

export const BOARD_THEMES = ['walnut', 'sage', 'slate', 'paper'] as const;

export interface Settings {
  name: string;
  theme: 'auto' | 'light' | 'dark';
  board_theme: (typeof BOARD_THEMES)[number];
  animation: boolean;
  sound: boolean;
  eval_bar: boolean;
  coordinates: boolean;
  legal_dots: boolean;
  shortcuts: boolean;
  /** The level that follows the person's results; 0 before the first one. */
  human_level: number;
  /** The last choices of the new-game form, as JSON. */
  new_game: string;
}

const DEFAULTS: Settings = {
  name: 'You',
  theme: 'auto',
  board_theme: 'walnut',
  animation: true,
  sound: false,
  eval_bar: false,
  coordinates: true,
  legal_dots: true,
  shortcuts: true,
  human_level: 0,
  new_game: '',
};

const MIRROR = 'philidor-settings';
/** Changes that the server has not confirmed: the page may be left before. */
const UNSAVED = 'philidor-unsaved-settings';

type Listener = (settings: Settings) => void;

let current: Settings = { ...DEFAULTS, ...readKept(MIRROR) };
const listeners = new Set<Listener>();

export function settings(): Settings {
  return current;
}

/** Calls `listener` now and after every change, until the returned function is called. */
export function watchSettings(listener: Listener): () => void {
  listeners.add(listener);
  listener(current);
  return () => listeners.delete(listener);
}

/** Takes over what the server keeps; values of a wrong type or an unknown choice are ignored. */
export function receiveSettings(kept: Record<string, SettingValue>): void {
  const unsaved = readKept(UNSAVED);
  current = { ...DEFAULTS, ...valid(kept), ...unsaved };
  publish();
  if (Object.keys(unsaved).length > 0) save(unsaved).catch(() => undefined);
}

/** Follows the changes that other tabs make, also while this one slept in the browser's history. */
export function followOtherTabs(): void {
  const follow = (): void => {
    current = { ...DEFAULTS, ...readKept(MIRROR) };
    for (const listener of listeners) listener(current);
  };
  window.addEventListener('storage', (event) => event.key === MIRROR && follow());
  window.addEventListener('pageshow', (event) => event.persisted && follow());
}

/** Changes settings here at once and on the server soon after. */
export async function changeSettings(changes: Partial<Settings>): Promise<void> {
  current = { ...current, ...changes };
  publish();
  await save(changes);
}

/** A page that is left while this waits leaves the changes to the next one; those that the server refuses are dropped. */
async function save(changes: Partial<Settings>): Promise<void> {
  keep(UNSAVED, { ...readKept(UNSAVED), ...changes });
  try {
    await saveSettings(changes);
  } finally {
    const later = Object.entries(readKept(UNSAVED)).filter(
      ([name, value]) => changes[name as keyof Settings] !== value,
    );
    keep(UNSAVED, Object.fromEntries(later));
  }
}

/** Keeps of `kept` what the page knows and can use. */
export function valid(kept: Record<string, unknown>): Partial<Settings> {
  const known = Object.entries(kept).filter(([name, value]) => {
    if (!(name in DEFAULTS) || typeof value !== typeof DEFAULTS[name as keyof Settings]) return false;
    if (name === 'theme') return ['auto', 'light', 'dark'].includes(String(value));
    if (name === 'board_theme') return (BOARD_THEMES as readonly string[]).includes(String(value));
    return true;
  });
  return Object.fromEntries(known) as Partial<Settings>;
}

function publish(): void {
  keep(MIRROR, current);
  for (const listener of listeners) listener(current);
}

function keep(where: string, kept: Partial<Settings>): void {
  try {
    localStorage.setItem(where, JSON.stringify(kept));
  } catch {
    // A browser that forbids storage costs a flash of the wrong theme, nothing else.
  }
}

function readKept(where: string): Partial<Settings> {
  try {
    return valid(JSON.parse(localStorage.getItem(where) ?? '{}') as Record<string, unknown>);
  } catch {
    return {};
  }
}
