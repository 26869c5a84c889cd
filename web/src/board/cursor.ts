// A cursor that walks over a board by arrow keys.
import type { GridShape, Side, Square } from '../server/types';
import { squareName } from './board';

const STEPS: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

export class Cursor {
  private column: number;
  private row: number;

  constructor(private readonly shape: GridShape) {
    this.column = Math.floor(shape.width / 2);
    this.row = Math.min(1, shape.height - 1);
  }

  get square(): Square {
    return squareName(this.shape, this.column, this.row);
  }

  set square(square: Square) {
    this.column = Math.max(
      0,
      this.shape.files.findIndex((file) => square.startsWith(file)),
    );
    this.row = Math.max(0, this.shape.ranks.indexOf(square.slice(this.shape.files[this.column]?.length ?? 0)));
  }

  /** Walks one square as seen by the side at the bottom; says whether the key was one of ours. */
  walk(key: string, bottom: Side): boolean {
    const step = STEPS[key];
    if (!step) return false;
    const sign = bottom === 0 ? 1 : -1;
    this.column = clamp(this.column + sign * step[0], this.shape.width);
    this.row = clamp(this.row + sign * step[1], this.shape.height);
    return true;
  }
}

function clamp(value: number, size: number): number {
  return Math.min(Math.max(value, 0), size - 1);
}
