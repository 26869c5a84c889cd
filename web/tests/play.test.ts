import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeChange } from '../src/play/announcer';
import { formatClock, spokenClock } from '../src/play/clock';
import { formatScore, formatThought } from '../src/play/evaluation';
import { firstNumber, moveRows } from '../src/play/movelist';
import { describeClock, describeGame, describeStatus, formatResult } from '../src/play/status';
import { game, played, position } from './samples';

test('clocks show tenths when it gets close', () => {
  assert.equal(formatClock(300_000), '5:00');
  assert.equal(formatClock(65_999), '1:05');
  assert.equal(formatClock(9_940), '0:09.9');
  assert.equal(formatClock(-5), '0:00.0');
  assert.equal(formatClock(3_723_000), '1:02:03');
  assert.equal(spokenClock(65_000), '1 minutes 5 seconds');
});

test('scores are written as chess players write them', () => {
  assert.equal(formatScore({ cp: 36, mate: null }, 0.1), '+0.4');
  assert.equal(formatScore({ cp: -120, mate: null }, -0.2), '−1.2');
  assert.equal(formatScore({ cp: 2, mate: null }, 0), '0.0');
  assert.equal(formatScore({ cp: -1280, mate: null }, -0.9), '−13');
  assert.equal(formatScore({ cp: null, mate: -3 }, -0.99), '#−3');
  assert.equal(formatScore(null, 0.5), '+0.5');
  assert.equal(formatScore(null, 1), '');
});

test("an engine's counters are listed", () => {
  const thought = {
    nodes: 9050,
    depth: 3,
    time_ms: 1234,
    score: null,
    value: null,
    counters: { cutoffs: 12 },
    line: [],
  };
  assert.equal(formatThought(thought), 'depth 3 · 9,050 nodes · 12 cutoffs · 1.2 s');
  assert.equal(formatThought({ ...thought, nps: 1_234_567 }), 'depth 3 · 9,050 nodes · 12 cutoffs · 1.2 M/s · 1.2 s');
  // A network that plays by instinct looks at one position.
  const instinct = { ...thought, depth: 1, nodes: 1, counters: { tree_nodes: 1 }, time_ms: 0 };
  assert.equal(formatThought(instinct), 'depth 1 · 1 node · 1 tree node · 0.0 s');
  // GTP has no word for nodes.
  assert.equal(formatThought({ ...thought, depth: null, nodes: 0, counters: {} }), '1.2 s');
});

test('rows have numbers, and a game may begin with Black', () => {
  const moves = [played({ side: 1 }), played({ side: 0 }), played({ side: 1 }), played({ side: 0 })];
  const rows = moveRows(moves, 12);
  assert.deepEqual(
    rows.map((row) => [row.number, row.moves.map((move) => move !== null)]),
    [
      [12, [false, true]],
      [13, [true, true]],
      [14, [true, false]],
    ],
  );
  assert.equal(firstNumber({ game: 'chess', start: position({ text: '8/8/8/8/8/8/8/8 b - - 0 12' }) }), 12);
  assert.equal(firstNumber({ game: 'connect4', start: position({ ply: 5 }) }), 3);
});

test('changes are announced with the side that moved and the result', () => {
  const before = game();
  const moves = [played({ side: 0, san: 'e4' }), played({ side: 1, san: 'Nf6' })];
  assert.equal(describeChange(before, game({ moves })), 'White: e4. Black: knight f6. Your turn.');
  assert.equal(describeChange(game({ moves }), before), 'Moves taken back. Your turn.');
  assert.equal(describeChange(before, before), '');
  const result = {
    winner: 0 as const,
    score: '1-0' as const,
    reason: 'checkmate',
    text: 'White wins: checkmate.',
    squares: [],
  };
  assert.equal(
    describeChange(before, game({ moves, result, status: 'over' })).endsWith('White wins: checkmate.'),
    true,
  );
});

test('a game is named with its variant and clock', () => {
  assert.equal(describeClock({ base_ms: 300_000, increment_ms: 3000 }), '5+3');
  assert.equal(describeClock({ base_ms: 30_000, increment_ms: 0 }), '0.5+0');
  assert.equal(describeGame(game({ variant: 'chess960', chess960_number: 518 })), 'Chess960 no. 518');
  assert.equal(formatResult('1/2-1/2'), '½–½');
});

test('the status says whose turn it is', () => {
  assert.equal(describeStatus(game()), 'Your move');
  assert.equal(describeStatus(game({ you: null })), 'White to move');
  const thinking = game({ status: 'engine_turn', position: position({ to_move: 1 }) });
  assert.equal(describeStatus(thinking), 'Engine is thinking…');
});
