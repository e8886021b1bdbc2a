/**
 * Plays the dealer's picture of a table by HLS. It is loaded apart from the rest, since hls.js is large, and imports
 * nothing that others load as well: they would be split into more files for it.
 */
import Hls, { type Level } from 'hls.js/light';
import type { StreamAddress } from '../wire';
import type { Layer } from './auto_quality';
import type { Choice } from './receiver.svelte';

const RETRY_MS = 2_000;
const CHECK_MS = 500;
/** Time without progress after which the picture counts as interrupted, and after which it is loaded anew. */
const STILL_MS = 3_000;
const DEAD_MS = 10_000;
const MASTER = 'master.m3u8';
const VOICE = 'voice.m3u8';
/** Worst first, as hls.js sorts them. */
const LAYERS: readonly Layer[] = ['low', 'medium', 'high'];

/** Two segments behind the newest: measured 2.9 s from the dealer to the player. */
const CONFIG = {
  enableWorker: false,
  liveSyncDurationCount: 2,
  maxLiveSyncPlaybackRate: 1.1,
  backBufferLength: 10,
  maxBufferLength: 10,
};

/** What arrives, as in `PictureReceiver`. */
export interface Arriving {
  readonly still: boolean;
  readonly layer: Layer | null;
  readonly height: number;
  readonly delayMs: number;
}

/** What the player gets from the page. */
export interface Playing {
  readonly video: HTMLVideoElement;
  readonly choice: () => Choice;
  /** Ask for the address: the server refuses it once the table isn't open any more. */
  readonly address: () => Promise<StreamAddress>;
  readonly report: (now: Arriving) => void;
}

const NOTHING: Arriving = { still: true, layer: null, height: 0, delayMs: 0 };

export class HlsPlayer {
  #page: Playing;
  #hls: Hls | null = null;
  /** The address of the stream's folder, valid until it is renewed. */
  #folder = '';
  #playlist = MASTER;
  #renewal: ReturnType<typeof setTimeout> | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #checks: ReturnType<typeof setInterval>;
  #stopped = false;
  #atS = 0;
  #movedMs = performance.now();

  /** True if this browser can play streams. */
  static supported = (): boolean => Hls.isSupported();

  constructor(page: Playing) {
    this.#page = page;
    this.#checks = setInterval(() => this.#check(), CHECK_MS);
    void this.#start();
  }

  /** Call when the choice has changed. */
  chosen(): void {
    const hls = this.#hls;
    if (!hls) return;
    const { layer, max } = this.#page.choice();
    // In a hidden window the lowest picture keeps the voice from stopping, as a change of playlist would.
    const voice = layer === 'audio' && (!document.hidden || this.#playlist === VOICE);
    const playlist = voice ? VOICE : MASTER;
    if (playlist !== this.#playlist) {
      this.#playlist = playlist;
      hls.loadSource(this.#folder + playlist);
    } else if (!voice && hls.levels.length) {
      hls.autoLevelCapping = indexOf(hls.levels, max);
      hls.nextLevel = layer === 'auto' ? -1 : indexOf(hls.levels, layer === 'audio' ? 'low' : layer);
    }
  }

  stop(): void {
    this.#stopped = true;
    clearInterval(this.#checks);
    this.#close();
  }

  async #start(): Promise<void> {
    this.#close();
    try {
      await this.#renew();
    } catch {
      return this.#again();
    }
    if (this.#stopped) return;
    const hls = (this.#hls = new Hls({ ...CONFIG, xhrSetup: (xhr, url) => this.#open(xhr, url) }));
    hls.on(Hls.Events.ERROR, (_, { fatal, details }) => {
      // A playlist that can't be loaded is that of an earlier stream, or of a table that isn't open any more.
      if (fatal || details === Hls.ErrorDetails.LEVEL_LOAD_ERROR) this.#again();
    });
    hls.on(Hls.Events.MANIFEST_PARSED, () => this.chosen());
    this.#movedMs = performance.now();
    this.#page.video.srcObject = null;
    this.#playlist = this.#page.choice().layer === 'audio' ? VOICE : MASTER;
    hls.loadSource(this.#folder + this.#playlist);
    hls.attachMedia(this.#page.video);
  }

  /** Ask for the address, again and again. */
  async #renew(): Promise<void> {
    const { url, valid_ms } = await this.#page.address();
    this.#folder = new URL(url, location.href).href.slice(0, -MASTER.length);
    clearTimeout(this.#renewal);
    if (valid_ms && !this.#stopped)
      this.#renewal = setTimeout(() => void this.#renew().catch(() => this.#again()), valid_ms / 2);
  }

  /** Load a file from the address as it is now: playlists have names of the time when they were loaded. */
  #open(xhr: XMLHttpRequest, url: string): void {
    xhr.open('GET', this.#folder + url.slice(url.lastIndexOf('/') + 1), true);
  }

  #again(): void {
    this.#close();
    if (!this.#stopped) this.#retry = setTimeout(() => void this.#start(), RETRY_MS);
  }

  #close(): void {
    clearTimeout(this.#renewal);
    clearTimeout(this.#retry);
    this.#hls?.destroy();
    this.#hls = null;
    this.#page.report(NOTHING);
  }

  #check(): void {
    const hls = this.#hls;
    if (!hls) return;
    const { currentTime, videoWidth, videoHeight } = this.#page.video;
    if (currentTime !== this.#atS || document.hidden) this.#movedMs = performance.now();
    this.#atS = currentTime;
    const stillMs = performance.now() - this.#movedMs;
    const isVoice = this.#playlist === VOICE;
    const still = stillMs > STILL_MS || !currentTime || (!isVoice && !videoWidth);
    this.#page.report({
      still,
      layer: isVoice ? 'audio' : layerOf(hls.levels[hls.currentLevel]),
      height: isVoice ? 0 : videoHeight,
      delayMs: 1000 * hls.latency,
    });
    if (stillMs > DEAD_MS) this.#again();
  }
}

const layerOf = (level: Level | undefined): Layer | null =>
  LAYERS.find((layer) => level?.url[0]?.includes(`/${layer}.m3u8`)) ?? null;

/** The level of a layer, or of the next one below it that the dealer sends. */
function indexOf(levels: readonly Level[], wanted: Layer): number {
  const most = LAYERS.indexOf(wanted);
  return levels.findLastIndex((level) => LAYERS.indexOf(layerOf(level)!) <= most);
}
