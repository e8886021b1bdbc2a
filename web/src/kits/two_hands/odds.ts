/** The regular odds of a bet's paytable, `1:1`, which follow its exceptions. */
export const oddsOf = (pays: readonly string[]): string =>
  pays.map((line) => /\d+:\d+$/.exec(line)?.[0]).findLast((odds) => odds !== undefined) ?? '';
