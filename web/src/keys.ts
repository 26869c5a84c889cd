// One table of keyboard shortcuts: what it holds works, and the help dialog shows exactly what it holds.
import { takesText } from './dom';

export interface Shortcut {
  /** As KeyboardEvent.key says it; the first is the one that is shown. */
  keys: readonly string[];
  label: string;
  group: string;
  run: () => void;
}

const active = new Set<readonly Shortcut[]>();
let enabled = true;

/** Adds shortcuts; the returned function takes them away again. */
export function addShortcuts(shortcuts: readonly Shortcut[]): () => void {
  active.add(shortcuts);
  return () => active.delete(shortcuts);
}

/** Turns single keys off, for people whose speech input or tremor presses them by accident. */
export function enableShortcuts(on: boolean): void {
  enabled = on;
}

/** All shortcuts that work now, in groups. */
export function listShortcuts(): Map<string, Shortcut[]> {
  const groups = new Map<string, Shortcut[]>();
  for (const shortcut of [...active].flat()) {
    groups.set(shortcut.group, [...(groups.get(shortcut.group) ?? []), shortcut]);
  }
  return groups;
}

/** Listens for the keys of the table wherever no text is being typed and no dialog is open. */
export function listenForShortcuts(): void {
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (takesText(event.target) || document.querySelector('dialog[open]')) return;
    // Arrow keys change a range or a radio group; everything else may be a shortcut there too.
    const takesArrows = event.target instanceof HTMLInputElement && ['range', 'radio'].includes(event.target.type);
    if (takesArrows && event.key.startsWith('Arrow')) return;
    // Whoever walks by Tab presses a button with the space bar.
    if (event.key === ' ' && event.target instanceof Element && event.target.matches('button:focus-visible')) return;
    if (!enabled && event.key.length === 1 && event.key !== '?') return;
    const found = [...active].flat().find((shortcut) => shortcut.keys.includes(event.key));
    if (!found) return;
    event.preventDefault();
    found.run();
  });
}

const NAMES: Record<string, string> = {
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  Escape: 'Esc',
  ' ': 'Space',
};

/** What is printed on the key. */
export function keyName(key: string): string {
  return NAMES[key] ?? key;
}
