import { nearest } from './nearest';

/**
 * For the root of a layout: Tab reaches one of its spots (`data-spot`), arrow keys lead to the nearest in
 * their direction, Home and End to the first and the last.
 */
export function rovingFocus(root: HTMLElement): () => void {
  const spots = () => [...root.querySelectorAll<HTMLElement>('[data-spot]')];
  const reach = (spot: HTMLElement | undefined) => {
    for (const other of root.querySelectorAll('[data-spot][tabindex="0"]'))
      other.setAttribute('tabindex', '-1');
    spot?.setAttribute('tabindex', '0');
  };
  const goal = (from: HTMLElement, key: string) => {
    const all = spots();
    if (key === 'Home') return all[0];
    if (key === 'End') return all.at(-1);
    const rects = all.map((spot) => spot.getBoundingClientRect());
    return all[nearest(from.getBoundingClientRect(), rects, key)];
  };
  const spotOf = (event: Event) => (event.target as Element).closest<HTMLElement>('[data-spot]');

  const keydown = (event: KeyboardEvent) => {
    const from = spotOf(event);
    const to = from && !event.ctrlKey && !event.altKey && !event.metaKey ? goal(from, event.key) : undefined;
    if (!to) return;
    event.preventDefault();
    event.stopPropagation();
    to.focus();
  };
  const focusin = (event: FocusEvent) => {
    const spot = spotOf(event);
    if (spot) reach(spot);
  };
  root.addEventListener('keydown', keydown);
  root.addEventListener('focusin', focusin);
  reach(spots()[0]);
  return () => {
    root.removeEventListener('keydown', keydown);
    root.removeEventListener('focusin', focusin);
  };
}
