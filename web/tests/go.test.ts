import assert from 'node:assert/strict';
import { test } from 'node:test';
import { losses, meanLoss, worst } from '../src/go/losses';
import { describeVerdict } from '../src/go/words';
import { handicapSquares, isGo, komiOf, koSquare, leadText, mostStones, prisoners } from '../src/go/position';
import { goName, readGoChoices } from '../src/go/choices';
import { Verdicts } from '../src/go/verdicts';
import { grid, move, played, position } from './samples';
import type { Judgement } from '../src/server/types';

const LETTERS = [...'abcdefghjklmnopqrst'];

function board(side: number) {
  return grid(side, side, { files: LETTERS.slice(0, side), style: 'points', art: 'stones' });
}

function verdict(ply: number, changes: Partial<Judgement> = {}): Judgement {
  const none = { win_rate: 0.5, lead: 0, best_lead: 0, owners: [], candidates: [], line: [] };
  return { ply, ...none, judge: 'UCT', ...changes };
}

function candidate(square: string) {
  return { move: move(null, square), visits: 10, win_rate: 0.6, prior: null };
}

test('Go is known by its name, with size and options', () => {
  assert.deepEqual(['go', 'go-9x9', 'go,komi=5.5', 'gomoku', 'golf-9x9'].map(isGo), [true, true, true, false, false]);
});

test('ko and komi are read from the position', () => {
  const shown = position({ text: '.X./XOX/.X. O 7 0 b2 komi6.5' });
  assert.deepEqual([koSquare(shown), komiOf(shown)], ['b2', 6.5]);
  assert.equal(koSquare(position({ text: '... X 0 0 - komi7' })), null);
});

test('handicap stones stand where the GTP standard puts them', () => {
  assert.deepEqual(handicapSquares(board(19), 5), ['d4', 'q16', 'q4', 'd16', 'k10']);
  assert.deepEqual(handicapSquares(board(19), 8), ['d4', 'q16', 'q4', 'd16', 'd10', 'q10', 'k4', 'k16']);
  assert.deepEqual(handicapSquares(board(9), 3), ['c3', 'g7', 'g3']);
  assert.deepEqual(
    [5, 7, 8, 9, 19].map((side) => mostStones(board(side))),
    [0, 4, 4, 9, 9],
  );
});

test('prisoners are counted for who took them', () => {
  const start = position({ cells: 'XO.O' });
  const moves = [
    played({ side: 0, position: position({ cells: 'X.X.' }) }),
    played({ side: 1, position: position({ cells: '.OXO' }) }),
  ];
  assert.deepEqual(prisoners(start, moves), [2, 1]);
  assert.deepEqual(prisoners(start, []), [0, 0]);
});

test('a move costs what it leaves behind, and the best move nothing', () => {
  const moves = [
    played({ side: 0, text: 'e5', san: 'e5' }),
    played({ side: 1, text: 'a1', san: 'a1' }),
    played({ side: 0, text: 'c3', san: 'c3' }),
  ];
  const verdicts = new Map([
    [0, verdict(0, { candidates: [candidate('e5')], best_lead: 3, win_rate: 0.6 })],
    [1, verdict(1, { candidates: [candidate('g7')], best_lead: -2, win_rate: 0.5, lead: 0 })],
    [2, verdict(2, { win_rate: 0.9, lead: 12 })],
  ]);
  const found = losses(moves, verdicts);
  // White lost 0.4 of 0.5, and 14 points: from 2 ahead to 12 behind. The last move is not judged yet.
  assert.deepEqual(
    found.map(({ ply, rate, points, better }) => [ply, rate, points, better]),
    [
      [1, 0, 0, null],
      [2, 0.4, 14, 'g7'],
    ],
  );
  assert.deepEqual(
    worst(found, 'points', 5).map(({ ply }) => ply),
    [2],
  );
  assert.equal(meanLoss(found, 1, 'points'), 14);
  assert.equal(meanLoss([], 0, 'rate'), null);
});

test('verdicts are asked for once, and forgotten with the moves that they were on', async () => {
  let asked = 0;
  const verdicts = new Verdicts('x', (_, ply) => Promise.resolve(verdict(ply, { lead: (asked += 1) })));
  const one = played({ position: position({ text: 'one' }) });
  verdicts.update({ start: position(), moves: [one] });
  await verdicts.ask(1);
  assert.equal((await verdicts.ask(1)).lead, 1);
  verdicts.update({ start: position(), moves: [played({ position: position({ text: 'other' }) })] });
  assert.equal((await verdicts.ask(1)).lead, 2);
  verdicts.update({ start: position(), moves: [] });
  assert.equal(verdicts.known.size, 0);
});

test('a verdict in words is that of the side to move', () => {
  const found = verdict(0, { win_rate: 0.3, lead: -4.25, owners: [1, -1, -0.9], candidates: [candidate('e5')] });
  assert.equal(describeVerdict(found, 1, true, false), 'White 70 %, W+4.3. e5 60 %. (UCT)');
  assert.equal(
    describeVerdict(found, 0, false, true),
    "Black 30 %, W+4.3. Likely Black's: 1 points, White's: 2. (UCT)",
  );
  assert.equal(leadText(0.01), 'even');
});

test('komi belongs to the name, and what was remembered is checked', () => {
  assert.equal(goName(9, { komi: 0.5, handicap: 4 }), 'go-9x9,komi=0.5');
  assert.equal(goName(19, { komi: null, handicap: 0 }), 'go-19x19');
  assert.deepEqual(readGoChoices({ komi: 'x', handicap: 12 }), { komi: null, handicap: 0 });
  assert.deepEqual(readGoChoices(null), { komi: null, handicap: 0 });
});
