import { expect, it } from 'vitest';
import { before } from './unseen';

const balance = {
  currency: 'EUR',
  balance_minor: 1350,
  in_play_minor: 20,
  session_staked_minor: 110,
  session_returned_minor: 360,
};

it('is as it was while the round was open', () => {
  const unseen = [
    { currency: 'EUR', staked_minor: 10, returned_minor: 360, paid: false, then: undefined },
    { currency: 'GC', staked_minor: 5, returned_minor: 0, paid: false, then: undefined },
  ];
  expect(before(balance, unseen)).toEqual({
    currency: 'EUR',
    balance_minor: 990,
    in_play_minor: 30,
    session_staked_minor: 100,
    session_returned_minor: 0,
  });
});

it('is unchanged until the balance after that round arrives', () => {
  const unseen = { currency: 'EUR', staked_minor: 10, returned_minor: 360, paid: false, then: balance };
  expect(before(balance, [unseen])).toBe(balance);
});

it('keeps the session as it was where its result follows what is left', () => {
  const unseen = { currency: 'EUR', staked_minor: 10, returned_minor: 360, paid: true, then: balance };
  expect(before({ ...balance, session_returned_minor: 720 }, [unseen])).toEqual({
    ...balance,
    balance_minor: 990,
    in_play_minor: 30,
  });
});

it('is the same where everything has been seen', () => expect(before(balance, [])).toBe(balance));
