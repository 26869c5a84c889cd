import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pathOf, rangeOf } from '../src/runs/chart';
import { ageText, numberText, sizeText } from '../src/runs/words';

test('a curve fills its chart from corner to corner', () => {
  const curve = { name: 'loss', x: [1, 2, 3], y: [4, 2, 3] };
  assert.equal(pathOf(curve, [1, 3], [2, 4]), 'M0.0 0.0 L160.0 130.0 L320.0 65.0');
  assert.deepEqual(rangeOf([2, 2]), [1.5, 2.5]);
  assert.deepEqual(rangeOf([3, -1, 2]), [-1, 3]);
});

test('numbers are as short as they can be read', () => {
  assert.deepEqual([0, 0.12345, 12.5, 12345.6, 0.00001234].map(numberText), ['0', '0.123', '12.5', '12,346', '1.2e-5']);
  assert.deepEqual([5, 90, 7200, 200_000].map(ageText), ['5 s ago', '2 min ago', '2 h ago', '2 d ago']);
  assert.deepEqual([12, 81_234, 12_345_678].map(sizeText), ['1 kB', '81 kB', '12.3 MB']);
});
