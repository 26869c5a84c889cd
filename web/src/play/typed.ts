// The field for typed moves.
import { h, setShown, setText } from '../dom';

export class TypedMove {
  private readonly input = h('input', {
    id: 'typed-move',
    type: 'text',
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
    enterkeyhint: 'send',
    maxlength: 20,
    'aria-describedby': 'typed-problem',
  });
  private readonly problem = h('p', { id: 'typed-problem', class: 'field-problem', role: 'alert', hidden: true });
  readonly element: HTMLFormElement;

  constructor(send: (text: string) => void) {
    this.element = h(
      'form',
      { class: 'typed-move' },
      h('label', { for: 'typed-move' }, 'Type a move', h('kbd', {}, 'm')),
      this.input,
      h('button', { type: 'submit', class: 'button' }, 'Move'),
      this.problem,
    );
    this.element.addEventListener('submit', (event) => {
      event.preventDefault();
      const text = this.input.value.trim();
      this.refuse('');
      if (text) send(text);
    });
    this.input.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') this.input.blur();
    });
  }

  /** Tells the field how a move is written in this game. */
  setExample(example: string): void {
    this.input.placeholder = example;
  }

  /** Says what is wrong with what was typed, and lets it be typed over. */
  refuse(problem: string): void {
    setText(this.problem, problem);
    setShown(this.problem, problem !== '');
    this.input.setAttribute('aria-invalid', String(problem !== ''));
    if (problem) this.input.select();
  }

  clear(): void {
    this.input.value = '';
    this.refuse('');
  }

  focus(): void {
    this.input.focus();
    this.input.select();
  }
}
