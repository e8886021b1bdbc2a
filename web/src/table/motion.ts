import type { TransitionConfig } from 'svelte/transition';
import { FLIGHT_MS, FLIP_MS } from './card_moves';

/** Motion of cards and chips. It decorates: what moves is already where it belongs. */
export const still = (): boolean => document.hidden || matchMedia('(prefers-reduced-motion: reduce)').matches;

const easeInOut = (t: number) => (1 - Math.cos(t * Math.PI)) / 2;
const easeOut = (t: number) => 1 - (1 - t) ** 3;

interface Way {
  readonly x: number;
  readonly y: number;
}

/** Vector from the middle of the element marked `name` on the same cloth to the middle of `node`. */
function wayFrom(node: Element, name: string): Way {
  const start = node.closest('[data-table-root], [data-cloth-root]')?.querySelector(`[data-at="${name}"]`);
  if (!start) return { x: 0, y: -80 };
  const [a, b] = [start.getBoundingClientRect(), node.getBoundingClientRect()];
  return { x: a.x + a.width / 2 - b.x - b.width / 2, y: a.y + a.height / 2 - b.y - b.height / 2 };
}

/** A card slides from the shoe with a slight turn; `fromMs` undefined: no animation. */
export function dealt(node: Element, { fromMs }: { fromMs: number | undefined }): TransitionConfig {
  if (fromMs === undefined || still()) return { duration: 0 };
  const { x, y } = wayFrom(node, 'shoe');
  const css = (t: number, u: number) =>
    `transform: translate(${x * u}px, ${y * u}px) rotate(${12 * u}deg); opacity: ${Math.min(1, t * 4)}; z-index: 3`;
  return { delay: fromMs, duration: FLIGHT_MS, easing: easeOut, css };
}

/** A card turns over. */
export function turned(
  _node: Element,
  { fromMs }: { fromMs: number | undefined },
  { direction }: { direction?: 'in' | 'out' | 'both' } = {},
): TransitionConfig {
  if (fromMs === undefined || still()) return { duration: 0 };
  const side = direction === 'out' ? -180 : 180;
  const css = (t: number, u: number) =>
    `transform: perspective(32rem) translateY(${-14 * Math.sin(t * Math.PI)}%) rotateY(${side * u}deg) scale(${1 + 0.12 * Math.sin(t * Math.PI)}); backface-visibility: hidden`;
  return { delay: fromMs, duration: FLIP_MS, easing: easeInOut, css };
}

/** Chips: to the spot from the rail, pay and collect from and to the dealer. */
export function chips(node: Element, { from, ms }: { from: string; ms: number }): TransitionConfig {
  if (still()) return { duration: 0 };
  const { x, y } = wayFrom(node, from);
  const css = (t: number, u: number) =>
    `transform: translate(${x * u}px, ${y * u}px); opacity: ${Math.min(1, t * 3)}`;
  return { duration: ms, easing: easeOut, css };
}

/** Results come into view. */
export function appear(_node: Element): TransitionConfig {
  return still() ? { duration: 0 } : { duration: 140, css: (t) => `opacity: ${t}` };
}
