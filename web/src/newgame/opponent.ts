// The part of the new-game form that chooses whom to play, and how strong.
import { h } from '../dom';
import { numberField, selectField, sliderField, switchField, textField, unsetNumberField } from '../fields';
import type { Habit, Opponent, OpponentSetting, SettingValue, Strength, StrengthChoice } from '../server/types';
import { chosenOpponent, chosenStrength, type FormContext, listedOpponents, opponentsOf } from './choices';

type EloChoice = Extract<StrengthChoice, { kind: 'elo' }>;

const OWN = 'own';
const MORE = 'more';
const UNSET = 'not set';
const TEXT_CHARS = 200;

/** Draws the fields of the opponent that is chosen now. */
export function opponentFields(form: FormContext): HTMLElement[] {
  const { about, choices, rules, edit, redraw } = form;
  const opponent = chosenOpponent(choices, about, rules);
  if (!opponent) return [];
  const listed = listedOpponents(about, rules, opponent, form.listsAll);
  const options = listed.map(({ name, title, status }) => ({
    value: name,
    label: status === 'unavailable' ? `${title} (not available)` : title,
  }));
  if (listed.length < opponentsOf(about, rules).length) options.push({ value: MORE, label: 'More opponents…' });
  const choose = selectField('Opponent', options, opponent.name, (name) => {
    if (name === MORE) form.listsAll = true;
    else edit({ opponent: name });
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
    ...habitFields(form, opponent),
  ];
}

const HABITS: Record<Habit, readonly [string, string]> = {
  follow: ['Follow my results', '50 points up for a win, down for a loss'],
  pace: ['Human pace', 'Takes as long for a move as people do'],
  resign: ['Resigns and draws', 'Gives up lost games, offers draws'],
};

/** What the opponent can do as people do: closed away, as a game needs none of it, unless some of it is chosen. */
function habitFields(form: FormContext, { habits }: Opponent): HTMLElement[] {
  if (habits.length === 0) return [];
  const isChosen = (habit: Habit): boolean => form.choices.habits.includes(habit);
  const fields = (Object.keys(HABITS) as Habit[])
    .filter((habit) => habits.includes(habit))
    .map((habit) =>
      switchField(...HABITS[habit], isChosen(habit), (on) => {
        const others = form.choices.habits.filter((other) => other !== habit);
        form.edit({ habits: on ? [...others, habit] : others });
      }),
    );
  const open = habits.some(isChosen);
  return [h('details', { class: 'habits', open }, h('summary', {}, 'Habits'), ...fields)];
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
  choice: EloChoice,
  strength: Strength,
  set: (strength: Strength) => void,
  redraw: () => void,
): HTMLElement[] {
  const isFull = 'full' in strength;
  const elo = 'elo' in strength ? strength.elo : choice.default;
  const write = (value: number): string => (isFull ? 'all it can' : eloWords(choice, value));
  const slider = sliderField(choice.scale ? 'Level' : 'Strength', elo, choice, write, (value) => set({ elo: value }));
  const full = switchField('Full strength', '', isFull, (on) => {
    set(on ? { full: true } : { elo });
    redraw();
  });
  if (isFull) slider.querySelector('input')?.setAttribute('disabled', '');
  return [h('div', { class: 'strength' }, slider, choice.has_full && full), ...scaleHelp(choice)];
}

/** Says what the ratings are. */
function scaleHelp({ scale, estimated_below }: EloChoice): HTMLElement[] {
  if (!scale) return [];
  const estimated = estimated_below ? ` Below ${estimated_below} it is estimated.` : '';
  return [h('p', { class: 'field-help' }, `The number is an ${scale}.${estimated}`)];
}

/** "1500 · club player", or the number alone where nobody has named it. */
export function eloWords({ words, estimated_below }: EloChoice, elo: number): string {
  const word = words.find(([below]) => elo < below)?.[1];
  const estimated = estimated_below !== null && elo < estimated_below ? 'estimated' : null;
  return [elo, word, estimated].filter(Boolean).join(' · ');
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
  const fields = opponent.settings.map((setting) => {
    const keep = (value: SettingValue | null): void => {
      if (value === null) delete values[setting.name];
      else values[setting.name] = value;
      set({ settings: { ...values } });
    };
    return settingField(setting, values[setting.name] ?? setting.default, keep);
  });
  return [select, h('div', { class: 'own-settings' }, ...fields)];
}

function settingField(
  setting: OpponentSetting,
  value: SettingValue | null,
  set: (value: SettingValue | null) => void,
): HTMLElement {
  const label = setting.name.replaceAll('_', ' ');
  const isUnset = setting.default === null;
  let field: HTMLElement;
  if (setting.type === 'bool') field = switchField(label, '', value === true, set);
  else if (setting.choices.length > 0) {
    const options = setting.choices.map((choice) => ({ value: choice, label: choice }));
    if (isUnset) options.unshift({ value: '', label: UNSET });
    field = selectField(label, options, String(value ?? ''), (chosen) => set(chosen === '' ? null : chosen));
  } else if (setting.type === 'text') {
    field = textField(label, String(value ?? ''), TEXT_CHARS, (text) => set(isUnset && text === '' ? null : text));
  } else {
    const step = setting.type === 'int' ? 1 : 'any';
    const limits = { min: setting.min, max: setting.max, step } as const;
    if (isUnset) field = unsetNumberField(label, value === null ? null : Number(value), limits, UNSET, set);
    else field = numberField(label, Number(value), limits, set);
  }
  field.title = setting.help;
  return field;
}
