import { expect, it } from 'vitest';
import { AutoQuality, layerFor, type Arrived } from './auto_quality';

const GOOD: Arrived = { freezes: 0, lost: 0, received: 400, bufferMs: 80 };
const after = (auto: AutoQuality, steps: number, arrived = GOOD, max = 'high' as const) => {
  for (let step = 0; step < steps; step++) auto.step(arrived, max);
  return auto.layer;
};

it('goes up one layer after ten quiet steps, and not above what is of use', () => {
  const auto = new AutoQuality('low');
  expect(after(auto, 9)).toBe('low');
  expect(after(auto, 1)).toBe('medium');
  expect(after(auto, 10)).toBe('high');
  expect(auto.step(GOOD, 'medium')).toBe('medium');
  expect(after(auto, 30, GOOD)).toBe('high');
});

it.each([
  ['a freeze', { ...GOOD, freezes: 1 }],
  ['a loss above 5 %', { ...GOOD, lost: 30 }],
])('goes down at once by %s', (_, bad) => {
  const auto = new AutoQuality('high');
  expect(auto.step(bad, 'high')).toBe('medium');
  expect(auto.step(bad, 'high')).toBe('low');
  expect(auto.step(bad, 'high')).toBe('low');
});

it('goes down when the jitter buffer grows, and bears a little loss', () => {
  const auto = new AutoQuality('high');
  expect(auto.step({ ...GOOD, lost: 15 }, 'high')).toBe('high');
  expect(auto.step({ ...GOOD, bufferMs: 300 }, 'high')).toBe('medium');
});

it('waits twice as long before it tries a layer again that failed', () => {
  const auto = new AutoQuality('medium');
  expect(after(auto, 10)).toBe('high');
  expect(auto.step({ ...GOOD, freezes: 2 }, 'high')).toBe('medium');
  expect(after(auto, 19)).toBe('medium');
  expect(after(auto, 1)).toBe('high');
});

it.each([
  [180, 'low'],
  [360, 'medium'],
  [600, 'high'],
] as const)('takes for %i pixels the layer %s', (height, layer) => expect(layerFor(height)).toBe(layer));
