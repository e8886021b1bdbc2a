/** The tables that are open in this window. Looking at another page, or going back, leaves none of them. */
import { chat } from '../chat/chat.svelte';
import { server } from '../state/server.svelte';
import { forgetUnsent } from '../table/unsent_bets';
import { router, type By, type Place } from '../state/router.svelte';
import { TABLES_MAX, addressOf, beside, neighbour, replaced, tablesIn, without } from './address';

/** State kept across a reload with the history entry, and not part of a shared address. */
interface HistoryState {
  /** The table that is chosen. */
  readonly at?: string;
  /** The tables that stay open behind a page whose address names none. */
  readonly behind?: readonly string[];
}

const historyState = () => (history.state ?? {}) as HistoryState;

class OpenTables {
  #requested = $state.raw(historyState().behind ?? []);
  #chosen = $state.raw(historyState().at ?? '');
  #previous = '';
  #onTablePage = false;

  max = $derived(Math.min(server.data.welcome?.profile.tables_max ?? TABLES_MAX, TABLES_MAX));
  tables = $derived(this.#requested.slice(0, this.max));
  /** Named by the address, beyond those that the jurisdiction allows. */
  refused = $derived(this.#requested.slice(this.max));
  /** The table that is played, of several the last one used; empty: none is open. */
  active = $derived(this.tables.includes(this.#chosen) ? this.#chosen : (this.tables.at(-1) ?? ''));
  /** How many more tables can be opened. */
  room = $derived(
    this.tables.every((table) => this.#multiPlay(table)) ? Math.max(0, this.max - this.tables.length) : 0,
  );

  /** Before a page is shown: the address to show instead of it, or null. */
  arrive = (wanted: Place, by: By): string | null => {
    const onTablePage = this.#onTablePage;
    this.#onTablePage = wanted.name === 'table';
    if (!this.#onTablePage) {
      this.#remember();
      return null;
    }
    if (by === 'history' && this.#requested.length) return this.#back(onTablePage);
    this.#setTables(tablesIn(wanted.id));
    if (!onTablePage) this.#restoreAll();
    return null;
  };

  activate(table: string): void {
    if (table === this.#chosen) return;
    this.#previous = this.#chosen;
    this.#chosen = table;
    this.#remember();
  }

  /** Whether a table can be opened in addition to the open ones. */
  canAdd(table: string): boolean {
    return this.tables.length > 0 && this.room > 0 && !this.tables.includes(table) && this.#multiPlay(table);
  }

  /** Open a table beside the others. */
  add(table: string): void {
    this.#go(beside(this.tables, table), table);
  }

  /** Show a table that is open; else open it in place of the active one. */
  choose(table: string): void {
    const { tables, active } = this;
    this.#go(tables.includes(table) ? addressOf(tables) : replaced(tables, active, table), table);
  }

  /** Leave one table without touching the others, wherever the player is. */
  leave(table: string): void {
    const { tables, active } = this;
    const next =
      tables.includes(this.#previous) && this.#previous !== table ? this.#previous : neighbour(tables, table);
    const rest = without(tables, table);
    if (this.#onTablePage) router.go(rest, rest !== '/');
    if (!this.#onTablePage || rest === '/') this.#setTables(tables.filter((other) => other !== table));
    if (table === active) this.activate(next);
    this.#remember();
  }

  #go(address: string, table: string): void {
    router.go(address, this.#onTablePage);
    this.activate(table);
    this.#remember();
  }

  #remember(): void {
    const behind = this.#onTablePage ? {} : { behind: this.#requested };
    history.replaceState({ at: this.#chosen, ...behind } satisfies HistoryState, '');
  }

  /** The history records which page was shown, not which tables are open. */
  #back(onTablePage: boolean): string {
    if (!onTablePage) this.#restoreAll();
    return addressOf(this.#requested);
  }

  /** Don't replay events that happened in the background. */
  #restoreAll(): void {
    for (const table of this.tables) server.restoreTable(table);
  }

  #setTables(requested: readonly string[]): void {
    for (const table of this.#requested.filter((one) => !requested.includes(one))) {
      chat.leave(table);
      forgetUnsent(table);
      server.leave(table);
    }
    this.#requested = requested;
  }

  #multiPlay(table: string): boolean {
    return server.tables?.find((one) => one.table === table)?.multi_play ?? true;
  }
}

export const openTables = new OpenTables();
