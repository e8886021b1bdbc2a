import { expect, it } from 'vitest';
import type { PlayerDecision, PlayerResult } from '../wire';
import { missedEvents } from './missed_events';
import { NO_DATA, type LiveSlot, type ServerData } from './reduce';

const GC = { code: 'GC', name: 'Gold Coins', decimals: 2, symbol: 'GC', play_money: true };
const HIT: PlayerDecision = { box: 0, hand: 0, action: 'hit', by: 'player', waiting: false };

interface Part {
  bet?: boolean;
  made?: readonly PlayerDecision[];
  result?: Partial<PlayerResult>;
  paused?: string;
}

function data({ bet = true, made = [], result, paused = '' }: Part): ServerData {
  const mine = { currency: 'GC', stakes: bet ? [{ box: 0, bet: 'main', stake_minor: 500 }] : [], made };
  const state = { clock: { paused } };
  const whole = result && { round: 'r1', number: '#10:00:00', void: false, reason: '', ...result };
  const slot = { state, mine: { ...mine, result: whole ?? null } } as unknown as LiveSlot;
  return { ...NO_DATA, live: { infinite: slot } };
}

const between = (before: ServerData, after: ServerData) =>
  missedEvents(
    before,
    after,
    () => 'Infinite',
    () => GC,
  );
const PLAYED = { staked_minor: 500, returned_minor: 1250 };

it.each<[string, Part, Part, string[]]>([
  ['nothing', {}, {}, []],
  ['the same old result', { result: PLAYED }, { result: PLAYED }, []],
  [
    'bets that weren’t closed',
    {},
    { bet: false },
    ['Infinite: your bets weren’t closed yet and were returned.'],
  ],
  ['a decision', {}, { made: [HIT] }, ['Infinite: a decision was made for you by the table’s rules.']],
  ['a pause', {}, { paused: 'a fault' }, ['Infinite: the table is paused.']],
])('tells %s', (_what, before, after, sentences) => {
  expect(between(data(before), data(after))).toEqual(sentences);
});

it('tells a round that ended, with its amounts', () => {
  const [sentence] = between(data({}), data({ bet: false, result: PLAYED }));
  expect(sentence?.replaceAll('\u00a0', ' ')).toBe(
    'Infinite: round #10:00:00 ended. Staked GC 5.00, returned GC 12.50.',
  );
});

it('tells a round that was cancelled, and why', () => {
  const after = data({ bet: false, result: { ...PLAYED, void: true, reason: 'a card fell' } });
  expect(between(data({}), after)).toEqual([
    'Infinite: round #10:00:00 was cancelled: a card fell. Every stake was returned.',
  ]);
});

it('says nothing of a table that isn’t open any more', () => {
  expect(between(data({}), NO_DATA)).toEqual([]);
});
