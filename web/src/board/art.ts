// How the pieces of the other games look: drawn into a unit square whose middle is (0, 0).
import { svg } from '../dom';
import type { GridShape, Piece } from '../server/types';

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

/** A game without its size: "hexapawn" of "hexapawn-4x4". */
function familyOf(game: string): string {
  return game.split('-')[0] ?? game;
}

/** The class by which style sheets know a game's board. */
export function artClass(game: string): string {
  return `art-${familyOf(game).replace(/\W/g, '')}`;
}

/** The art of a game; a game that is not in the table gets stones on points, and lettered discs on squares. */
export function artOf(game: string, shape: GridShape): Art {
  const arts: Record<string, Art> = {
    connect4: { piece: disc, cell: hole },
    gomoku: { piece: markedStone },
    hexapawn: { piece: pawn },
    tictactoe: { piece: stroke },
  };
  return arts[familyOf(game)] ?? { piece: shape.style === 'points' ? stone : lettered };
}
