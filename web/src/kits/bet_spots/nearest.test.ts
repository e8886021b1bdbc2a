import { describe, expect, it } from 'vitest';
import { nearest, type Rect } from './nearest';

const spot = (left: number, top: number, width = 20, height = 20): Rect => ({
  left,
  top,
  right: left + width,
  bottom: top + height,
});

describe('arrow keys on a layout', () => {
  // Two cells side by side, the edge between them, and a long one under both.
  const [left, right, edge, below, away] = [
    spot(0, 0),
    spot(20, 0),
    spot(18, 0, 4),
    spot(0, 20, 40),
    spot(90, 90),
  ];
  const all = [left, right, edge, below, away];

  it.each([
    ['a cell to its edge', left, 'ArrowRight', 2],
    ['an edge to the cell behind it', edge, 'ArrowRight', 1],
    ['back again', right, 'ArrowLeft', 2],
    ['down to what lies under it', right, 'ArrowDown', 3],
    ['up to the nearest of two', below, 'ArrowUp', 2],
    ['nowhere', left, 'ArrowUp', -1],
    ['another key', left, 'Enter', -1],
  ])('%s', (_, from, key, to) => expect(nearest(from, all, key)).toBe(to));

  it('a spot beside is better than one further to the side', () => {
    expect(nearest(right, [below, away], 'ArrowDown')).toBe(0);
  });
});
