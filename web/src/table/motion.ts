import type { TransitionConfig } from 'svelte/transition';
import { FLIGHT_MS, FLIP_MS } from './flights';

/** Motion of cards and chips. It decorates: what moves is already where it belongs. */
export const still = (): boolean => document.hidden || matchMedia('(prefers-reduced-motion: reduce)').matches;

const easeOut = (t: number) => 1 - (1 - t) ** 3;

interface Way {
  readonly x: number;
  readonly y: number;
}

/** From the middle of the element marked `name` on the same cloth to the middle of `node`. */
function wayFrom(node: Element, name: string): Way {
  const start = node.closest('[data-table-root], [data-cloth-root]')?.querySelector(`[data-at="${name}"]`);
  if (!start) return { x: 0, y: -80 };
  const [a, b] = [start.getBoundingClientRect(), node.getBoundingClientRect()];
  return { x: a.x + a.width / 2 - b.x - b.width / 2, y: a.y + a.height / 2 - b.y - b.height / 2 };
}

/** A card slides from the shoe with a slight turn; `delayMs` undefined: it lies there at once. */
export function dealt(node: Element, { delayMs }: { delayMs: number | undefined }): TransitionConfig {
  if (delayMs === undefined || still()) return { duration: 0 };
  const { x, y } = wayFrom(node, 'shoe');
  const css = (t: number, u: number) =>
    `transform: translate(${x * u}px, ${y * u}px) rotate(${12 * u}deg); opacity: ${Math.min(1, t * 4)}; z-index: 3`;
  return { delay: delayMs, duration: FLIGHT_MS, easing: easeOut, css };
}

/** The face-down card turns over. */
export function turned(_node: Element): TransitionConfig {
  if (still()) return { duration: 0 };
  return { duration: FLIP_MS, css: (t) => `transform: scaleX(${Math.max(0.02, t)})` };
}

/** Chips: to the spot from the rail, pay and collect from and to the dealer. */
export function chips(
  node: Element,
  { from, ms, delayMs = 0 }: { from: string; ms: number; delayMs?: number },
) {
  if (still()) return { duration: 0 };
  const { x, y } = wayFrom(node, from);
  const css = (t: number, u: number) =>
    `transform: translate(${x * u}px, ${y * u}px); opacity: ${Math.min(1, t * 3)}`;
  return { delay: delayMs, duration: ms, easing: easeOut, css };
}

/** Results come into view once the last card has landed. */
export function appear(_node: Element, { delayMs = 0 }: { delayMs?: number }): TransitionConfig {
  return still() ? { duration: 0 } : { delay: delayMs, duration: 140, css: (t) => `opacity: ${t}` };
}
