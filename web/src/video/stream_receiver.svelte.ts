/** A dealer's picture by HLS, for many viewers or where WebRTC fails. Its player is loaded only then. */
import { post } from '../state/api';
import { server } from '../state/server.svelte';
import type { StreamAddress, WatchStream } from '../wire';
import type { Layer } from './auto_quality';
import type { Arriving, HlsPlayer } from './hls_player';
import { LateMessages } from './late_messages';
import type { Choice, PictureReceiver } from './receiver.svelte';

const late = new LateMessages((message) => server.apply(message));
server.gate = (message) => late.receive(message);

export class StreamReceiver implements PictureReceiver {
  still = $state.raw(true);
  layer = $state.raw<Layer | null>(null);
  height = $state.raw(0);
  delayMs = $state.raw(0);
  #table: string;
  #player: HlsPlayer | null = null;
  #stopped = false;

  /** `failed` is called if this browser can't play streams. */
  constructor(
    table: string,
    video: HTMLVideoElement,
    choice: () => Choice,
    resultDelayMs: number,
    failed: () => void,
  ) {
    this.#table = table;
    const address = () => post<StreamAddress>('/camera/stream', { table } satisfies WatchStream);
    void import('./hls_player').then(({ HlsPlayer }) => {
      if (this.#stopped) return;
      if (!HlsPlayer.supported()) return failed();
      const report = (now: Arriving) => {
        Object.assign(this, now);
        // Until the picture comes, results are shown at once.
        if (!now.still) late.delay(table, resultDelayMs);
      };
      this.#player = new HlsPlayer({ video, choice, address, report });
    }, failed);
  }

  chosen(): void {
    this.#player?.chosen();
  }

  stop(): void {
    this.#stopped = true;
    this.#player?.stop();
    late.delay(this.#table, 0);
  }
}
