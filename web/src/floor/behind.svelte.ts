/** Tables that stay open while another page is looked at: what is staked there stands, and it calls from behind. */
import { house } from '../state/house.svelte';
import type { Place } from '../state/router.svelte';
import { tablesIn } from './address';

/** At the lobby other tables are chosen: to go there is to leave one's tables. */
const keepsTables = ({ name }: Place): boolean => name !== 'table' && name !== 'lobby';

class Behind {
  tables = $state.raw<readonly string[]>([]);
  /** Whether the page that is shown keeps the tables. No state: who asks is being taken away, and would be told the past. */
  keeps = false;
  #from: Place | null = null;

  /** Before the page is shown: nothing of these tables is on the screen. */
  arrive(here: Place): void {
    this.keeps = keepsTables(here);
    if (!this.keeps) this.#show(tablesIn(here.id));
    else if (this.#from?.name === 'table') this.tables = tablesIn(this.#from.id);
    this.#from = here;
  }

  #show(shown: readonly string[]): void {
    for (const table of this.tables)
      if (shown.includes(table)) house.comesBack(table);
      else house.leave(table);
    this.tables = [];
  }
}

export const behind = new Behind();
