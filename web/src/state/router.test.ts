import { expect, it } from 'vitest';
import { historyOf, historyOfGame, roundAt } from '../account/addresses';
import { place } from './router.svelte';

it('finds the history, that of a game, and a round', () => {
  expect(place('/history')).toEqual({ name: 'history', id: '' });
  expect(place(historyOf(''))).toEqual({ name: 'history', id: '' });
  expect(place(historyOf('live/one'))).toEqual({ name: 'history', id: 'live/one' });
  expect(place(historyOfGame('sic_bo'))).toEqual({ name: 'game_history', id: 'sic_bo' });
  expect(place('/history/totals').name).toBe('totals');
  expect(place(roundAt('r1'))).toEqual({ name: 'round', id: 'r1' });
});
it('finds safer play and its policy', () => {
  expect(place('/safer-play').name).toBe('safer_play');
  expect(place('/safer-play/policy').name).toBe('policy');
  expect(place('/safer-play/else').name).toBe('not_found');
});
