// The buttons of a running or finished game.
import { fill, h } from '../dom';
import type { GameView, Side } from '../server/types';
import { formatResult } from './status';
import { icon, type IconName } from '../shell/icons';

export interface Actions {
  takeBack: () => void;
  hint: () => void;
  offerDraw: () => void;
  answerDraw: (accept: boolean) => void;
  resign: () => void;
  flip: () => void;
  newGame: () => void;
  rematch: () => void;
  analyse: () => void;
  retry: () => void;
}

interface Control {
  name: IconName;
  label: string;
  key: string;
  run: () => void;
  isAllowed: (game: GameView) => boolean;
}

export class Controls {
  readonly element = h('div', { class: 'controls', role: 'group', 'aria-label': 'Game controls' });
  private readonly buttons: readonly [HTMLButtonElement, Control][];

  constructor(actions: Actions) {
    const controls: readonly Control[] = [
      { name: 'back', label: 'Take back', key: 't', run: actions.takeBack, isAllowed: canTakeBack },
      { name: 'bulb', label: 'Hint', key: 'h', run: actions.hint, isAllowed: (game) => game.can.hint },
      { name: 'draw', label: 'Draw', key: 'd', run: actions.offerDraw, isAllowed: (game) => game.can.offer_draw },
      { name: 'flag', label: 'Resign', key: 'R', run: actions.resign, isAllowed: (game) => game.can.resign },
      { name: 'flip', label: 'Flip', key: 'f', run: actions.flip, isAllowed: (game) => canFlip(game) },
      { name: 'plus', label: 'New game', key: 'n', run: actions.newGame, isAllowed: () => true },
    ];
    this.buttons = controls.map((control) => {
      const { label, key, run, name } = control;
      const button = h(
        'button',
        { type: 'button', class: 'control', title: `${label} (${key})`, click: run },
        icon(name),
        h('span', {}, label),
      );
      return [button, control];
    });
    fill(this.element, ...this.buttons.map(([button]) => button));
  }

  update(game: GameView): void {
    for (const [button, control] of this.buttons) button.disabled = !control.isAllowed(game);
  }
}

/** In a finished game a copy goes on; the page asks first. */
export function canTakeBack({ can }: GameView): boolean {
  return can.takeback || can.play_on;
}

export function canFlip(game: GameView): boolean {
  return game.board.kind === 'grid' && game.board.turns;
}

/** What asks for an answer: the result with what to do next, a draw offer, an engine that failed. */
export class Questions {
  readonly element = h('div', { class: 'questions' });
  private drawn = '';

  constructor(private readonly actions: Actions) {}

  update(game: GameView): void {
    const key = JSON.stringify([game.result, game.draw_offer, game.engine.status, game.can.retry]);
    if (key === this.drawn) return;
    this.drawn = key;
    fill(
      this.element,
      game.result && this.result(game),
      game.draw_offer !== null && this.drawOffer(game, game.draw_offer),
      game.engine.status === 'failed' && this.failure(game),
    );
  }

  private result(game: GameView): HTMLElement | null {
    const { result } = game;
    if (!result) return null;
    const outcome = game.you === null || result.winner === null ? 'even' : result.winner === game.you ? 'won' : 'lost';
    return h(
      'section',
      { class: `result ${outcome}`, 'aria-label': 'Result' },
      h('p', { class: 'result-score' }, formatResult(result.score)),
      h('p', { class: 'result-text' }, result.text),
      h(
        'div',
        { class: 'button-row' },
        game.can.rematch && button('Rematch', 'again', this.actions.rematch, 'primary'),
        button('New game', 'plus', this.actions.newGame),
        game.game === 'chess' && button('Analyse', 'analysis', this.actions.analyse),
      ),
    );
  }

  private drawOffer(game: GameView, side: Side): HTMLElement {
    return h(
      'section',
      { class: 'question', 'aria-label': 'Draw offer' },
      h('p', {}, `${game.sides[side]} offers a draw.`),
      h(
        'div',
        { class: 'button-row' },
        button('Accept', 'draw', () => this.actions.answerDraw(true), 'primary'),
        button('Decline', 'flag', () => this.actions.answerDraw(false)),
      ),
    );
  }

  private failure(game: GameView): HTMLElement {
    return h(
      'section',
      { class: 'question failed', role: 'alert' },
      h('p', {}, game.engine.message ?? 'The engine stopped working. The game is safe.'),
      game.can.retry && h('div', { class: 'button-row' }, button('Try again', 'again', this.actions.retry, 'primary')),
    );
  }
}

function button(label: string, name: IconName, click: () => void, kind = ''): HTMLButtonElement {
  return h('button', { type: 'button', class: `button ${kind}`, click }, icon(name), label);
}
