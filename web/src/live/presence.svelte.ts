import { api } from '../state/api';
import { server } from '../state/server.svelte';
import type { Settings } from '../wire';

/** Whether a table has a drawn dealer: an automatic one, which the player hasn't switched off. */
export class Presence {
  #automatic = $state.raw(false);

  /** Call when the table is open, and when it opens again: only a closed one may change its dealer. */
  follow(table: string): void {
    // Without an answer, the table is played without a dealer's picture.
    api.liveTables().then(
      (all) => (this.#automatic = all.some((one) => one.table === table && one.dealer === 'automatic')),
      () => {},
    );
  }

  drawn(table: string, quality: Settings['video_quality']): boolean {
    const camera = server.data.cameras[table];
    const filmed = !!camera && (camera.state !== 'off' || !!camera.equipment);
    return this.#automatic && !filmed && quality !== 'off' && quality !== 'audio';
  }
}
