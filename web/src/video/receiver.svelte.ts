/** One picture of a table: the connection to the media server, its layer and what arrives. */
import { post } from '../state/api';
import type {
  AnswerCamera,
  CameraOffer,
  CameraView,
  ChooseLayer,
  ReportFirstPicture,
  StopCamera,
  WatchCamera,
} from '../wire';
import { through } from './ice';
import { between, NOTHING, read } from './arrivals';
import { autoFrom, limit, step, STEP_MS, type Layer } from './auto_quality';

const RETRY_MS = [500, 1_000, 2_000, 4_000];
/** Time without a frame after which the picture counts as interrupted, and after which it is watched anew. */
const STILL_MS = 2_000;
const DEAD_MS = 8_000;
const CHECK_MS = 500;
/** Time after which a network doesn't let the connection through; a good one needs less than a second. */
const CONNECTED_MS = 6_000;

/** What the player has chosen: a layer, or the best that arrives well, up to one. */
export interface Choice {
  readonly layer: Layer | 'auto';
  readonly max: Layer;
}

/** One picture that arrives, in whichever way. */
export interface PictureReceiver {
  /** Nothing moves, or nothing has come yet. */
  readonly still: boolean;
  /** The layer that is asked for; null: none yet. */
  readonly layer: Layer | null;
  /** The height of the picture that arrives; 0: none. */
  readonly height: number;
  /** Estimate of how far the picture is behind the dealer. */
  readonly delayMs: number;
  /** Call when the choice has changed. */
  chosen(): void;
  stop(): void;
}

/** A picture by WebRTC. */
export class Receiver implements PictureReceiver {
  still = $state.raw(true);
  layer = $state.raw<Layer | null>(null);
  height = $state.raw(0);
  delayMs = $state.raw(0);
  #table: string;
  #view: CameraView;
  #video: HTMLVideoElement;
  #choice: () => Choice;
  #failed: () => void;
  #auto = autoFrom('medium');
  #connection: RTCPeerConnection | null = null;
  #watch = '';
  #attempt = 0;
  #stopped = false;
  #timers: ReturnType<typeof setInterval>[] = [];
  #retry: ReturnType<typeof setTimeout> | undefined;
  #before = NOTHING;
  #frames = 0;
  #movedMs = 0;
  #beganMs = 0;
  #connected = false;

  /** `failed` is called whenever an attempt ends before anything has come. */
  constructor(
    table: string,
    view: CameraView,
    video: HTMLVideoElement,
    choice: () => Choice,
    failed: () => void,
  ) {
    this.#table = table;
    this.#view = view;
    this.#video = video;
    this.#choice = choice;
    this.#failed = failed;
    this.#timers = [
      setInterval(() => this.#check(), CHECK_MS),
      setInterval(() => void this.#step(), STEP_MS),
    ];
    void this.#start();
  }

  chosen(): void {
    const { layer, max } = this.#choice();
    if (layer === 'auto') this.#auto = limit(this.#auto, max);
    void this.#choose(layer === 'auto' ? this.#auto.layer : layer);
  }

  stop(): void {
    this.#stopped = true;
    this.#timers.forEach(clearInterval);
    this.#close();
  }

  async #start(): Promise<void> {
    this.#close();
    try {
      await this.#connect();
      this.#attempt = 0;
    } catch {
      this.#again();
    }
  }

  async #connect(): Promise<void> {
    const askedMs = performance.now();
    const { watch, sdp, ice_servers } = await post<CameraOffer>('/camera/watch', {
      table: this.#table,
      view: this.#view,
    } satisfies WatchCamera);
    if (this.#stopped) return this.#end(watch);
    const connection = (this.#connection = new RTCPeerConnection(through(ice_servers)));
    this.#watch = watch;
    const stream = new MediaStream();
    this.#video.srcObject = stream;
    connection.ontrack = ({ track }) => stream.addTrack(track);
    connection.onconnectionstatechange = () => {
      if (connection !== this.#connection) return;
      if (connection.connectionState === 'connected') this.#connected = true;
      if (connection.connectionState === 'failed') this.#again();
    };
    this.#movedMs = this.#beganMs = performance.now();
    this.#video.onloadeddata = () => {
      if (this.layer === 'audio' || watch !== this.#watch) return;
      const waited_ms = Math.min(60_000, Math.round(performance.now() - askedMs));
      void post<void>('/camera/shown', { watch, waited_ms } satisfies ReportFirstPicture).catch(() => {});
    };
    await connection.setRemoteDescription({ type: 'offer', sdp });
    const answer = await connection.createAnswer();
    await connection.setLocalDescription(answer);
    const { layer, max } = this.#choice();
    this.#auto = limit(autoFrom('medium'), max);
    this.layer = layer === 'auto' ? this.#auto.layer : layer;
    await post<void>('/camera/answer', {
      watch,
      sdp: answer.sdp ?? '',
      layer: this.layer,
    } satisfies AnswerCamera);
  }

  #again(): void {
    const arrived = this.#connected;
    this.#close();
    if (this.#stopped) return;
    if (!arrived) this.#failed();
    const waitMs = RETRY_MS[Math.min(this.#attempt++, RETRY_MS.length - 1)];
    this.#retry = setTimeout(() => void this.#start(), waitMs);
  }

  #close(): void {
    clearTimeout(this.#retry);
    this.#connection?.close();
    this.#connection = null;
    if (this.#watch) void this.#end(this.#watch);
    this.#watch = '';
    this.#before = NOTHING;
    this.#frames = 0;
    this.#connected = false;
    [this.layer, this.height, this.still] = [null, 0, true];
  }

  #end(watch: string): Promise<void> {
    // A refusal means that it has ended.
    return post<void>('/camera/stop', { watch } satisfies StopCamera).catch(() => {});
  }

  async #choose(layer: Layer): Promise<void> {
    if (!this.#watch || layer === this.layer) return;
    // No frames come while the window is hidden, or the picture is behind another one.
    if (this.layer === 'audio') this.#before = NOTHING;
    this.layer = layer;
    this.#movedMs = performance.now();
    await post<void>('/camera/layer', { watch: this.#watch, layer } satisfies ChooseLayer).catch(() =>
      this.#again(),
    );
  }

  /** A dead network and a frozen dealer close nothing: only missing frames show them. */
  #check(): void {
    if (!this.#connection) return;
    const frames = this.#video.getVideoPlaybackQuality().totalVideoFrames;
    if (frames !== this.#frames || this.layer === 'audio' || document.hidden)
      this.#movedMs = performance.now();
    this.#frames = frames;
    const stillMs = performance.now() - this.#movedMs;
    this.still = stillMs > STILL_MS || !this.#video.videoWidth;
    this.height = this.layer === 'audio' ? 0 : this.#video.videoHeight;
    const isBlocked = !this.#connected && performance.now() - this.#beganMs > CONNECTED_MS;
    if (stillMs > DEAD_MS || isBlocked) this.#again();
  }

  async #step(): Promise<void> {
    const connection = this.#connection;
    if (!connection) return;
    const totals = read(await connection.getStats());
    if (connection !== this.#connection) return;
    const before = this.#before;
    this.#before = this.#video.paused ? NOTHING : totals;
    const arrived = between(before, totals);
    this.delayMs = arrived.bufferMs + totals.roundTripMs / 2;
    const { layer, max } = this.#choice();
    // The first figures are those of the start.
    if (layer !== 'auto' || !before.received) return;
    this.#auto = step(this.#auto, arrived, max);
    await this.#choose(this.#auto.layer);
  }
}
