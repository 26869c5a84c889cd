import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Choices,
  chosenOpponent,
  chosenStrength,
  listedOpponents,
  newGameRequest,
  familyOf,
  readChoices,
} from '../src/newgame/choices';
import { textOf } from '../src/charsets';
import { eloWords } from '../src/newgame/opponent';
import { looksLikePgn, tooLarge } from '../src/newgame/pasted';
import type { About, Habit, Opponent, Rules } from '../src/server/types';
import { valid } from '../src/settings';
import { grid, position } from './samples';

const elo = {
  kind: 'elo',
  min: 800,
  max: 2400,
  step: 50,
  default: 1200,
  has_full: true,
  scale: null,
  words: [],
  estimated_below: null,
} as const;
const classic: Opponent = {
  name: 'classic',
  title: 'Classic engine',
  description: '',
  games: ['chess'],
  strength: { ...elo, words: [] },
  settings: [],
  habits: [],
  status: 'ready',
  problem: null,
};
const uct: Opponent = {
  ...classic,
  name: 'uct',
  games: null,
  strength: { kind: 'levels', levels: ['100', '1000'], default: 2 },
};
const person: Opponent = { ...classic, name: 'person', games: null, strength: { kind: 'none' } };

function rules(name: string, opponents: string[]): Rules {
  return {
    name,
    title: name,
    rules: '',
    sides: ['White', 'Black'],
    board: grid(8, 8),
    start: position(),
    sizes: null,
    chess960: false,
    pgn: false,
    editor: false,
    opponents,
    first_opponents: opponents,
    default_opponent: opponents[0] ?? 'person',
  };
}

const chess = rules('chess', ['classic', 'uct', 'person']);
const hexapawn = rules('hexapawn', ['uct', 'person']);
const about: About = {
  protocol: 1,
  version: '0',
  games: [chess, hexapawn],
  opponents: [classic, uct, person],
  first_game: 'chess',
  limits: { pgn_bytes: 1, name_chars: 1 },
  settings: {},
  has_runs: false,
  notice: null,
};

test('nothing remembered gives the defaults: chess against the engine at 1200, White, no clock', () => {
  const choices = readChoices('', about);
  assert.deepEqual(newGameRequest(choices, about, chess, { kind: 'standard' }), {
    game: 'chess',
    opponent: 'classic',
    strength: { elo: 1200 },
    habits: [],
    side: 'first',
    clock: null,
    start: { kind: 'standard' },
  });
});

test('what was chosen last time is chosen again', () => {
  const chosen: Choices = {
    game: 'hexapawn',
    size: { width: 4, height: 5 },
    opponent: 'uct',
    side: 'random',
    clock: { minutes: 5, increment: 3 },
    strength: { uct: { level: 1 } },
    habits: ['pace'],
    go: { komi: 6.5, handicap: 3 },
  };
  const choices = readChoices(JSON.stringify(chosen), about);
  assert.deepEqual(choices, chosen);
  const request = newGameRequest(choices, about, hexapawn, { kind: 'standard' });
  assert.deepEqual(request.clock, { base_ms: 300_000, increment_ms: 3000 });
  assert.deepEqual(request.strength, { level: 1 });
});

test('a game named at the start is not of the size of the last one', () => {
  const sized = {
    ...about,
    games: [...about.games, rules('hexapawn-4x4', ['uct', 'person'])],
    first_game: 'hexapawn-4x4',
  };
  const kept = JSON.stringify({
    game: 'go',
    size: { width: 13, height: 13 },
    go: { komi: 6.5, handicap: 3 },
    side: 'second',
  });
  const choices = readChoices(kept, sized);
  assert.deepEqual([choices.game, choices.size, choices.go], ['hexapawn-4x4', null, { komi: null, handicap: 0 }]);
  assert.equal(choices.side, 'second');
});

test('another size of a game belongs to the game of the menu', () => {
  assert.equal(familyOf('hexapawn-4x4', about), 'hexapawn');
  assert.equal(familyOf('hexapawn', about), 'hexapawn');
  assert.equal(familyOf('my-game.py:Mine', about), 'my-game.py:Mine');
});

