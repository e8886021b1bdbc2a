import { describe, expect, it } from 'vitest';
import { answerTo, formOf, read, Wedge, type ExpectedAnswer } from './scan';
import type { AnswerForm } from './wire';

const card = (text: string) => ({ kind: 'card', card: text });

describe('a scan', () => {
  it.each([
    ['KS', 'KS'],
    ['ks', 'KS'],
    ['10h', 'TH'],
    ['TH', 'TH'],
    ['♦A', 'AD'],
    ['2♣', '2C'],
    ['S-K', 'KS'],
  ])('%s is the card %s', (text, is) => {
    expect(read(text)).toEqual(card(is));
  });

  it.each(['', 'K', '1S', 'KX', 'KSS', '11S', 'KSQH', 'hello', '17x'])('%j is nothing', (text) => {
    expect(read(text)).toBeNull();
  });

  it('may be a word', () => {
    expect(read('down')).toEqual({ kind: 'word', word: 'down' });
    expect(read('y')).toEqual({ kind: 'word', word: 'yes' });
  });

  const expected = (form: AnswerForm): ExpectedAnswer => ({ form, pockets: ['0', '17', '00'], dice: 3 });
  it.each<[AnswerForm, string, string | null]>([
    ['card', 'KS', 'KS'],
    ['down', 'KS', null],
    ['down', 'down', 'down'],
    ['look', 'no', 'no'],
    ['', 'KS', null],
    ['card', 'cut', null],
    ['card', '17', null],
    ['pocket', '17', '17'],
    ['pocket', '00', '00'],
    ['pocket', '18', null],
    ['pocket', 'KS', null],
    ['pocket', 'no spin', null],
    ['dice', '136', '1-3-6'],
    ['dice', '1 3 6', '1-3-6'],
    ['dice', '1-3-6', '1-3-6'],
    ['dice', '13', null],
    ['dice', '137', null],
  ])('where %j is wanted, %j is %j', (form, text, what) => {
    expect(answerTo(expected(form), read(text)!)).toBe(what);
  });

  it.each([
    ['KS', 'card'],
    ['no', 'look'],
    ['17', 'pocket'],
    ['1-3-6', 'dice'],
  ])('%s was an answer to %s', (what, form) => expect(formOf(what, ['17'])).toBe(form));
});

describe('a wedge', () => {
  const type = (wedge: Wedge, text: string, nowMs = 1_000) => [...text].map((key) => wedge.key(key, nowMs));

  it('gives what Enter ends, once', () => {
    const wedge = new Wedge();
    type(wedge, 'KS');
    expect(wedge.typed).toBe('KS');
    expect(wedge.key('Enter', 1_001)).toBe('KS');
    expect(wedge.key('Enter', 1_002)).toBeNull();
  });

  it('forgets what was never finished', () => {
    const wedge = new Wedge();
    type(wedge, 'K', 1_000);
    type(wedge, '7H', 9_000);
    expect(wedge.key('Enter', 9_001)).toBe('7H');
  });

  it('can be corrected before Enter', () => {
    const wedge = new Wedge();
    type(wedge, 'KH');
    wedge.key('Backspace', 1_000);
    wedge.key('Shift', 1_000);
    type(wedge, 'S');
    expect(wedge.key('Enter', 1_001)).toBe('KS');
    type(wedge, 'KH');
    wedge.key('Escape', 1_001);
    expect(wedge.key('Enter', 1_002)).toBeNull();
  });
});
