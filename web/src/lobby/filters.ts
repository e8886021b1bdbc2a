import { typed } from '../state/typed_amount';
import type { CurrencyView, LiveTableStatus, LobbyTable } from '../wire';

/** `now`: a live table as it is; absent: an own one, or not known yet. */
type Keep = (table: LobbyTable, status?: LiveTableStatus) => boolean;
const hasSideBets: Keep = ({ limits }) => limits.some(({ bets }) => bets.some(({ main }) => !main));

export const FILTERS = [
  { name: 'All', keep: () => true },
  { name: 'Open now', keep: (_table, status) => status?.phase !== 'closed' },
  { name: 'Live', keep: ({ live }) => live },
  { name: 'Several boxes', keep: ({ boxes }) => boxes > 1 },
  { name: 'Side bets', keep: hasSideBets },
] as const satisfies readonly { name: string; keep: Keep }[];

export type FilterName = (typeof FILTERS)[number]['name'];

/** The games that are dealt, by their names, as people call them, in the order of their tables. */
export function gamesOf(tables: readonly LobbyTable[]): [name: string, title: string][] {
  const names = [...new Set(tables.map(({ game }) => game))];
  return names.map((name) => [name, gameTitle(name)]);
}

/** `dragon_tiger`: Dragon Tiger. */
export const gameTitle = (name: string) =>
  name.replace(/(^|_)(.)/g, (_all, gap: string, first: string) => (gap && ' ') + first.toUpperCase());

/**
 * Search criteria. `game` empty: all. Every word of `text` must appear on the card; a number may also be an
 * accepted stake.
 */
export interface Sought {
  readonly filter: FilterName;
  readonly game: string;
  readonly text: string;
  readonly currency: CurrencyView;
}

/** `now`: the live tables as they are, by their ids. */
export function matching(
  tables: readonly LobbyTable[],
  liveTables: ReadonlyMap<string, LiveTableStatus>,
  { filter, game, text: sought, currency }: Sought,
): readonly LobbyTable[] {
  const keep: Keep = FILTERS.find(({ name }) => name === filter)!.keep;
  const words = sought.toLowerCase().split(/\s+/);
  return tables.filter((table) => {
    const text = textOf(table);
    if (game && table.game !== game) return false;
    return (
      keep(table, liveTables.get(table.table)) &&
      words.every((word) => text.includes(word) || takes(table, word, currency))
    );
  });
}

function textOf({ title, line, game, live, cloth }: LobbyTable): string {
  return [title, line, game, live ? 'live' : 'own', ...cloth].join(' ').toLowerCase();
}

/** Whether a main bet of `stake`, `5` or `1,000` in whole currency units, is within the limits. */
function takes({ limits }: LobbyTable, stake: string, currency: CurrencyView): boolean {
  const minor = typed(stake, currency);
  const own = limits.find((one) => one.currency === currency.code);
  return minor !== null && !!own && minor >= own.min_minor && minor <= own.max_minor;
}
