/** The attributes of a control disabled for `reason`, for pointer and screen reader; empty: enabled. */
export const because = (reason: string) => ({
  'aria-disabled': reason !== '',
  'aria-description': reason || undefined,
  title: reason || undefined,
});

export const OFFLINE = 'No connection to the server';
export const UNKNOWN_BALANCE = 'Balance unknown, asking again';
export const UNCOVERED = 'Not covered by your balance';
