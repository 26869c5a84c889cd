import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toggled, writeNags } from '../src/analysis/glyphs';
import { type Live, Study, type StudyListener } from '../src/analysis/study';
import { moveNumber } from '../src/analysis/tree';
import type { Edit, StudyCommand, StudyMessage, StudyNode } from '../src/analysis/types';
import { compact, percent, valueOf, writeScore } from '../src/analysis/words';

// What the browser has and node has not.
Object.assign(globalThis, {
  window: { setTimeout: (run: () => void) => (run(), 0) },
  location: { search: '' },
});

const node = (id: number, parent: number | null, children: number[], san = ''): StudyNode => ({
  id,
  parent,
  children,
  ply: id,
  san,
  text: san,
  from: null,
  to: null,
  fen: '8/8/8/8/8/8/8/8 w - - 0 1',
  check: null,
  comment: '',
  before: '',
  nags: [],
  opening: null,
});

function open(): {
  study: Study;
  sent: StudyCommand[];
  refused: [string, Edit | null][];
  say: (message: StudyMessage) => void;
  link: { isOpen: boolean };
} {
  const sent: StudyCommand[] = [];
  const refused: [string, Edit | null][] = [];
  const link = { isOpen: true };
  let say: (message: StudyMessage) => void = () => {};
  const listener: StudyListener = {
    changed: () => {},
    engine: () => {},
    review: () => {},
    tried: () => {},
    people: () => {},
    refused: (message, edit) => refused.push([message, edit]),
    connection: () => {},
    gone: () => {},
  };
  const study = new Study('x', listener, (_path, live): Live => {
    say = live.message;
    return { send: (command) => (link.isOpen && sent.push(command), link.isOpen), close: () => {} };
  });
  return { study, sent, refused, say: (message) => say(message), link };
}

const whole = (revision: number, nodes: StudyNode[]): StudyMessage => ({
  type: 'study',
  study: { id: 'x', revision, title: '', tags: {}, problems: [], source: '', created: '', updated: '', nodes },
});
const TREE = (): StudyNode[] => [
  node(0, null, [1, 3]),
  node(1, 0, [2], 'e4'),
  node(2, 1, [], 'e5'),
  node(3, 0, [], 'd4'),
];
const edits = (sent: StudyCommand[]): StudyCommand[] => sent.filter(({ type }) => type === 'comment');
const changed = (revision: number, replyTo: number): StudyMessage => ({
  type: 'change',
  revision,
  title: '',
  nodes: [],
  removed: [],
  tags: null,
  focus: null,
  reply_to: replyTo,
});

test('glyphs of a kind replace each other, and go when pressed again', () => {
  assert.deepEqual(toggled([1, 14], 4), [4, 14]);
  assert.deepEqual(toggled([4, 14], 4), [14]);
  assert.equal(writeNags([6, 200]), '?! $200');
});

test('scores and counts are written as people read them', () => {
  assert.equal(writeScore({ cp: -120, mate: null }), '−1.20');
  assert.equal(writeScore({ cp: null, mate: -2 }), '#−2');
  assert.equal(moveNumber(3) + moveNumber(4), '2.2…');
  assert.equal(compact(1_234_567), '1.2 M');
  assert.equal(percent(0.004), '<1 %');
  assert.equal(valueOf(null, [0.5, 0.3, 0.2]), 0.3);
});

test('one step goes along the line, a step aside to the next variation', () => {
  const { study, say } = open();
  say(whole(1, TREE()));
  study.step(1);
  study.step(1);
  assert.equal(study.current, 2);
  study.step(-Infinity);
  study.step(1);
  study.stepAside(1);
  assert.equal(study.current, 3);
});

test('the next edit waits for the answer to the one before, and names its revision', () => {
  const { study, say, sent } = open();
  say(whole(1, TREE()));
  study.edit({ type: 'comment', node: 1, text: 'a' });
  study.edit({ type: 'comment', node: 2, text: 'b' });
  assert.equal(edits(sent).length, 1);
  say(changed(2, 1));
  assert.deepEqual(edits(sent)[1], { type: 'comment', node: 2, text: 'b', revision: 2, id: 2 });
});

test('an edit made without a connection is made when it is back, wherever its move is then', () => {
  const { study, say, sent, link } = open();
  say(whole(1, TREE()));
  link.isOpen = false;
  study.edit({ type: 'comment', node: 3, text: 'late' });
  link.isOpen = true;
  say(whole(1, [node(0, null, [1, 2]), node(1, 0, [3], 'e4'), node(2, 0, [], 'd4'), node(3, 1, [], 'e5')]));
  assert.deepEqual(edits(sent), [{ type: 'comment', node: 2, text: 'late', revision: 1, id: 1 }]);
});

test('an edit of a study that has changed meanwhile is given back', () => {
  const { study, say, sent, refused, link } = open();
  say(whole(1, TREE()));
  link.isOpen = false;
  study.edit({ type: 'comment', node: 3, text: 'late' });
  link.isOpen = true;
  say(whole(2, TREE()));
  assert.deepEqual(edits(sent), []);
  assert.deepEqual(refused[0]?.[1], { type: 'comment', node: 3, text: 'late' });
});
