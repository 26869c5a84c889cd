// The part of the new-game form that chooses whom to play, and how strong.
import { h } from '../dom';
import { numberField, selectField, sliderField, switchField } from '../fields';
import type { Opponent, OpponentSetting, Strength, StrengthChoice } from '../server/types';
import { chosenOpponent, chosenStrength, type FormContext, opponentsOf } from './choices';

const OWN = 'own';

/** Draws the fields of the opponent that is chosen now. */
export function opponentFields(form: FormContext): HTMLElement[] {
  const { about, choices, rules, edit, redraw } = form;
  const opponent = chosenOpponent(choices, about, rules);
  if (!opponent) return [];
  const options = opponentsOf(about, rules).map(({ name, title, status }) => ({
    value: name,
    label: status === 'unavailable' ? `${title} (not available)` : title,
  }));
  const choose = selectField('Opponent', options, opponent.name, (name) => {
    edit({ opponent: name });
    redraw();
  });
  const setStrength = (strength: Strength): void => {
    edit({ strength: { ...form.choices.strength, [opponent.name]: strength } });
  };
  return [
    choose,
    h('p', { class: 'field-help' }, opponent.description),
    ...availability(opponent),
    ...strengthFields(opponent, chosenStrength(choices, opponent), setStrength, redraw),
  ];
}

/** Says why an opponent cannot be played, or that this is not known yet. */
function availability({ status, problem }: Opponent): HTMLElement[] {
  if (status === 'ready') return [];
  const words = status === 'asking' ? 'Asking the program…' : `Not available: ${problem ?? ''}`;
  return [h('p', { class: status === 'asking' ? 'field-help' : 'field-problem', role: 'status' }, words)];
}

function strengthFields(
  opponent: Opponent,
  strength: Strength | null,
  set: (strength: Strength) => void,
  redraw: () => void,
): HTMLElement[] {
  if (!strength || opponent.strength.kind === 'none') return [];
  if (opponent.strength.kind === 'elo') return eloFields(opponent.strength, strength, set, redraw);
  return levelFields(opponent, opponent.strength.levels, strength, set, redraw);
}

/** A slider of ratings, and a switch for all it can. */
function eloFields(
  choice: Extract<StrengthChoice, { kind: 'elo' }>,
  strength: Strength,
  set: (strength: Strength) => void,
  redraw: () => void,
): HTMLElement[] {
  const isFull = 'full' in strength;
  const elo = 'elo' in strength ? strength.elo : choice.default;
  const write = (value: number): string => (isFull ? 'all it can' : eloWords(value));
  const slider = sliderField('Strength', elo, choice, write, (value) => set({ elo: value }));
  const full = switchField('Full strength', '', isFull, (on) => {
    set(on ? { full: true } : { elo });
    redraw();
  });
  if (isFull) slider.querySelector('input')?.setAttribute('disabled', '');
  return [h('div', { class: 'strength' }, slider, choice.has_full && full)];
}

const ELO_WORDS: readonly (readonly [number, string])[] = [
  [1000, 'beginner'],
  [1300, 'casual player'],
  [1600, 'club player'],
  [1900, 'strong club player'],
  [2200, 'expert'],
];

/** "1200, casual player". */
export function eloWords(elo: number): string {
  const word = ELO_WORDS.find(([below]) => elo < below)?.[1] ?? 'master';
  return `${elo} · ${word}`;
}

/** The levels that the opponent offers, and its own settings for those who want to set them. */
function levelFields(
  opponent: Opponent,
  levels: readonly string[],
  strength: Strength,
  set: (strength: Strength) => void,
  redraw: () => void,
): HTMLElement[] {
  const options = levels.map((label, index) => ({ value: String(index + 1), label }));
  if (opponent.settings.length > 0) options.push({ value: OWN, label: 'Own settings…' });
  const chosen = 'level' in strength ? String(strength.level) : OWN;
  const select = selectField('Level', options, chosen, (value) => {
    set(value === OWN ? { settings: {} } : { level: Number(value) });
    redraw();
  });
  if (!('settings' in strength)) return [select];
  const values = { ...strength.settings };
  const fields = opponent.settings.flatMap((setting) => {
    if (setting.default === null) return [];
    const keep = (value: number | boolean | string): void => {
      values[setting.name] = value;
      set({ settings: { ...values } });
    };
    return [settingField(setting, values[setting.name] ?? setting.default, keep)];
  });
  return [select, h('div', { class: 'own-settings' }, ...fields)];
}

function settingField(
  setting: OpponentSetting,
  value: number | boolean | string,
  set: (value: number | boolean | string) => void,
): HTMLElement {
  const label = setting.name.replaceAll('_', ' ');
  let field: HTMLElement;
  if (setting.type === 'bool') field = switchField(label, '', value === true, set);
  else if (setting.choices.length > 0) {
    const options = setting.choices.map((choice) => ({ value: choice, label: choice }));
    field = selectField(label, options, String(value), set);
  } else {
    const step = setting.type === 'int' ? 1 : 'any';
    field = numberField(label, Number(value), { min: setting.min, max: setting.max, step }, set);
  }
  field.title = setting.help;
  return field;
}
