import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Session, type SessionListener } from '../src/play/session';
import { type LiveListener, reconnectDelay } from '../src/server/live';
import type { Command } from '../src/server/types';
import { game, played, position } from './samples';

/** A session whose server is this test. */
function start(): { session: Session; live: LiveListener; sent: Command[]; log: string[]; cable: { isIn: boolean } } {
  const sent: Command[] = [];
  const log: string[] = [];
  const cable = { isIn: true };
  const listener: SessionListener = {
    changed: () => log.push('changed'),
    connection: (connection) => log.push(connection),
    refused: (message, source) => log.push(`${source}: ${message}`),
    notice: (message) => log.push(message),
    settings: () => {},
    gone: () => log.push('gone'),
  };
  let live: LiveListener | undefined;
  const session = new Session('abc', listener, (_id, given) => {
    live = given;
    return { send: (command) => (cable.isIn ? sent.push(command) > 0 : false), close: () => {} };
  });
  assert.ok(live);
  return { session, live, sent, log, cable };
}

function moves(sent: Command[]): Command[] {
  return sent.filter((command) => command.type === 'move');
}

test('a move is sent with the revision it was made for', () => {
  const { session, live, sent } = start();
  live.message({ type: 'game', kept: 0, game: game({ revision: 7 }) });
  session.move('e2e4', 'board');
  assert.deepEqual(moves(sent), [{ type: 'move', revision: 7, move: 'e2e4' }]);
  assert.equal(session.isMoving, true);
  live.message({ type: 'game', kept: 0, game: game({ revision: 8, moves: [played({})] }) });
  assert.equal(session.isMoving, false);
});

test('a move made without a connection is sent when the server is back with the same position', () => {
  const { session, live, sent, cable } = start();
  live.message({ type: 'game', kept: 0, game: game({ revision: 7 }) });
  cable.isIn = false;
  session.move('e2e4', 'board');
  assert.deepEqual(moves(sent), []);
  cable.isIn = true;
  live.connection('open');
  live.message({ type: 'game', kept: 0, game: game({ revision: 7 }) });
  assert.deepEqual(moves(sent), [{ type: 'move', revision: 7, move: 'e2e4' }]);
});

test('a move made without a connection is dropped when somebody else has moved meanwhile', () => {
  const { session, live, sent, cable } = start();
  live.message({ type: 'game', kept: 0, game: game({ revision: 7 }) });
  cable.isIn = false;
  session.move('e2e4', 'board');
  cable.isIn = true;
  live.connection('open');
  live.message({ type: 'game', kept: 0, game: game({ revision: 9, moves: [played({})] }) });
  assert.deepEqual(moves(sent), []);
  assert.equal(session.isMoving, false);
});

test('a refused move says so where it was made', () => {
  const { session, live, log } = start();
  live.message({ type: 'game', kept: 0, game: game() });
  session.move('Ke9', 'typed');
  live.message({ type: 'error', code: 'illegal_move', message: 'no legal move "Ke9"', reply_to: null });
  assert.ok(log.includes('typed: no legal move "Ke9"'));
  assert.equal(session.isMoving, false);
});

test('an older game than the one we have is ignored', () => {
  const { session, live } = start();
  live.message({ type: 'game', kept: 0, game: game({ revision: 5 }) });
  live.message({ type: 'game', kept: 0, game: game({ revision: 4 }) });
  assert.equal(session.game?.revision, 5);
});

test('looking back ends when the game goes on', () => {
  const { session, live } = start();
  const one = played({ position: position({ text: 'one' }) });
  const two = played({ side: 1, position: position({ text: 'two' }) });
  live.message({ type: 'game', kept: 0, game: game({ revision: 3, moves: [one, two], position: two.position }) });
  session.browse(1);
  assert.equal(session.shownPosition?.text, 'one');
  assert.equal(session.isBrowsing, true);
  session.browse(0);
  assert.equal(session.shownPosition?.text, 'start');
  session.browse(2);
  assert.equal(session.isBrowsing, false);
  session.browse(0);
  live.message({ type: 'game', kept: 0, game: game({ revision: 4, moves: [one], position: one.position }) });
  assert.equal(session.isBrowsing, false);
});

test('evaluations of moves that were taken back are forgotten', () => {
  const { session, live } = start();
  const moves = [played({}), played({ side: 1 })];
  live.message({ type: 'game', kept: 0, game: game({ revision: 3, moves }) });
  live.message({ type: 'evaluation', revision: 3, ply: 2, value: 0.5, score: null, wdl: null, depth: null, line: [] });
  assert.equal(session.evaluation?.value, 0.5);
  live.message({ type: 'game', kept: 0, game: game({ revision: 4 }) });
  live.message({ type: 'game', kept: 0, game: game({ revision: 5, moves }) });
  assert.equal(session.evaluation, null);
});

test('waiting for the server grows from a fifth of a second to five seconds', () => {
  assert.equal(reconnectDelay(0, 1), 200);
  assert.equal(reconnectDelay(3, 1), 1600);
  assert.equal(reconnectDelay(30, 1), 5000);
  assert.equal(reconnectDelay(30, 0), 3750);
});

test('only what changed is sent: moves of before are kept', () => {
  const { session, live } = start();
  const [first, second, third] = [played({ text: 'e2e4' }), played({ text: 'e7e5' }), played({ text: 'g1f3' })];
  live.message({ type: 'game', kept: 0, game: game({ revision: 3, moves: [first, second] }) });
  live.message({ type: 'game', kept: 2, game: game({ revision: 4, moves: [third] }) });
  assert.deepEqual(session.game?.moves, [first, second, third]);
  live.message({ type: 'game', kept: 1, game: game({ revision: 5, moves: [] }) });
  assert.deepEqual(session.game?.moves, [first]);
});

test('a position that nobody has judged is asked about while one looks at it', () => {
  const { session, live, sent } = start();
  session.wantEvaluations(true);
  live.message({ type: 'game', kept: 0, game: game({ revision: 3, moves: [played({}), played({ side: 1 })] }) });
  session.browse(1);
  assert.deepEqual(sent.at(-1), { type: 'evaluate', on: true, ply: 1 });
  const verdict = { revision: 3, ply: 1, value: 0.25, score: null, wdl: null, depth: null, line: [] };
  live.message({ type: 'evaluation', ...verdict });
  assert.equal(session.evaluation?.value, 0.25);
  const count = sent.length;
  session.browse(0);
  session.browse(1);
  assert.equal(sent.length, count + 1);
});
