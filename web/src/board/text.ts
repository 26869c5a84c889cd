// The board of a game without squares: its drawing, and a button for each move.
import { fill, h, setText } from '../dom';
import type { Move } from '../server/types';
import type { BoardHandlers, BoardModel, BoardView } from './board';

export class TextBoard implements BoardView {
  private readonly drawing = h('pre', { class: 'text-drawing' });
  private readonly moves = h('div', { class: 'text-moves' });
  readonly element = h('div', { class: 'board text-board', tabindex: -1 }, this.drawing, this.moves);

  constructor(private readonly handlers: BoardHandlers) {}

  update(model: BoardModel): void {
    setText(this.drawing, model.position.drawing ?? model.position.text);
    fill(this.moves, ...model.legal.map((move) => this.button(move)));
  }

  suggest(move: Move | null): void {
    for (const button of this.moves.querySelectorAll('button')) {
      button.classList.toggle('suggested', button.dataset['move'] === move?.text);
    }
  }

  focus(): void {
    (this.moves.querySelector('button') ?? this.element).focus();
  }

  destroy(): void {}

  private button(move: Move): HTMLButtonElement {
    const click = (): void => this.handlers.move(move);
    return h('button', { type: 'button', class: 'button', 'data-move': move.text, click }, move.san);
  }
}
