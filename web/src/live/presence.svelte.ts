import { api } from '../state/api';
import { server } from '../state/server.svelte';
import type { Settings } from '../wire';

/** Whether a table has a drawn dealer: an automatic one, which the player hasn't switched off. */
export class Presence {
  #automatic = $state.raw(false);

  /** Call at first, and when the table closes or opens: only then may its dealer change. */
  follow(table: string, _closed: boolean): void {
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
