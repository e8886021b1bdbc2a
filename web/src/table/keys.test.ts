import { describe, expect, test } from 'vitest';
import { intent, type Press } from './keys';

/** The letters of a game. */
const GAMES = ['h', 's'];
const press = (key: string, more: Partial<Press> = {}): Press => ({
  key,
  ctrl: false,
  shift: false,
  alt: false,
  repeat: false,
  on: 'table',
  ...more,
});

test.each([
  ['1', { do: 'chip', place: 0 }],
  ['8', { do: 'chip', place: 7 }],
  [' ', { do: 'space' }],
  ['Enter', { do: 'deal' }],
  ['h', { do: 'own', letter: 'h' }],
  ['S', { do: 'own', letter: 's' }],
  ['u', { do: 'undo' }],
  ['Backspace', { do: 'undo' }],
  ['Delete', { do: 'undo' }],
  ['a', { do: 'all_sides' }],
  ['q', null],
  ['0', null],
])('%s means %o', (key, meant) => expect(intent(press(key), true, GAMES)).toEqual(meant));

test('control or command and Z undo, and no other key with them does anything', () => {
  expect(intent(press('z', { ctrl: true }), true)).toEqual({ do: 'undo' });
  expect(intent(press('s', { ctrl: true }), true)).toBeNull();
  expect(intent(press('z', { ctrl: true, shift: true }), true)).toBeNull();
  expect(intent(press('z'), true)).toBeNull();
});

describe('nothing fires', () => {
  const ALL = ['1', ' ', 'Enter', 'h', 'Backspace', 'z'];
  test.each(ALL)('in a text field: %s', (key) =>
    expect(intent(press(key, { on: 'text', ctrl: key === 'z' }), true, GAMES)).toBeNull(),
  );
  test.each(ALL)('on a repeat: %s', (key) =>
    expect(intent(press(key, { repeat: true }), true, GAMES)).toBeNull(),
  );
  test.each([' ', 'Enter'])('on a focused button: %s', (key) =>
    expect(intent(press(key, { on: 'control' }), true)).toBeNull(),
  );
  test.each(['1', ' ', 'h', 'Backspace', 't'])('when shortcuts are off: %s', (key) =>
    expect(intent(press(key), false, GAMES)).toBeNull(),
  );
});
test('letters still fire on a focused button', () =>
  expect(intent(press('h', { on: 'control' }), true, GAMES)).not.toBeNull());
test('a letter that the game does not use has no effect', () => expect(intent(press('h'), true)).toBeNull());
