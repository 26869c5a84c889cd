// Draws any board of squares or points as SVG, one unit a square; used for playing and for small pictures alike.
import { svg } from '../dom';
import type { GridShape, Position, Side, Square } from '../server/types';
import type { Art } from './art';
import { squareIndex, squareName } from './board';

export interface Point {
  x: number;
  y: number;
}

/** How far the ground reaches beyond the outer squares: stones on points leave no other room for the names of lines. */
function marginOf(shape: GridShape): number {
  return shape.style === 'points' ? 0.5 : 0;
}

/** The drawing's width and height in squares. */
export function extentOf(shape: GridShape): { width: number; height: number } {
  const margins = 2 * marginOf(shape);
  return { width: shape.width + margins, height: shape.height + margins };
}

export function viewBoxOf(shape: GridShape): string {
  const { width, height } = extentOf(shape);
  return `${-marginOf(shape)} ${-marginOf(shape)} ${width} ${height}`;
}

/** The point of the drawing that is seen at these shares of its box, each from 0 to 1. */
export function pointAt(shape: GridShape, across: number, down: number): Point {
  const { width, height } = extentOf(shape);
  return { x: across * width - marginOf(shape), y: down * height - marginOf(shape) };
}

/** Where a square's middle is drawn. */
export function squareCenter(shape: GridShape, square: Square, bottom: Side): Point {
  const index = squareIndex(shape, square);
  const column = index % shape.width;
  const row = Math.floor(index / shape.width);
  return bottom === 0
    ? { x: column + 0.5, y: shape.height - row - 0.5 }
    : { x: shape.width - column - 0.5, y: row + 0.5 };
}

/** The square under a point of the drawing; null beside the board. */
export function squareAt(shape: GridShape, point: Point, bottom: Side): Square | null {
  const x = Math.floor(point.x);
  const y = Math.floor(point.y);
  if (x < 0 || y < 0 || x >= shape.width || y >= shape.height) return null;
  return bottom === 0 ? squareName(shape, x, shape.height - 1 - y) : squareName(shape, shape.width - 1 - x, y);
}

export function allSquares(shape: GridShape): Square[] {
  return shape.ranks.flatMap((_, row) => shape.files.map((_, column) => squareName(shape, column, row)));
}

/** The ground: squares, or the lines of a board of points, or the holes of connect four. */
export function drawGround(shape: GridShape, art: Art, bottom: Side): SVGElement {
  const { x, y } = pointAt(shape, 0, 0);
  const frame = svg('rect', { class: 'ground', x, y, ...extentOf(shape) });
  if (shape.style === 'points') return svg('g', {}, frame, drawLines(shape), ...drawStars(shape));
  const cells = allSquares(shape).map((square) => {
    const { x, y } = squareCenter(shape, square, bottom);
    if (art.cell) return svg('g', { transform: `translate(${x} ${y})` }, art.cell());
    const index = squareIndex(shape, square);
    const isDark = ((index % shape.width) + Math.floor(index / shape.width)) % 2 === 0;
    const shade = shape.style === 'checkered' ? (isDark ? 'dark' : 'light') : 'plain';
    return svg('rect', { class: `cell ${shade}`, x: x - 0.5, y: y - 0.5, width: 1, height: 1 });
  });
  return svg('g', {}, frame, ...cells);
}

function drawLines(shape: GridShape): SVGElement {
  const { width, height } = shape;
  const rows = shape.ranks.map((_, row) => `M.5 ${row + 0.5} H${width - 0.5}`);
  const columns = shape.files.map((_, column) => `M${column + 0.5} .5 V${height - 0.5}`);
  return svg('path', { class: 'lines', d: [...rows, ...columns].join(' ') });
}

/** The points that help the eye on a large board: near the corners, in the middle, on 19 lines halfway too. */
export function starsOf(shape: GridShape): Square[] {
  const lines = (size: number): number[] => {
    const edge = size < 13 ? 2 : 3;
    return [edge, (size - 1) / 2, size - 1 - edge];
  };
  const shorter = Math.min(shape.width, shape.height);
  const stars: Square[] = [];
  if (shorter < 9) return stars;
  lines(shape.height).forEach((row, up) => {
    lines(shape.width).forEach((column, across) => {
      const isCornerOrMiddle = (up === 1) === (across === 1);
      const isPoint = Number.isInteger(row) && Number.isInteger(column);
      if (isPoint && (isCornerOrMiddle || shorter >= 19)) stars.push(squareName(shape, column, row));
    });
  });
  return stars;
}

function drawStars(shape: GridShape): SVGElement[] {
  return starsOf(shape).map((square) => {
    const { x, y } = squareCenter(shape, square, 0);
    return svg('circle', { class: 'star', cx: x, cy: y, r: 0.1 });
  });
}

/** The names of files and ranks: beside the lines, or small in the corners of the outer squares. */
export function drawCoordinates(shape: GridShape, bottom: Side): SVGElement {
  // As large on the screen as on a chess board, however many squares there are.
  const size = 0.019 * Math.max(shape.width, shape.height);
  const group = svg('g', { class: 'coordinates', 'font-size': size, 'aria-hidden': 'true' });
  const firstRank = bottom === 0 ? 0 : shape.height - 1;
  const lastFile = bottom === 0 ? shape.width - 1 : 0;
  if (shape.style === 'points') {
    const middle = { 'text-anchor': 'middle' };
    shape.files.forEach((file, column) => {
      const { x } = squareCenter(shape, squareName(shape, column, firstRank), bottom);
      group.append(svg('text', { ...middle, x, y: shape.height + 0.25 + 0.35 * size }, file));
    });
    shape.ranks.forEach((rank, row) => {
      const { y } = squareCenter(shape, squareName(shape, lastFile, row), bottom);
      group.append(svg('text', { ...middle, x: -0.23, y: y + 0.35 * size }, rank));
    });
    return group;
  }
  shape.files.forEach((file, column) => {
    const { x, y } = squareCenter(shape, squareName(shape, column, firstRank), bottom);
    group.append(svg('text', { x: x - 0.5 + 0.3 * size, y: y + 0.5 - 0.35 * size }, file));
  });
  shape.ranks.forEach((rank, row) => {
    const { x, y } = squareCenter(shape, squareName(shape, lastFile, row), bottom);
    group.append(svg('text', { x: x + 0.5 - 0.3 * size, y: y - 0.5 + 1.05 * size, 'text-anchor': 'end' }, rank));
  });
  return group;
}

/** One piece on its square; null where there is none. */
export function drawPiece(
  shape: GridShape,
  art: Art,
  position: Position,
  square: Square,
  bottom: Side,
): SVGGElement | null {
  const letter = position.cells?.[squareIndex(shape, square)] ?? '.';
  const piece = shape.pieces[letter];
  if (!piece) return null;
  const { x, y } = squareCenter(shape, square, bottom);
  // Two groups: the outer one is for the place, the inner one is free to be animated and dragged.
  return svg(
    'g',
    { transform: `translate(${x} ${y})` },
    svg('g', { class: 'piece', 'data-square': square }, art.piece(letter, piece)),
  );
}

/** A picture of a position, not to be played on. */
export function drawPicture(shape: GridShape, art: Art, position: Position): SVGSVGElement {
  const pieces = allSquares(shape).map((square) => drawPiece(shape, art, position, square, 0));
  return svg(
    'svg',
    { class: 'grid-picture', viewBox: viewBoxOf(shape), 'aria-hidden': 'true' },
    drawGround(shape, art, 0),
    ...pieces,
  );
}
