import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Question } from '../src/inside/question';

/** A question that is answered when the test says so. */
function held(answers: string[]): (signal: AbortSignal) => Promise<string> {
  return (signal) =>
    new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('aborted')));
      answers.push('asked');
      if (answers.length > 1) resolve('new');
    });
}

test('a newer question takes the place of an older one, whose answer is nobody’s', async () => {
  const question = new Question();
  const asked: string[] = [];
  const first = question.answer(held(asked));
  assert.equal(await question.answer(held(asked)), 'new');
  assert.equal(await first, null);
});

test('an answer that comes in spite of it is dropped, and so is its error', async () => {
  const question = new Question();
  let late: (answer: string) => void = () => undefined;
  const deaf = question.answer(() => new Promise<string>((resolve) => (late = resolve)));
  question.drop();
  late('too late');
  assert.equal(await deaf, null);
  await assert.rejects(
    question.answer(() => Promise.reject(new Error('refused'))),
    /refused/,
  );
});
