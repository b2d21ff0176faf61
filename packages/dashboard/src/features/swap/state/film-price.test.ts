import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEFAULT_PRICES } from '@guise/contract/prices.ts';
import { filmPrice } from './film-price.ts';

test('a film costs as much as the service says: by started second, at least six, times the people', () => {
  assert.equal(filmPrice(DEFAULT_PRICES, false, 1, 0), 6);
  assert.equal(filmPrice(DEFAULT_PRICES, false, 10.01, 1), 22);
  assert.equal(filmPrice(DEFAULT_PRICES, false, 9.3 - 2.3, 1), 14);
  assert.equal(filmPrice(DEFAULT_PRICES, true, 4, 2), 24);
});
