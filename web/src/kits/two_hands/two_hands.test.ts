import { describe, expect, test } from 'vitest';
import type { RoundEvent } from '../../wire';
import { dealMs, dealing, leaving, newCards } from './deal';
import { cornerOf, fit, handSize } from './fit';
import { cameUp, faced, motionMs, outcome } from './high_card';
import { answered, beads, coloured, dotted, inked, rings } from '../roads/shapes';
import { oddsOf } from './odds';
import { markOf, pairsOf, ranksCompared, winnerOf, type Labels } from './labels';
import { planned } from '../roads/sizes';
import { predicted, bead, bigRoad, laid, paired, type Winner } from '../roads/roads';
import { askedInWords, roadsInWords, tally } from '../roads/in_words';

const LABELS: Labels = {
  first: { title: 'Player', letter: 'P', tone: 'blue' },
  second: { title: 'Banker', letter: 'B', tone: 'red' },
  tie: { title: 'Tie', letter: 'T', tone: 'green' },
};
const coups = (text: string): Winner[] => [...text].map((letter) => winnerOf(LABELS, letter));
const did = (...places: [what: RoundEvent['what'], box: number][]) =>
  places.map(([what, box]) => ({ what, box })) as unknown as RoundEvent[];

describe('the deal', () => {
  const written = (first: number, second: number) =>
    dealing(first, second).map(({ side, place }) => `${side[0]}${place}`);
  test('goes to each side in turn', () =>
    expect(written(3, 3)).toEqual(['f0', 's0', 'f1', 's1', 'f2', 's2']));
  test('ends with the banker’s third where the player stood', () => expect(written(2, 3).at(-1)).toBe('s2'));
  test('moves only the cards of the message; a burned card belongs to no hand', () =>
    expect(newCards(did(['card', -4], ['card', 0], ['card', 1], ['ended', 0]))).toBe(2));
  test('of a whole coup takes its time before a third card', () => {
    const times = leaving(dealing(3, 3), 6);
    const pauses = times.slice(1).map((ms, at) => ms - times[at]!);
    expect(Math.min(pauses[3]!, pauses[4]!)).toBeGreaterThan(Math.max(...pauses.slice(0, 3)));
  });
  test('of a single card begins at once, a third one too', () =>
    expect(leaving(dealing(3, 2), 1)).toEqual(leaving(dealing(1, 0), 1)));
  test('never takes longer than the tables wait', () => {
    const all = did(...Array.from({ length: 6 }, (_, at): ['card', number] => ['card', at % 2]));
    expect(dealMs(3, 3, all)).toBeGreaterThan(Math.max(...leaving(dealing(3, 3), 6)));
    expect(dealMs(3, 3, all)).toBeLessThanOrEqual(4000);
  });
  test('that brought no card takes none', () => expect(dealMs(2, 2, did(['ended', 0]))).toBe(0));
});

describe('where cards lie', () => {
  test.each(['left', 'right', 'below'] as const)(
    'a third card %s keeps inside the hand and off the others',
    (aside) => {
      const { wide, high } = handSize(3, aside === 'below');
      const boxes = [0, 1, 2].map((place) => {
        const { x, y } = cornerOf(place, 3, aside);
        return place === 2
          ? { left: x - 0.2, right: x + 1.2, top: y + 0.2, bottom: y + 1.2 }
          : { left: x, right: x + 1, top: y, bottom: y + 1.4 };
      });
      for (const { left, right, top, bottom } of boxes) {
        expect(Math.min(left, top)).toBeGreaterThanOrEqual(-1e-9);
        expect(right).toBeLessThanOrEqual(wide + 1e-9);
        expect(bottom).toBeLessThanOrEqual(high + 1e-9);
      }
      const [pair, third] = [boxes.slice(0, 2), boxes[2]!];
      for (const card of pair)
        expect(card.left >= third.right || card.right <= third.left || card.bottom <= third.top).toBe(true);
    },
  );
  test('on a wide cloth the third card lies beside, on a phone below', () => {
    expect(fit(1400, 300, 3).below).toBe(false);
    expect(fit(370, 256, 3)).toMatchObject({ below: true });
    expect(fit(370, 256, 3).card).toBeGreaterThanOrEqual(56);
  });
  test('the shoe is visible only if there is space for it', () => {
    expect(fit(1400, 300, 3).shoe).toBe(true);
    expect(fit(900, 300, 3).shoe).toBe(false);
    expect(fit(1400, 180, 3).shoe).toBe(true);
  });
  test.each([
    [1400, 300],
    [700, 180],
    [370, 256],
    [320, 256],
  ])('two hands fit in %i × %i', (width, height) => {
    const { card, below } = fit(width, height, 3);
    expect(2 * card * handSize(3, below).wide).toBeLessThanOrEqual(width);
    expect(card * handSize(3, below).high).toBeLessThanOrEqual(height);
  });
});

