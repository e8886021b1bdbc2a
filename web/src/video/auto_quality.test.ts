import { expect, it } from 'vitest';
import { autoFrom, layerFor, limit, step, type Arrived, type Layer } from './auto_quality';

const GOOD: Arrived = {
  freezes: 0,
  lost: 0,
  received: 400,
  bufferMs: 80,
  framesPerS: 30,
  bitsPerS: 500_000,
  availableBitsPerS: 0,
};
type Steps = readonly (readonly [times: number, arrived: Partial<Arrived>])[];

/** The layer after each step, for some steps that differ from good ones. */
function layers(first: Layer, steps: Steps, max: Layer = 'high'): readonly Layer[] {
  let auto = autoFrom(first);
  return steps.flatMap(([times, arrived]) =>
    Array.from({ length: times }, () => (auto = step(auto, { ...GOOD, ...arrived }, max)).layer),
  );
}
const last = (...given: Parameters<typeof layers>) => layers(...given).at(-1);
const quiet = (times: number) => [times, {}] as const;

it.each([
  ['stays for nine quiet steps', 'low', [quiet(9)], 'low'],
  ['goes up one layer after ten', 'low', [quiet(10)], 'medium'],
  ['goes up to the highest', 'low', [quiet(20)], 'high'],
  ['stays there', 'low', [quiet(90)], 'high'],
  ['goes down by a freeze', 'high', [[1, { freezes: 1 }]], 'medium'],
  ['goes down one layer at each step', 'high', [[2, { freezes: 1 }]], 'low'],
  ['stays at the lowest', 'high', [[9, { freezes: 1 }]], 'low'],
  ['goes down by a loss above 5 %', 'high', [[1, { lost: 30 }]], 'medium'],
  ['bears a little loss', 'high', [[9, { lost: 15 }]], 'high'],
  ['goes down when the jitter buffer grows', 'high', [quiet(1), [1, { bufferMs: 300 }]], 'medium'],
  ['bears a long jitter buffer', 'high', [[9, { bufferMs: 300 }]], 'high'],
  [
    'goes down when the network carries less than arrives',
    'high',
    [[1, { availableBitsPerS: 4e5 }]],
    'medium',
  ],
  ['goes up when it carries a little more', 'medium', [[10, { availableBitsPerS: 6e5 }]], 'high'],
  ['goes down when frames are missing', 'high', [quiet(1), [2, { framesPerS: 12 }]], 'medium'],
  ['bears few frames for a moment', 'high', [quiet(1), [1, { framesPerS: 2 }], quiet(1)], 'high'],
  ['bears a few missing frames', 'high', [quiet(1), [9, { framesPerS: 20 }]], 'high'],
  ['bears a camera that is slow from the start', 'medium', [[20, { framesPerS: 10 }]], 'high'],
  [
    'bears a picture that becomes slow little by little',
    'high',
    [quiet(1), [5, { framesPerS: 18 }], [9, { framesPerS: 10 }]],
    'high',
  ],
  [
    'goes down only once when the camera becomes slow',
    'high',
    [quiet(1), [11, { framesPerS: 10 }]],
    'medium',
  ],
  ['and up again', 'high', [quiet(1), [12, { framesPerS: 10 }]], 'high'],
  ['stays when the dealer sends nothing', 'high', [quiet(1), [20, { received: 0, framesPerS: 0 }]], 'high'],
  ['doesn’t count that as quiet', 'low', [quiet(9), [20, { received: 0, framesPerS: 0 }]], 'low'],
] satisfies [string, Layer, Steps, Layer][])('%s', (_, first, steps, layer) =>
  expect(last(first, steps)).toBe(layer),
);

it('takes no layer above what is of use', () => {
  expect(last('low', [quiet(30)], 'medium')).toBe('medium');
  expect(last('high', [quiet(1)], 'low')).toBe('low');
  expect(limit(autoFrom('high'), 'medium').layer).toBe('medium');
  expect(limit(autoFrom('low'), 'medium').layer).toBe('low');
});

it.each([
  ['a freeze', { freezes: 2 }, 1],
  ['missing frames', { framesPerS: 12 }, 2],
])('waits twice as long before it tries a layer again that failed by %s', (_, bad, times) => {
  const tried: Steps = [quiet(10), [times, bad]];
  expect(last('medium', [...tried, quiet(19)])).toBe('medium');
  expect(last('medium', [...tried, quiet(20)])).toBe('high');
});

it.each([
  [180, 'low'],
  [360, 'medium'],
  [600, 'high'],
] as const)('takes for %i pixels the layer %s', (height, layer) => expect(layerFor(height)).toBe(layer));