test('a dropped file is read by the charset that it names', () => {
  const file = (charset: string, name: number[]): Uint8Array => {
    return Uint8Array.from([...Buffer.from(`(;CA[${charset}]PB[`), ...name, ...Buffer.from('];B[aa])')]);
  };
  assert.equal(textOf(file('GBK', [0xb9, 0xc5, 0xc1, 0xa6, 0x81, 0x5d])), '(;CA[GBK]PB[古力乚];B[aa])');
  assert.equal(textOf(file('EUC-KR', [0xb9, 0xda])), '(;CA[EUC-KR]PB[박];B[aa])');
  assert.equal(textOf(file('GBK', [...Buffer.from('古力')])), '(;CA[GBK]PB[古力];B[aa])');
  for (const charset of ['UTF-8', 'utf-16', 'nonsense']) {
    assert.equal(textOf(file(charset, [0xfc])), `(;CA[${charset}]PB[ü];B[aa])`);
  }
});

test('remembered nonsense is replaced by the defaults', () => {
  const defaults = readChoices('', about);
  for (const text of ['{', 'null', '[]', '{"game": 5, "side": "up", "clock": {"minutes": -1}}', '{"game": "shogi"}']) {
    assert.deepEqual(readChoices(text, about), defaults, text);
  }
});

test('an opponent who does not play the game gives way to the default one', () => {
  const choices = { ...readChoices('', about), opponent: 'classic' };
  assert.equal(chosenOpponent(choices, about, hexapawn)?.name, 'uct');
  assert.equal(chosenOpponent(choices, about, chess)?.name, 'classic');
});

test('a strength out of range gives way to the default one', () => {
  const choices = readChoices('{"strength": {"classic": {"elo": 5000}, "uct": {"level": 9}}}', about);
  assert.deepEqual(chosenStrength(choices, classic), { elo: 1200 });
  assert.deepEqual(chosenStrength(choices, uct), { level: 2 });
  assert.deepEqual(chosenStrength({ ...choices, strength: { classic: { full: true } } }, classic), { full: true });
  assert.equal(chosenStrength(choices, person), null);
});

test('ratings have a word', () => {
  const scale = {
    ...elo,
    words: [
      [1000, 'beginner'],
      [1600, 'club player'],
    ] as [number, string][],
    estimated_below: 1000,
  };
  assert.equal(eloWords(scale, 950), '950 · beginner · estimated');
  assert.equal(eloWords(scale, 1000), '1000 · club player');
  assert.equal(eloWords(scale, 1600), '1600');
  assert.equal(eloWords({ ...elo, words: [] }, 900), '900');
});

test('some opponents are listed only when all are wished, or one of them is chosen', () => {
  const names = (chosen: Opponent, all: boolean): string[] =>
    listedOpponents(about, { ...chess, first_opponents: ['uct', 'person'] }, chosen, all).map(({ name }) => name);
  assert.deepEqual(names(uct, false), ['uct', 'person']);
  assert.deepEqual(names(uct, true), ['uct', 'person', 'classic']);
  assert.deepEqual(names(classic, false), ['uct', 'person', 'classic']);
});

test('habits are asked of those who have them', () => {
  const choices = readChoices('{"habits": ["pace", "follow"]}', about);
  const likePeople = { ...about, opponents: [{ ...classic, habits: ['resign', 'pace'] as Habit[] }] };
  assert.deepEqual(newGameRequest(choices, likePeople, chess, { kind: 'standard' }).habits, ['pace']);
  assert.deepEqual(newGameRequest(choices, about, chess, { kind: 'standard' }).habits, []);
});

test('games are told from positions', () => {
  for (const text of ['[Event "x"]\n\n1. e4', '1. e4 e5', '1.e4 e5 2.Nf3', 'e4 e5 1/2-1/2']) {
    assert.equal(looksLikePgn(text), true, text);
  }
  for (const text of ['', '8/8/8/8/8/8/8/8 w - - 0 1', 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1']) {
    assert.equal(looksLikePgn(text), false, text);
  }
});

test('settings of a wrong type or an unknown choice are ignored', () => {
  assert.deepEqual(valid({ theme: 'dark', sound: true, other: 1 }), { theme: 'dark', sound: true });
  assert.deepEqual(valid({ theme: 'pink', sound: 'yes', board_theme: 'marble' }), {});
});

test('a text that is too large is refused with what to do', () => {
  const words = tooLarge(5_200_000, 1_000_000);
  assert.equal(words, 'This text has 5.2 MB, and 1.0 MB are taken at most. Paste a single game of it.');
});
