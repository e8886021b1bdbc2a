import { expect, it } from 'vitest';
import { historyOf, roundAt } from '../account/addresses';
import { place } from './router.svelte';

it('finds the history, that of a game, and a round', () => {
  expect(place('/history')).toEqual({ name: 'history', id: '' });
  expect(place(historyOf(''))).toEqual({ name: 'history', id: '' });
  expect(place(historyOf('live/one'))).toEqual({ name: 'history', id: 'live/one' });
  expect(place(roundAt('r1'))).toEqual({ name: 'round', id: 'r1' });
});
it('finds safer play and its policy', () => {
  expect(place('/care').name).toBe('care');
  expect(place('/care/policy').name).toBe('policy');
  expect(place('/care/else').name).toBe('lost');
});
