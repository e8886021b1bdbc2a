import { describe, expect, it } from 'vitest';
import type { ChatLine } from '../wire';
import { left, savedMuted, shown, unread } from './lines';
import { noticeWords } from './notices';
import { DEFAULT_PLACE, inside, moved, savedPlace, resized, remainingSize, step, type Place } from './place';

const ROOM = { width: 1400, height: 800 };

describe('the place of the chat', () => {
  const floating: Place = { dock: 'float', x: 100, y: 100, width: 300, height: 400 };

  it('moves inside the window and no further', () => {
    expect(moved(floating, 50, -30, ROOM)).toEqual({ ...floating, x: 150, y: 70 });
    expect(moved(floating, 5000, 5000, ROOM)).toMatchObject({ x: 1100, y: 400 });
    expect(moved(floating, -5000, -5000, ROOM)).toMatchObject({ x: 0, y: 0 });
  });

  it('grows by the edge that looks at the tables', () => {
    const grown = (dock: Place['dock']) => {
      const { width, height } = resized({ ...floating, dock }, 20, 10, ROOM);
      return [width, height];
    };
    expect(grown('float')).toEqual([320, 410]);
    expect(grown('left')).toEqual([320, 400]);
    expect(grown('right')).toEqual([280, 400]);
    expect(grown('bottom')).toEqual([300, 390]);
  });

  it('stays usable, and leaves the tables half of the window', () => {
    expect(resized(floating, -5000, -5000, ROOM)).toMatchObject({ width: 240, height: 190 });
    expect(inside({ ...DEFAULT_PLACE, width: 5000 }, ROOM).width).toBe(700);
    expect(inside({ ...DEFAULT_PLACE, dock: 'bottom', height: 5000 }, ROOM).height).toBe(400);
    expect(inside(floating, { width: 200, height: 150 })).toMatchObject({ x: 0, y: 0, width: 240 });
  });

  it('leaves the rest to the tables', () => {
    const left = (dock: Place['dock']) => Object.values(remainingSize({ ...floating, dock }, ROOM));
    expect([left('float'), left('left'), left('bottom')]).toEqual([
      [1400, 800],
      [1100, 800],
      [1400, 400],
    ]);
  });

  it('is moved by the arrow keys as by a drag', () => {
    expect([step('ArrowLeft'), step('ArrowDown'), step('a')]).toEqual([[-16, 0], [0, 16], null]);
  });

  it('is remembered, and forgotten when it can’t be read', () => {
    expect(savedPlace(JSON.stringify(floating))).toEqual(floating);
    for (const broken of [null, '', 'null', '{}', '{"dock":"above"}', '{"dock":"left","x":"1"}'])
      expect(savedPlace(broken)).toEqual(DEFAULT_PLACE);
  });
});

describe('the lines of the chat', () => {
  const line = (number: number, role: ChatLine['role'], who = '', player = who): ChatLine => ({
    line: number,
    at_ms: 0,
    role,
    player,
    who,
    text: 'x',
    code: '',
    args: {},
  });
  const LINES = [
    line(1, 'player', 'ann'),
    line(2, 'dealer', 'Bo'),
    line(3, 'house'),
    line(4, 'player', 'cy'),
  ];
  const numbers = (hideOthers: boolean, muted: readonly string[]) =>
    shown(LINES, { name: 'ann', hideOthers, muted }).map((one) => one.line);

  it('are all read, unless others are hidden or one is muted', () => {
    expect(numbers(false, [])).toEqual([1, 2, 3, 4]);
    expect(numbers(true, [])).toEqual([1, 2, 3]);
    expect(numbers(false, ['cy'])).toEqual([1, 2, 3]);
    expect(numbers(false, ['ann'])).toEqual([1, 2, 3, 4]);
  });

  it('are unread after the one seen last', () => {
    expect([unread(LINES, 2), unread(LINES, 4), unread(LINES, Infinity)]).toEqual([2, 0, 0]);
  });

  it('count down the characters that are left only near the end', () => {
    expect([left(''), left('x'.repeat(159)), left('x'.repeat(160)), left('x'.repeat(200))]).toEqual([
      null,
      null,
      40,
      0,
    ]);
  });

  it('keep the muted through anything that storage may hold', () => {
    expect(savedMuted('["a","b"]')).toEqual(['a', 'b']);
    for (const broken of [null, '', '{}', '7', 'null']) expect(savedMuted(broken)).toEqual([]);
    expect(savedMuted('[1,"a"]')).toEqual(['a']);
  });

  it('turn the server’s notices into sentences, and show an unknown one as it is', () => {
    expect(noticeWords('voided', { number: '#10:11:12', reason: 'a card fell' })).toBe(
      'Round #10:11:12 was cancelled: a card fell. Every stake was returned.',
    );
    expect(noticeWords('voided', { reason: 'house_closes' })).toBe(
      'The round was cancelled: the server is shutting down. Every stake was returned.',
    );
    expect(noticeWords('paused', {})).toBe('The table is paused. Bets and hands stay as they are.');
    expect(noticeWords('shoe_changed', { reason: 'worn' })).toBe('shoe changed: worn.');
  });
});
