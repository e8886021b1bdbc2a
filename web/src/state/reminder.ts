/** When the reality check is due. Acknowledgements outlive a reload of the page, within their session. */
const KEY = 'croupier.reminded';

interface Kept {
  readonly sessionMs: number;
  readonly playedMs: number;
}

/** The time played at the last acknowledgement in this session; 0: none. */
export function acknowledgedMs(sessionMs: number, kept: string | null): number {
  const found = kept ? (JSON.parse(kept) as Kept) : null;
  return found?.sessionMs === sessionMs ? found.playedMs : 0;
}

/** How often he is reminded, of what the house offers: where it can't be off, the first choice counts. 0: never. */
export function everyMinutes(chosen: number, choices: readonly number[]): number {
  return choices.includes(chosen) ? chosen : (choices[0] ?? 0);
}

export function due(minutes: number, playedMs: number, acknowledged: number): boolean {
  return minutes > 0 && playedMs - acknowledged >= minutes * 60_000;
}

export const recall = (sessionMs: number) => acknowledgedMs(sessionMs, localStorage.getItem(KEY));
export const keep = (kept: Kept) => localStorage.setItem(KEY, JSON.stringify(kept));
