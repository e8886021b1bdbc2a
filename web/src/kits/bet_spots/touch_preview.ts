/** Position of a touch, in CSS pixels from the layout's upper left corner, and the spot under it. */
export interface TouchTarget {
  readonly spot: HTMLElement;
  readonly x: number;
  readonly y: number;
}

/**
 * Touch handling for layouts with spots smaller than a finger: the spot under the finger is previewed and can
 * be changed, and is pressed when the finger lifts. Off the layout nothing is pressed.
 */
export const touchPreview =
  (preview: (at: TouchTarget | null) => void) =>
  (root: HTMLElement): (() => void) => {
    let at: TouchTarget | null = null;
    const under = ({ clientX, clientY }: Touch): TouchTarget | null => {
      const spot = document.elementFromPoint(clientX, clientY)?.closest<HTMLElement>('[data-spot]');
      const { left, top } = root.getBoundingClientRect();
      return spot && root.contains(spot) ? { spot, x: clientX - left, y: clientY - top } : null;
    };
    const update = (now: TouchTarget | null) => preview((at = now));
    const follow = ({ touches: [only, second] }: TouchEvent) => update(only && !second ? under(only) : null);
    const lifted = (event: TouchEvent) => {
      // The browser's own click would go to where the finger came down.
      event.preventDefault();
      at?.spot.click();
      update(null);
    };
    const gone = () => update(null);
    const listeners = {
      touchstart: follow,
      touchmove: follow,
      touchend: lifted,
      touchcancel: gone,
    } as const;
    const each = Object.entries(listeners) as [keyof typeof listeners, (event: TouchEvent) => void][];
    for (const [name, listener] of each)
      root.addEventListener(name, listener, { passive: name !== 'touchend' });
    return () => {
      for (const [name, listener] of each) root.removeEventListener(name, listener);
    };
  };
