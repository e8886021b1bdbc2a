import { expect, it } from 'vitest';
import type { LiveSlot } from '../state/reduce';
import type { Sound } from '../table/sound';
import type { RoundEvent } from '../wire';
import type { LivePlayerTable } from './live_player_table.svelte';
import { LiveAnnouncer } from './live_announcer.svelte';

class Plain extends LiveAnnouncer {
  protected describe = () => '';
  protected cameUp = () => [];
  protected soundCues = () => [];
}

const did = (what: RoundEvent['what'], reason = '') => ({ what, reason }) as RoundEvent;

/** A table with a clock; `cards`: the round so far. */
class Table {
  clock = { round: 'a', paused: '' };
  readonly #playerTable = {
    clock: this.clock,
    countdown: { seconds: 9 },
    round: null,
    view: null,
    places: [0],
  };
  readonly announcer = new Plain(
    this.#playerTable as unknown as LivePlayerTable,
    { say: () => {} } as unknown as Sound,
  );
  #v = 0;

  constructor(readonly cards: object | null) {
    this.receive();
  }

  receive(...events: RoundEvent[]): LiveSlot {
    const state = { round: this.cards, clock: { ...this.clock } };
    const slot = { v: ++this.#v, did: events, state, mine: { result: null }, resumed: false };
    this.announcer.announce(slot as unknown as LiveSlot, false);
    return slot as unknown as LiveSlot;
  }
}

/** An announcer after one message with these events. */
function announced(cards: object | null, ...events: RoundEvent[]): Plain {
  const table = new Table(cards);
  table.receive(...events);
  return table.announcer;
}

it('shows a correction during a round over the cloth', () => {
  const { bulletin } = announced({}, did('corrected', 'KS QS misread'));
  expect(bulletin?.title).toBe('A dealing mistake was corrected');
});

it('announces a correction while bets are open, without covering the cloth', () => {
  const announcer = announced(null, did('corrected', '7H 8H misread'));
  expect(announcer.bulletin).toBeNull();
  expect(announcer.log).toContain('A manager corrected a card.');
});

it('shows the reason of a pause until the table continues', () => {
  const table = new Table({});
  table.clock.paused = 'a card fell';
  table.receive(did('paused', 'a card fell'));
  table.receive();
  expect(table.announcer.bulletin?.text).toMatch(/^A card fell\./);
  table.clock.paused = '';
  table.receive(did('resumed'));
  expect(table.announcer.bulletin).toBeNull();
});

it('removes a notice when the next bets open, and keeps its sentence in the log', () => {
  const table = new Table({});
  table.receive(did('voided', 'the shoe fell'));
  table.receive();
  expect(table.announcer.bulletin?.title).toBe('The round was cancelled');
  table.clock.round = 'b';
  table.receive(did('opened'));
  expect(table.announcer.bulletin).toBeNull();
  expect(table.announcer.log[0]).toMatch(/^The round was cancelled\. The shoe fell\. Every stake/);
});

it('warns of the last seconds once, whatever other messages arrive', () => {
  const table = new Table(null);
  const warned = table.receive(did('last_seconds'));
  // a table's pulse, or what the player does: the last event stays what it was
  table.announcer.announce({ ...warned }, false);
  expect(table.announcer.log).toEqual(['Last 9 seconds to bet.']);
});
