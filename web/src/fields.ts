// Form fields with their labels; every one is the browser's own, so keyboards and screen readers know them.
import { textOf } from './charsets';
import { type Child, h } from './dom';

let count = 0;

function freshId(): string {
  count += 1;
  return `field-${count}`;
}

export interface Option<T extends string> {
  value: T;
  label: string;
  /** Shown instead of the label alone. */
  content?: Child;
}

/** A row of choices that excludes all but one. */
export function choiceField<T extends string>(
  legend: string,
  options: readonly Option<T>[],
  value: T,
  change: (value: T) => void,
): HTMLFieldSetElement {
  const name = freshId();
  const labels = options.map((option) =>
    h(
      'label',
      {},
      h('input', {
        type: 'radio',
        name,
        value: option.value,
        checked: option.value === value,
        change: () => change(option.value),
      }),
      h('span', {}, option.content ?? null, option.label),
    ),
  );
  return h('fieldset', { class: 'choice' }, h('legend', {}, legend), h('div', { class: 'choice-row' }, ...labels));
}

export function selectField<T extends string>(
  label: string,
  options: readonly Option<T>[],
  value: T,
  change: (value: T) => void,
): HTMLElement {
  const id = freshId();
  const select = h(
    'select',
    { id, change: () => change(select.value as T) },
    ...options.map((option) => h('option', { value: option.value, selected: option.value === value }, option.label)),
  );
  return h('div', { class: 'field' }, h('label', { for: id }, label), select);
}

export function numberField(
  label: string,
  value: number,
  limits: { min: number | null; max: number | null; step?: number | 'any' },
  change: (value: number) => void,
  // "change" waits until the whole number is there.
  event: 'input' | 'change' = 'input',
): HTMLElement {
  const id = freshId();
  const input = h('input', { id, type: 'number', value, inputmode: 'decimal', required: true, ...limits });
  input.addEventListener(event, () => {
    if (input.value !== '' && input.validity.valid) change(input.valueAsNumber);
  });
  return h('div', { class: 'field number' }, h('label', { for: id }, label), input);
}

/** A number that may be left out: an empty field is null, and shows the words for it. */
export function unsetNumberField(
  label: string,
  value: number | null,
  limits: { min: number | null; max: number | null; step?: number | 'any' },
  unset: string,
  change: (value: number | null) => void,
): HTMLElement {
  const id = freshId();
  const shown = { id, type: 'number', value: value ?? '', inputmode: 'decimal', placeholder: unset };
  const input = h('input', { ...shown, ...limits });
  input.addEventListener('input', () => {
    if (input.validity.valid) change(input.value === '' ? null : input.valueAsNumber);
  });
  return h('div', { class: 'field number' }, h('label', { for: id }, label), input);
}

export function textField(label: string, value: string, limit: number, change: (value: string) => void): HTMLElement {
  const id = freshId();
  const input = h('input', { id, type: 'text', value, maxlength: limit, autocomplete: 'off', spellcheck: 'false' });
  input.addEventListener('change', () => change(input.value));
  return h('div', { class: 'field' }, h('label', { for: id }, label), input);
}

export function switchField(
  label: string,
  help: string,
  value: boolean,
  change: (value: boolean) => void,
): HTMLElement {
  const id = freshId();
  const input = h('input', { id, type: 'checkbox', role: 'switch', class: 'switch', checked: value });
  input.addEventListener('change', () => change(input.checked));
  return h('div', { class: 'field switch-field' }, h('label', { for: id }, label, help && h('small', {}, help)), input);
}

/** A slider whose value is written beside it. */
export function sliderField(
  label: string,
  value: number,
  limits: { min: number; max: number; step: number },
  write: (value: number) => string,
  change: (value: number) => void,
): HTMLElement {
  const id = freshId();
  const output = h('output', { for: id }, write(value));
  const input = h('input', { id, type: 'range', ...limits, value, 'aria-valuetext': write(value) });
  input.value = String(value);
  const show = (): void => {
    const share = (input.valueAsNumber - limits.min) / (limits.max - limits.min || 1);
    input.style.setProperty('--share', `${100 * share}%`);
    output.textContent = write(input.valueAsNumber);
    input.setAttribute('aria-valuetext', write(input.valueAsNumber));
  };
  input.addEventListener('input', () => {
    show();
    change(input.valueAsNumber);
  });
  show();
  return h('div', { class: 'field slider' }, h('label', { for: id }, label), output, input);
}

const TYPING_MS = 250;

/** A field for a text from elsewhere, pasted, typed or dropped as a file; `paused` comes when nothing has for a while. */
export function pasteField(
  label: string,
  placeholder: string,
  value: string,
  { changed, paused }: { changed: (text: string) => void; paused: () => void },
): HTMLElement {
  const id = freshId();
  const area = h('textarea', { id, rows: 4, spellcheck: 'false', placeholder });
  area.value = value;
  let timer = 0;
  area.addEventListener('input', () => {
    changed(area.value);
    clearTimeout(timer);
    timer = window.setTimeout(paused, TYPING_MS);
  });
  area.addEventListener('dragover', (event) => event.preventDefault());
  area.addEventListener('drop', (event) => {
    const file = event.dataTransfer?.files[0];
    if (!file) return;
    event.preventDefault();
    void file.arrayBuffer().then((data) => {
      area.value = textOf(new Uint8Array(data));
      area.dispatchEvent(new Event('input'));
    });
  });
  return h('div', { class: 'field' }, h('label', { for: id }, label), area);
}
