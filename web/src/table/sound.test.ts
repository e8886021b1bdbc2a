import { expect, it } from 'vitest';
import { SPIN_MS } from '../games/roulette/spin';
import { ROLL_MS } from '../games/sic_bo/roll';
import { soundsMs } from './effects';
import { gainOf, isWon } from './rounds';

it.each([
  ['spin', SPIN_MS],
  ['dice', ROLL_MS],
] as const)('%s has died away when what is seen has come to rest', (effect, ms) => {
  expect(soundsMs(effect)).toBeLessThanOrEqual(ms);
  expect(soundsMs(effect)).toBeGreaterThan(ms * 0.7);
});

it.each([
  [100, 0, 0],
  [100, 100, 0],
  [0, 0, 0],
  [100, 150, 1],
  [100, 200, 1],
  [100, 900, 2],
  [100, 2100, 3],
])('%i that returned %i stands out as %i', (staked, returned, gain) =>
  expect(gainOf(staked, returned)).toBe(gain),
);

it.each([
  [true, 200, 350, true],
  [true, 200, 200, false],
  [true, 200, 150, false],
  [false, 200, 350, false],
])('a round (ended: %s) of %i that returned %i has wins that stand out: %s', (ended, staked, returned, so) =>
  expect(isWon({ ended, staked_minor: staked, returned_minor: returned })).toBe(so),
);
