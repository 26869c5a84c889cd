// The verdicts on one game's positions, each asked for once.
import type { GameView, Judgement, Position } from '../server/types';
import { judgement } from './server';

export class Verdicts {
  /** By ply, of the game as it is now. */
  readonly known = new Map<number, Judgement>();
  private readonly texts: string[] = [];

  constructor(
    private readonly id: string,
    private readonly fetch: (id: string, ply: number) => Promise<Judgement> = judgement,
  ) {}

  /** Forgets what belongs to moves that were taken back or replaced. */
  update(game: Pick<GameView, 'start' | 'moves'>): void {
    const positions: Position[] = [game.start, ...game.moves.map((move) => move.position)];
    positions.forEach(({ text }, ply) => {
      if (this.texts[ply] !== text) this.known.delete(ply);
      this.texts[ply] = text;
    });
    for (const ply of this.known.keys()) if (ply >= positions.length) this.known.delete(ply);
    this.texts.length = positions.length;
  }

  async ask(ply: number): Promise<Judgement> {
    const found = this.known.get(ply);
    if (found) return found;
    const text = this.texts[ply];
    const fresh = await this.fetch(this.id, ply);
    if (this.texts[ply] === text) this.known.set(ply, fresh);
    return fresh;
  }
}
