// The part of the new-game form that sets the clock.
import { h } from '../dom';
import { choiceField, numberField } from '../fields';
import type { FormContext } from './choices';

const PRESETS = ['3+2', '5+3', '10+5', '30+20'] as const;
const MAX_MINUTES = 180;
const MAX_INCREMENT = 60;

export function clockFields(form: FormContext): HTMLElement[] {
  const { clock } = form.choices;
  const text = clock ? `${clock.minutes}+${clock.increment}` : 'none';
  const isPreset = text === 'none' || (PRESETS as readonly string[]).includes(text);
  const options = [
    { value: 'none', label: 'None' },
    ...PRESETS.map((preset) => ({ value: preset as string, label: preset })),
    { value: 'own', label: 'Own' },
  ];
  const choose = choiceField('Clock (minutes + seconds a move)', options, isPreset ? text : 'own', (value) => {
    const [minutes, increment] = value.split('+').map(Number);
    if (value === 'none') form.edit({ clock: null });
    // Anything that is not a preset opens the fields for minutes and seconds.
    else if (value === 'own') form.edit({ clock: { minutes: 20, increment: 10 } });
    else form.edit({ clock: { minutes: minutes ?? 5, increment: increment ?? 0 } });
    form.redraw();
  });
  if (isPreset || !clock) return [choose];
  const setClock = (changes: Partial<typeof clock>): void => {
    form.edit({ clock: { ...(form.choices.clock ?? clock), ...changes } });
  };
  return [
    choose,
    h(
      'div',
      { class: 'field-row' },
      numberField('Minutes', clock.minutes, { min: 0.5, max: MAX_MINUTES, step: 0.5 }, (minutes) =>
        setClock({ minutes }),
      ),
      numberField('Seconds a move', clock.increment, { min: 0, max: MAX_INCREMENT, step: 1 }, (increment) =>
        setClock({ increment }),
      ),
    ),
  ];
}
