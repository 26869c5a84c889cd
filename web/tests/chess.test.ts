import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseFen, possibleCastling, START_FEN, writeFen } from '../src/chess/fen';
import { capturedBy, materialLead } from '../src/chess/material';
import { spokenMove } from '../src/chess/words';
import { played } from './samples';

test('moves are spoken in words', () => {
  const spoken: Record<string, string> = {
    e4: 'e4',
    Nf3: 'knight f3',
    exd5: 'e takes d5',
    'Nbxd7+': 'knight b takes d7, check',
    R1a3: 'rook 1 a3',
    'Qh4e1#': 'queen h4 e1, checkmate',
    'e8=Q': 'e8, promotes to queen',
    'bxa1=N+': 'b takes a1, promotes to knight, check',
    'O-O': 'castles kingside',
    'O-O-O#': 'castles queenside, checkmate',
    a1a2: 'a1 a2',
    c: 'c',
  };
  for (const [san, words] of Object.entries(spoken)) assert.equal(spokenMove(san), words);
});

test('a FEN is read and written back', () => {
  for (const fen of [START_FEN, '8/8/8/3k4/4P3/8/8/4K3 b - e3 0 12', 'r3k2r/8/8/8/8/8/8/R3K2R w Kq - 5 9']) {
    const fields = parseFen(fen);
    assert.ok(fields);
    assert.equal(writeFen(fields), fen);
  }
});

test('cells run from a1 to h8', () => {
  const cells = parseFen(START_FEN)?.cells ?? '';
  assert.equal(cells.slice(0, 8), 'RNBQKBNR');
  assert.equal(cells.slice(56), 'rnbqkbnr');
});

test('what is no board is refused', () => {
  for (const text of ['', 'hello', '8/8/8/8/8/8/8', '9/8/8/8/8/8/8/8', 'x7/8/8/8/8/8/8/8', '8/8/8/8/8/8/8/77']) {
    assert.equal(parseFen(text), null, text);
  }
});

test('missing fields of a FEN have their usual values', () => {
  const fields = parseFen('8/8/8/8/8/8/8/8 b');
  assert.ok(fields);
  assert.equal(writeFen(fields), '8/8/8/8/8/8/8/8 b - - 0 1');
});

test('captures are listed by who took them, the strongest first', () => {
  const moves = [
    played({ side: 0, captured: 'p' }),
    played({ side: 1, captured: 'N' }),
    played({ side: 0, captured: 'q' }),
    played({ side: 1 }),
    played({ side: 0, captured: 'b' }),
  ];
  assert.deepEqual(capturedBy(moves), ['qbp', 'N']);
});

test('the lead counts pawns', () => {
  assert.equal(materialLead(parseFen(START_FEN)?.cells ?? ''), 0);
  assert.equal(materialLead('QRk.p'), 13);
});

test('a castling right goes with its rook, or its king', () => {
  const { cells } = parseFen(START_FEN) ?? assert.fail();
  const without = (square: number): string => `${cells.slice(0, square)}.${cells.slice(square + 1)}`;
  assert.equal(possibleCastling('KQkq', cells), 'KQkq');
  assert.equal(possibleCastling('KQkq', without(7)), 'Qkq');
  assert.equal(possibleCastling('KQkq', without(56)), 'KQk');
  assert.equal(possibleCastling('KQkq', without(4)), 'kq');
  assert.equal(possibleCastling('HAha', without(7)), 'HAha');
});
