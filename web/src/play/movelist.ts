// The list of moves: two columns with numbers; every move is a button that shows its position.
import { spokenMove } from '../chess/words';
import { fill, h } from '../dom';
import type { GameView, PlayedMove } from '../server/types';
import { icon, type IconName } from '../shell/icons';

/** A row of the list: its number and the moves of both sides; a game may begin with the second side's move. */
export interface MoveRow {
  number: number;
  moves: [PlayedMove | null, PlayedMove | null];
}

/** Puts moves into numbered rows; `firstNumber` is the number of the first one. */
export function moveRows(moves: readonly PlayedMove[], firstNumber: number): MoveRow[] {
  const rows: MoveRow[] = [];
  for (const move of moves) {
    const row = rows.at(-1);
    if (move.side === 1 && row && row.moves[1] === null) row.moves[1] = move;
    else rows.push({ number: firstNumber + rows.length, moves: move.side === 0 ? [move, null] : [null, move] });
  }
  return rows;
}

/** The number of the first move: FEN's last field in chess, else counted from the plies before. */
export function firstNumber(game: Pick<GameView, 'game' | 'start'>): number {
  const field = game.game === 'chess' ? Number(game.start.text.split(' ')[5]) : NaN;
  return Number.isInteger(field) && field > 0 ? field : Math.floor(game.start.ply / 2) + 1;
}

export class MoveList {
  private readonly list = h('div', { class: 'move-rows', tabindex: -1 });
  readonly element: HTMLElement;
  private drawn: readonly PlayedMove[] | null = null;

  constructor(private readonly show: (ply: number) => void) {
    const steps: [IconName, string, number][] = [
      ['first', 'First position (Home)', -Infinity],
      ['previous', 'One move back (←)', -1],
      ['next', 'One move on (→)', 1],
      ['last', 'Current position (End)', Infinity],
    ];
    const buttons = steps.map(([name, label, step]) =>
      h(
        'button',
        { type: 'button', class: 'icon-button', title: label, 'aria-label': label, click: () => this.step(step) },
        icon(name),
      ),
    );
    this.element = h(
      'section',
      { class: 'move-list', 'aria-label': 'Moves' },
      this.list,
      h('div', { class: 'move-steps' }, ...buttons),
    );
  }

  private shown = 0;

  /** Goes forward or backward from the move that is shown; infinity is the end. */
  step(by: number): void {
    this.show(Math.min(Math.max(this.shown + by, 0), this.drawn?.length ?? 0));
  }

  update(game: GameView, shown: number): void {
    this.shown = shown;
    if (!this.drawn || !sameMoves(this.drawn, game.moves)) this.draw(game);
    for (const button of this.list.querySelectorAll('button')) {
      const isShown = button.dataset['ply'] === String(shown);
      if (isShown) button.setAttribute('aria-current', 'true');
      else button.removeAttribute('aria-current');
      if (isShown) this.scrollTo(button);
    }
    if (shown === 0) this.list.scrollTo(0, 0);
  }

  private draw(game: GameView): void {
    this.drawn = game.moves;
    let ply = 0;
    const cell = (move: PlayedMove | null): HTMLElement => {
      if (!move) return h('span', { class: 'no-move' }, '…');
      ply += 1;
      return this.button(move, ply, game.sides);
    };
    const rows = moveRows(game.moves, firstNumber(game)).map((row) => {
      const isOpen = row.moves[0] !== null && row.moves[1] === null;
      return h(
        'div',
        { class: 'move-row' },
        h('span', { class: 'move-number' }, `${row.number}.`),
        cell(row.moves[0]),
        isOpen ? null : cell(row.moves[1]),
      );
    });
    if (rows.length === 0) fill(this.list, h('p', { class: 'no-moves' }, 'No moves yet.'));
    else fill(this.list, ...rows);
  }

  private button(move: PlayedMove, ply: number, sides: readonly [string, string]): HTMLButtonElement {
    // What is seen comes first in what is said, so that speech input finds the button by it.
    const words = spokenMove(move.san);
    const label = `${move.san}, ${sides[move.side]}${words === move.san ? '' : `: ${words}`}`;
    const click = (): void => this.show(ply);
    return h('button', { type: 'button', class: 'move', 'data-ply': ply, 'aria-label': label, click }, move.san);
  }

  /** Scrolls the list itself and never the page. */
  private scrollTo(button: HTMLElement): void {
    const { list } = this;
    const above = button.offsetTop - list.offsetTop;
    list.scrollTo(button.offsetLeft - list.clientWidth / 2, above - list.clientHeight / 2);
  }
}

function sameMoves(a: readonly PlayedMove[], b: readonly PlayedMove[]): boolean {
  return a.length === b.length && a.every((move, index) => move.text === b[index]?.text);
}
