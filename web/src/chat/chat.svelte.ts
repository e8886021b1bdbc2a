/** The chat state kept in this browser: window position, last message seen, muted players. */
import { server } from '../state/server.svelte';
import type { ChatLine } from '../wire';
import { savedMuted, shown, unread } from './lines';
import { savedPlace, type Place } from './place';

const PLACE = 'croupier.chat';
const mutes = (table: string) => `croupier.muted.${table}`;

class Chat {
  open = $state.raw(false);
  place = $state.raw<Place>(savedPlace(localStorage.getItem(PLACE)));
  #seen = $state.raw<Readonly<Record<string, number>>>({});
  #muted = $state.raw<Readonly<Record<string, readonly string[]>>>({});

  put(place: Place): void {
    this.place = place;
    localStorage.setItem(PLACE, JSON.stringify(place));
  }

  muted(table: string): readonly string[] {
    return this.#muted[table] ?? savedMuted(localStorage.getItem(mutes(table)));
  }

  mute(table: string, player: string): void {
    this.#keep(table, [...this.muted(table), player]);
  }

  unmuteAll(table: string): void {
    this.#keep(table, []);
  }

  #keep(table: string, players: readonly string[]): void {
    this.#muted = { ...this.#muted, [table]: players };
    localStorage.setItem(mutes(table), JSON.stringify(players));
  }

  /** The messages of a table's chat that the player sees. */
  lines(table: string): readonly ChatLine[] {
    const reader = {
      name: server.data.welcome?.name ?? '',
      hideOthers: server.settings.hide_chat,
      muted: this.muted(table),
    };
    return shown(server.live(table)?.chat ?? [], reader);
  }

  /** Null: the table has no chat. Messages from before the player joined aren't unread. */
  unread(table: string): number | null {
    if (!server.live(table)) return null;
    return unread(this.lines(table), this.#seen[table] ?? Infinity);
  }

  /** To be called with each line: what is looked at, or was there at the beginning, is seen. */
  follow(table: string, last: number, looked: boolean): void {
    const before = this.#seen[table];
    if (before === undefined || (looked && last > before)) this.#seen = { ...this.#seen, [table]: last };
  }

  leave(table: string): void {
    const { [table]: _left, ...seen } = this.#seen;
    this.#seen = seen;
  }
}

export const chat = new Chat();
