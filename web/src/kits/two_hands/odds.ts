/** `1:1` of a bet's paytable: what it pays by rule, which stands below its exceptions. */
export const oddsOf = (pays: readonly string[]): string =>
  pays.map((line) => /\d+:\d+$/.exec(line)?.[0]).findLast((odds) => odds !== undefined) ?? '';
