import { expect, it } from 'vitest';
import type { LiveSlot } from '../state/reduce';
import type { Sound } from '../table/sound';
import type { Happening } from '../wire';
import type { LiveDesk } from './live_desk.svelte';
import { LiveTeller } from './live_teller.svelte';

class Plain extends LiveTeller {
  protected describe = () => '';
  protected cameUp = () => [];
  protected beats = () => [];
}

const did = (what: Happening['what'], reason = '') => ({ what, reason }) as Happening;

/** At a table that tells this; `round`: cards lie there. */
function heard(round: object | null, ...told: Happening[]): Plain {
  const desk = { countdown: { seconds: 9 }, round: null, view: null, places: [] };
  const teller = new Plain(desk as unknown as LiveDesk, {} as Sound);
  const slot = { v: 1, did: [] as Happening[], state: { round }, mine: { result: null }, resumed: false };
  teller.hear(slot as unknown as LiveSlot, false);
  teller.hear({ ...slot, v: 2, did: told } as unknown as LiveSlot, false);
  return teller;
}

it('shows over the cloth what was corrected in a round', () => {
  const { bulletin } = heard({}, did('corrected', 'KS QS misread'));
  expect(bulletin?.title).toBe('What was dealt was corrected');
});

it('says what was corrected while bets are open, and leaves the cloth to them', () => {
  const teller = heard(null, did('corrected', '7H 8H misread'));
  expect(teller.bulletin).toBeNull();
  expect(teller.log).toContain('The floor corrected what was dealt.');
});

it('shows why the table is paused until it goes on', () => {
  expect(heard(null, did('paused', 'a card fell')).bulletin?.text).toMatch(/^A card fell\./);
  expect(heard(null, did('paused', 'a card fell'), did('resumed')).bulletin).toBeNull();
});
