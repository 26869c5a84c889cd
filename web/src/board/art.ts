// How the pieces of the other games look: drawn into a unit square whose middle is (0, 0).
import { svg } from '../dom';
import type { BoardShape, GridShape, Piece } from '../server/types';

export interface Art {
  /** Draws one piece; `letter` is its character in `cells`. */
  piece: (letter: string, piece: Piece) => SVGElement;
  /** Draws a cell's ground; without it the board's style decides. */
  cell?: () => SVGElement;
}

function sideClass(piece: Piece): string {
  return `side-${piece.side}`;
}

function pawn(_letter: string, piece: Piece): SVGElement {
  return svg(
    'g',
    { class: `figure ${sideClass(piece)}` },
    svg('path', { d: 'M-.19 .24 C-.11 .1 -.08 0 -.07 -.07 H.07 C.08 0 .11 .1 .19 .24 Z' }),
    svg('path', { d: 'M-.27 .36 C-.27 .27 -.24 .23 -.19 .23 H.19 C.24 .23 .27 .27 .27 .36 Z' }),
    svg('circle', { cy: -0.21, r: 0.145 }),
    svg('rect', { x: -0.14, y: -0.105, width: 0.28, height: 0.06, rx: 0.03 }),
  );
}

function disc(_letter: string, piece: Piece): SVGElement {
  return svg(
    'g',
    { class: `disc ${sideClass(piece)}` },
    svg('circle', { r: 0.4 }),
    svg('g', { class: 'disc-mark', transform: 'scale(.75)' }, stroke('', piece)),
  );
}

function stone(_letter: string, piece: Piece): SVGElement {
  return svg('circle', { class: `stone ${sideClass(piece)}`, r: 0.47 });
}

/** A stone that tells whose it is also to those who know the sides by X and O. */
function markedStone(letter: string, piece: Piece): SVGElement {
  const mark = svg('g', { class: 'stone-mark', transform: 'scale(.6)' }, stroke(letter, piece));
  return svg('g', { class: `marked ${sideClass(piece)}` }, stone(letter, piece), mark);
}

function stroke(_letter: string, piece: Piece): SVGElement {
  if (piece.side === 1) return svg('circle', { class: 'stroke side-1', r: 0.27 });
  return svg('path', { class: 'stroke side-0', d: 'M-.26 -.26 L.26 .26 M.26 -.26 L-.26 .26' });
}

/** Any piece of a game we know nothing about: a disc of its side's color with its letter. */
function lettered(letter: string, piece: Piece): SVGElement {
  return svg(
    'g',
    { class: `lettered ${sideClass(piece)}` },
    svg('circle', { r: 0.4 }),
    svg('text', { y: 0.14, 'text-anchor': 'middle' }, letter),
  );
}

const hole = (): SVGElement => svg('circle', { class: 'hole', r: 0.41 });

const figure = (letter: string, piece: Piece): SVGElement =>
  letter.toUpperCase() === 'P' ? pawn(letter, piece) : lettered(letter, piece);

const ARTS: Record<GridShape['art'], Art> = {
  discs: { piece: disc, cell: hole },
  figures: { piece: figure },
  letters: { piece: lettered },
  'marked-stones': { piece: markedStone },
  stones: { piece: stone },
  strokes: { piece: stroke },
};

/** The class by which style sheets know how a board is drawn. */
export function artClass(shape: BoardShape): string {
  return shape.kind === 'grid' ? `art-${shape.art}` : 'art-text';
}

/** The art that a game's descriptor names. */
export function artOf(shape: GridShape): Art {
  return ARTS[shape.art];
}
