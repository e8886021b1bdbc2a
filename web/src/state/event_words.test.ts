import { describe, expect, it } from 'vitest';
import type { RoundEvent } from '../wire';
import { cardName, happened } from './event_words';

const did = (part: Partial<RoundEvent>): RoundEvent => ({
  what: 'card',
  box: -1,
  hand: 0,
  card: '',
  came: '',
  action: '',
  by: '',
  name: '',
  reason: '',
  ...part,
});

describe('cards', () => {
  it('has a name for each of the 52', () => {
    const names = [...'A23456789TJQK'].flatMap((rank) => [...'CDHS'].map((suit) => cardName(rank + suit)));
    expect(new Set(names).size).toBe(52);
    expect(names.join()).not.toContain('undefined');
    expect(cardName('TD')).toBe('ten of diamonds');
  });
});

describe('a decision', () => {
  it('is called as its table calls it', () => {
    const taken = did({ what: 'decided', box: 0, action: 'take_even_money' });
    expect(happened(taken)).toBe('Box 1 takes even money.');
    expect(happened(taken, { even_money: 'Even Play' })).toBe('Box 1 takes Even Play.');
  });
});

describe('an event', () => {
  it.each([
    [did({ card: '7S' }), 'Dealer: seven of spades.'],
    [did({ box: 1, card: 'AH' }), 'Box 2: ace of hearts.'],
    [did({ box: 1, card: 'AH', name: 'Banker' }), 'Banker: ace of hearts.'],
    [did({ box: 0, hand: 1, what: 'decided', action: 'double' }), 'Box 1, hand 2 doubles.'],
    [did({ box: 0, what: 'decided', action: 'stand', by: 'player' }), 'Box 1 stands.'],
    [did({ box: 0, what: 'decided', action: 'stand', by: 'time_out' }), 'Box 1 stands (time ran out).'],
    [did({ what: 'face_down' }), 'Dealer: a card face down.'],
    [did({ what: 'turned', card: 'TH' }), 'Dealer turns the ten of hearts.'],
    [did({ what: 'ended' }), 'The round has ended.'],
  ])('%o', (event, sentence) => {
    expect(happened(event)).toBe(sentence);
  });
});
