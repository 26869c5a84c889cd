// The bar of one player: who, what was taken, and the clock.
import { artClass } from '../board/art';
import { capturedBy, materialLead } from '../chess/material';
import { pieceImage } from '../chess/pieces';
import { fill, h, setText } from '../dom';
import { isGo, prisoners } from '../go/position';
import type { GameView, PlayedMove, Position, Side } from '../server/types';
import { ClockFace } from './clock';

export class PlayerBar {
  readonly clock: ClockFace;
  readonly element: HTMLElement;
  private readonly dot = h('span', { class: 'side-dot', 'aria-hidden': 'true' });
  private readonly name = h('span', { class: 'player-name' });
  private readonly taken = h('span', { class: 'captured cg-wrap', 'aria-hidden': 'true' });
  private drawnTaken = '';

  constructor(flagged: () => void) {
    this.clock = new ClockFace(flagged);
    const who = h('div', { class: 'player-who' }, this.name, this.taken);
    this.element = h('div', { class: 'player' }, this.dot, who, this.clock.element);
  }

  /** Shows a side's player as of `moves`, the moves up to the position on the board; `game` came at `received`. */
  update(game: GameView, received: number, side: Side, moves: readonly PlayedMove[], position: Position): void {
    this.dot.className = `side-dot side-${side} ${artClass(game.board)}`;
    const name = game.players[side].name;
    setText(this.name, name);
    this.name.title = `${game.sides[side]}: ${name}`;
    this.element.classList.toggle('to-move', game.status !== 'over' && game.position.to_move === side);
    if (game.game === 'chess') this.showTaken(side, moves, position);
    if (isGo(game.game)) this.showPrisoners(prisoners(game.start, moves)[side]);
    const { clock } = game;
    this.clock.set(clock ? clock.remaining_ms[side] : null, clock?.running === side, received);
  }

  private showTaken(side: Side, moves: readonly PlayedMove[], position: Position): void {
    const letters = capturedBy(moves)[side];
    const lead = materialLead(position.cells ?? '') * (side === 0 ? 1 : -1);
    const drawn = `${letters}${lead}`;
    if (drawn === this.drawnTaken) return;
    this.drawnTaken = drawn;
    fill(this.taken, ...[...letters].map(pieceImage), lead > 0 && h('span', { class: 'lead' }, `+${lead}`));
  }

  private showPrisoners(count: number): void {
    setText(this.taken, count === 1 ? '1 prisoner' : `${count} prisoners`);
    this.taken.removeAttribute('aria-hidden');
    this.taken.className = 'captured prisoners';
  }

  destroy(): void {
    this.clock.destroy();
  }
}
