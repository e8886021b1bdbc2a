import { expect, it } from 'vitest';
import { changesTable } from './table_change';

it.each([
  [[], ['classic'], false],
  [['classic'], ['classic'], false],
  [['classic'], ['classic', 'infinite'], false],
  [['classic', 'infinite'], ['infinite'], false],
  [['classic'], ['infinite'], true],
  [['classic', 'infinite'], ['premium'], true],
])('%j, then %j: another table %s', (before, now, changed) => {
  expect(changesTable(before, now)).toBe(changed);
});
