import type { Spot } from '../../table/betting';
import type { PlayerTable } from '../../table/player_table.svelte';
import type { BetLimits } from '../../wire';
import { movedAmong } from './roving_moves';

/** The keyboard over the spots of the boxes: one of them is reached by Tab, the others by arrows. */
export class RovingFocus {
  #at = $state.raw<Spot>({ box: -1, bet: '' });
  #playerTable: PlayerTable;
  #places: () => readonly number[];
  #bets: () => readonly BetLimits[];

  constructor(playerTable: PlayerTable, places: () => readonly number[], bets: () => readonly BetLimits[]) {
    this.#playerTable = playerTable;
    this.#places = places;
    this.#bets = bets;
  }

  #first = $derived.by<Spot>(() => {
    const bets = this.#bets();
    return { box: this.#places()[0] ?? 0, bet: (bets.find(({ main }) => main) ?? bets[0])?.bet ?? '' };
  });
  /** The spot that Tab reaches. */
  current = $derived.by<Spot>(() => (this.#places().includes(this.#at.box) ? this.#at : this.#first));

  to(spot: Spot): void {
    this.#at = spot;
  }

  /** On a spot: arrows walk, Shift and Enter take one back. */
  readonly press = (event: KeyboardEvent): void => {
    const [box, bet] = (event.target as HTMLElement).dataset['spot']?.split(' ') ?? [];
    if (box === undefined || bet === undefined) return;
    const here = { box: Number(box), bet };
    if (event.key === 'Enter' && event.shiftKey) this.#playerTable.takeBack(here);
    else if (!this.#step(here, event)) return;
    event.preventDefault();
  };

  #step(from: Spot, { key, currentTarget }: KeyboardEvent): boolean {
    const names = this.#bets().map(({ bet }) => bet);
    const next = movedAmong(this.#places(), from, key, names);
    if (!next) return false;
    this.#at = next;
    const cloth = currentTarget as HTMLElement;
    cloth.querySelector<HTMLElement>(`[data-spot="${next.box} ${next.bet}"]`)?.focus();
    return true;
  }
}
