import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeBoard, describeSquare, squareIndex } from '../src/board/board';
import { Cursor } from '../src/board/cursor';
import { pointAt, squareAt, squareCenter, starsOf, viewBoxOf } from '../src/board/drawing';
import { enPassantSquares } from '../src/board/editable';
import { destinations, movesBetween, movesWithoutSquare, placementsOn } from '../src/board/moves';
import { parseFen } from '../src/chess/fen';
import type { GridShape } from '../src/server/types';
import { grid, move } from './samples';

const castling = move('e1', 'g1', { also: ['h1'] });

test('a castling king may be dropped on its goal or on its rook', () => {
  assert.deepEqual(destinations([castling, move('e1', 'f1')]).get('e1'), ['g1', 'h1', 'f1']);
  assert.deepEqual(movesBetween([castling], 'e1', 'h1'), [castling]);
  assert.deepEqual(movesBetween([castling], 'e1', 'g1'), [castling]);
});

test('a plain move wins over a castling that ends on the same square', () => {
  const step = move('e1', 'f1');
  const short = move('e1', 'g1', { also: ['f1'] });
  assert.deepEqual(movesBetween([short, step], 'e1', 'f1'), [step]);
});

test('promotions are several moves between the same squares', () => {
  const promotions = ['q', 'r', 'b', 'n'].map((promotion) => move('e7', 'e8', { promotion }));
  assert.equal(movesBetween(promotions, 'e7', 'e8').length, 4);
  assert.deepEqual(destinations(promotions).get('e7'), ['e8']);
});

test('a stone is placed by any square of its column', () => {
  const drop = move(null, 'c1', { also: ['c2', 'c3'] });
  assert.deepEqual(placementsOn([drop], 'c3'), [drop]);
  assert.deepEqual(placementsOn([drop], 'd1'), []);
  assert.equal(destinations([drop]).size, 0);
});

test('a pass has no square', () => {
  const pass = move(null, null, { text: 'pass', san: 'pass' });
  assert.deepEqual(movesWithoutSquare([castling, pass]), [pass]);
});

test('squares are found where they are drawn, from both sides', () => {
  const shape = grid(4, 3);
  for (const bottom of [0, 1] as const) {
    for (const square of ['a1', 'd1', 'b2', 'a3', 'd3']) {
      assert.equal(squareAt(shape, squareCenter(shape, square, bottom), bottom), square);
    }
  }
  assert.deepEqual(squareCenter(shape, 'a1', 0), { x: 0.5, y: 2.5 });
  assert.deepEqual(squareCenter(shape, 'a1', 1), { x: 3.5, y: 0.5 });
  assert.equal(squareAt(shape, { x: 4.1, y: 1 }, 0), null);
});

test('a board of points has a margin, and a click on a stone still means its point', () => {
  const shape: GridShape = { ...grid(15, 15), style: 'points' };
  assert.equal(viewBoxOf(shape), '-0.5 -0.5 16 16');
  assert.equal(viewBoxOf(grid(7, 6)), '0 0 7 6');
  assert.deepEqual(pointAt(grid(7, 6), 0.5, 1), { x: 3.5, y: 6 });
  assert.equal(squareAt(shape, pointAt(shape, 1 / 16, 15 / 16), 0), 'a1');
  assert.equal(squareAt(shape, pointAt(shape, 15 / 16, 1 / 16), 0), 'o15');
  assert.equal(squareAt(shape, pointAt(shape, 0.5, 0.5), 0), 'h8');
  assert.equal(squareAt(shape, pointAt(shape, 0.01, 0.5), 0), null);
});

test('large boards have the usual star points', () => {
  assert.deepEqual(starsOf(grid(15, 15)), ['d4', 'l4', 'h8', 'd12', 'l12']);
  assert.deepEqual(starsOf(grid(9, 9)), ['c3', 'g3', 'e5', 'c7', 'g7']);
  assert.equal(starsOf(grid(19, 19)).length, 9);
  assert.equal(starsOf(grid(10, 10)).length, 4);
  assert.deepEqual(starsOf(grid(8, 8)), []);
});

test('ranks above nine have two digits', () => {
  assert.equal(squareIndex(grid(3, 12), 'b11'), 31);
});

test('the cursor walks as the board is seen and stops at its edge', () => {
  const cursor = new Cursor(grid(3, 3));
  cursor.square = 'c1';
  assert.equal(cursor.walk('ArrowRight', 0), true);
  assert.equal(cursor.square, 'c1');
  cursor.walk('ArrowUp', 0);
  assert.equal(cursor.square, 'c2');
  cursor.walk('ArrowUp', 1);
  cursor.walk('ArrowRight', 1);
  assert.equal(cursor.square, 'b1');
  assert.equal(cursor.walk('x', 0), false);
});

test('the board is told in words', () => {
  const shape = grid(3, 3);
  assert.equal(describeBoard(shape, 'PP....p..', ['White', 'Black']), 'White: pawn a1, pawn b1. Black: pawn a3.');
  assert.equal(describeSquare(shape, 'PP....p..', 'a3'), 'a3, black pawn');
  assert.equal(describeSquare(shape, 'PP....p..', 'b2'), 'b2, empty');
  const stones = grid(3, 3, { pieces: { X: { side: 0, name: 'X' } } });
  assert.equal(describeBoard(stones, 'X........', ['X', 'O']), 'X: a1. O: nothing.');
});

test('en passant is offered only behind a pawn that may have come two squares', () => {
  const cells = (fen: string): string => parseFen(fen)?.cells ?? '';
  assert.deepEqual(enPassantSquares(grid(8, 8), cells('4k3/8/8/3pP3/8/8/8/4K3'), 'w'), ['d6']);
  assert.deepEqual(enPassantSquares(grid(8, 8), cells('4k3/3p4/8/3pP3/8/8/8/4K3'), 'w'), []);
  assert.deepEqual(enPassantSquares(grid(8, 8), cells('4k3/8/8/8/3pP3/8/8/4K3'), 'b'), ['e3']);
});
