import { describe, expect, test } from 'vitest';
import type { PaymentLine } from '../wire';
import { paymentWords } from './payments';

const line = (state: PaymentLine['state'], reason = '') => ({ state, reason }) as PaymentLine;

describe('the state of a payment', () => {
  test('says what happens to the money', () => {
    expect(paymentWords(line('returned'))).toBe('Not paid out. The amount is back in your balance.');
  });

  test('ends with the reason that was given', () => {
    expect(paymentWords(line('denied', 'Card refused.'))).toBe(
      'Not paid. Your balance is unchanged. Card refused.',
    );
  });
});