describe('the board', () => {
  test.each([1400, 900, 640])('at %i has its sheets beside each other', (width) => {
    const { bead, big, derived, under } = planned(width, false, true);
    expect(bead.columns * bead.cell + big.columns * big.cell).toBeLessThanOrEqual(width);
    expect(3 * derived.columns * derived.cell).toBeLessThanOrEqual(under);
    expect(bead.cell).toBe(big.cell * 1.5);
  });
  test('takes less of a low window', () => {
    expect(planned(1000, false, true, true).bead.cell).toBeLessThan(planned(1000, false, true).bead.cell);
  });
  test('on a phone has the derived roads below', () => {
    const { bead, big, derived, under } = planned(354, true, true);
    expect(bead.cell).toBe(big.cell);
    expect(3 * derived.columns * derived.cell).toBeLessThanOrEqual(under);
    expect(under).toBeLessThanOrEqual(354);
  });
  test('has a path a colour', () => {
    const { inks, letters } = beads(bead(coups('PPBT')), LABELS);
    expect(inks.map(({ tone }) => tone)).toEqual(['blue', 'red', 'green']);
    expect(inks[0]!.path.match(/M/g)).toHaveLength(2);
    expect(letters).toEqual({ text: 'PPBT', x: '5 5 5 5', y: '7 17 27 37' });
  });
  test('strikes a tie through the winner before it and counts several', () => {
    const { inks, letters } = rings(laid(bigRoad(coups('PTTBT'))), LABELS);
    expect(inks.map(({ look, tone }) => `${look} ${tone}`)).toEqual(['ring blue', 'ring red', 'slash green']);
    expect(inks[2]!.path.match(/M/g)).toHaveLength(2);
    expect(letters.text).toBe('2');
  });
  test('a pair is a dot in the corner of its coup: the first side’s lower right, the second’s upper left', () => {
    const plate = paired(bead(coups('PT')), [[], ['first', 'second']]);
    const { inks, letters } = dotted(beads(plate, LABELS), plate, LABELS);
    const [first, second] = [0.33, -0.33].map((aside) => ({ column: aside, row: 1 + aside }));
    expect(inks.slice(2)).toEqual([
      ...inked('dot', [{ ...first!, tone: 'blue' }]),
      ...inked('dot', [{ ...second!, tone: 'red' }]),
    ]);
    expect(letters.text).toBe('PT');
    expect(paired(bead(coups('B')), [])[0]!.pairs).toEqual([]);
  });
  test('a tie before the first winner is a stroke alone', () =>
    expect(rings(laid(bigRoad(coups('T'))), LABELS).inks.map(({ look }) => look)).toEqual(['slash']));
  test('writes a derived road and an answer the same way', () => {
    const [red] = coloured('ring', laid([['red']]));
    expect(red).toEqual(inked('ring', [{ column: 0, row: 0, tone: 'red' }])[0]);
    expect(answered({ bigEye: 'red', small: null, cockroach: 'blue' })).toEqual([
      red,
      inked('slash', [{ column: 2, row: 0, tone: 'blue' }])[0],
    ]);
  });
});

describe('in words', () => {
  test('a shoe', () => {
    expect(roadsInWords([], '', LABELS)).toBe('No results yet.');
    expect(roadsInWords(coups('P'), 's1', LABELS)).toBe(
      '1 coup of this shoe: Player 1, Banker 0, Tie 0. Newest first: Player.',
    );
    expect(roadsInWords(coups('PBTB'), 's1', LABELS)).toBe(
      '4 coups of this shoe: Player 1, Banker 2, Tie 1. Banker 2 in a row. Newest first: Banker, Tie, Banker, Player.',
    );
  });
  test('own coups, each of its own shoe', () =>
    expect(roadsInWords(coups('PT'), '', LABELS)).toMatch(/^2 coups at this table: Player 1,/));
  test('its pairs', () =>
    expect(roadsInWords(coups('P'), 's1', LABELS, ['second', 'first', 'second'])).toMatch(
      / Newest first: Player\. Pairs: Player 1, Banker 2\.$/,
    ));
  test('the answers', () => {
    expect(predicted(coups('BP'), 'first')).toEqual({ bigEye: 'blue', small: null, cockroach: null });
    expect(askedInWords(coups('BP'), 'first', LABELS)).toBe(
      'If Player won next: big eye boy blue, small road nothing yet, cockroach pig nothing yet.',
    );
  });
  test('the tally', () => expect(tally(coups('PBTBB'))).toEqual({ first: 1, second: 3, tie: 1 }));
  test('a result', () => {
    expect(winnerOf(LABELS, 'B7')).toBe('second');
    expect(() => winnerOf(LABELS, '17')).toThrow('17 is no result');
    expect(['P8', 'T6pb', 'B0b', 'P9p'].map((word) => pairsOf(LABELS, word).join())).toEqual([
      '',
      'first,second',
      'second',
      'first',
    ]);
    const mark = markOf(LABELS, (won, rest) => ({ text: `${won} ${rest}`, spoken: '' }));
    expect(mark('T6')).toEqual({ text: 'tie 6', spoken: '', tone: 'green' });
    expect(ranksCompared('KT')).toBe('king against ten');
  });
});

describe('what a bet pays', () => {
  test.each([
    [['Player wins 1:1', 'Tie push'], '1:1'],
    [['Banker wins with 6 1:2', 'Banker wins 1:1'], '1:1'],
    [['Tie half back'], ''],
  ])('%j is printed as %s', (pays, odds) => expect(oddsOf(pays)).toBe(odds));
});

describe('a card each', () => {
  const highCards = { first: 'KH', second: 'TS', won: 'first' } as const;
  test('is described in words', () => {
    expect(cameUp(highCards, LABELS)).toBe('Player king of hearts, Banker ten of spades: Player wins.');
    expect(cameUp({ ...highCards, second: null, won: null }, LABELS)).toBe('Player king of hearts.');
    expect(cameUp({ first: null, second: null, won: null }, LABELS)).toBe('');
    expect(outcome({ ...highCards, won: 'tie' }, LABELS)).toBe('Tie');
  });
  test('is laid with its rank beside it', () => {
    expect(faced('TS').cards).toEqual(['TS']);
    expect(faced('TS').totalAfter()).toBe('10');
    expect(faced(null).cards).toEqual([]);
  });
  test('moves as long as two cards', () =>
    expect(motionMs(highCards, did(['card', 0], ['card', 1]))).toBe(
      dealMs(1, 1, did(['card', 0], ['card', 1])),
    ));
});
