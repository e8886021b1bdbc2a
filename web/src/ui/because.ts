/** The attributes of a control that is disabled for `reason`, told by pointer and screen reader; empty: it isn't. */
export const because = (reason: string) => ({
  'aria-disabled': reason !== '',
  'aria-description': reason || undefined,
  title: reason || undefined,
});

export const OFFLINE = 'No connection to the server';
export const UNCOVERED = 'Not covered by your balance';
