/** A camera, the dealer's with a microphone, sent to the media server in three layers. */
import type { CameraView } from '../wire';
import { Refusal } from '../state/refusal';
import { staffApi } from '../staff/api';
import { through } from './ice';

/** 720, 360 and 180 lines; the media server counts them from the lowest. */
const LAYERS: RTCRtpEncodingParameters[] = [
  { rid: 'h', maxBitrate: 1_500_000 },
  { rid: 'm', maxBitrate: 500_000, scaleResolutionDownBy: 2 },
  { rid: 'l', maxBitrate: 150_000, scaleResolutionDownBy: 4 },
];
const PICTURE = { width: { ideal: 1280 }, height: { ideal: 720 }, frameRate: { ideal: 30 } };
const VOICE = { echoCancellation: true, noiseSuppression: true };
/** Time in which a picture should have reached the media server; after it, it is sent anew. */
const UP_WITHIN_MS = 8_000;
const RETRY_MS = 2_000;

const deviceOf = (id: string) => (id ? { deviceId: { exact: id } } : {});

/** Camera and microphone (null: none) as one stream; it rejects as `getUserMedia` does. */
export const capture = (camera: string, microphone: string | null): Promise<MediaStream> =>
  navigator.mediaDevices.getUserMedia({
    video: { ...PICTURE, ...deviceOf(camera) },
    audio: microphone !== null && { ...VOICE, ...deviceOf(microphone) },
  });

export class Publisher {
  /** Why the picture isn't sent; null: nothing is wrong. */
  trouble = $state.raw<Refusal | null>(null);
  #table: string;
  #view: CameraView;
  #stream: MediaStream;
  #connection: RTCPeerConnection | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #publishing = false;
  #up = false;
  #stopped = false;

  constructor(table: string, view: CameraView, stream: MediaStream) {
    this.#table = table;
    this.#view = view;
    this.#stream = stream;
  }

  /** Call with every state of the camera at the server: a picture that is off there is sent anew. */
  update(up: boolean, may: boolean): void {
    this.#up = up;
    if (up) return clearTimeout(this.#timer);
    if (may && !this.#publishing) this.#later(this.#connection ? RETRY_MS : 0);
  }

  /** Send another stream from now on. */
  async replace(stream: MediaStream): Promise<void> {
    this.#stream = stream;
    for (const sender of this.#connection?.getSenders() ?? []) {
      const [track] = stream.getTracks().filter(({ kind }) => kind === sender.track?.kind);
      if (track) await sender.replaceTrack(track);
    }
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
    this.#connection?.close();
    void staffApi.stopPublishing(this.#table, this.#view).catch(() => {});
  }

  #later(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#publish(), ms);
  }

  async #publish(): Promise<void> {
    if (this.#stopped || this.#up) return;
    this.#publishing = true;
    try {
      await this.#connect();
      this.trouble = null;
    } catch (error) {
      this.trouble = error instanceof Refusal ? error : new Refusal('camera_unavailable');
    }
    this.#publishing = false;
    if (!this.#stopped && !this.#up) this.#later(this.trouble ? RETRY_MS : UP_WITHIN_MS);
  }

  async #connect(): Promise<void> {
    this.#connection?.close();
    const connection = (this.#connection = new RTCPeerConnection());
    for (const track of this.#stream.getTracks()) {
      const sendEncodings = track.kind === 'video' ? LAYERS : [];
      connection.addTransceiver(track, { direction: 'sendonly', streams: [this.#stream], sendEncodings });
    }
    const offer = await connection.createOffer();
    const { sdp, ice_servers } = await staffApi.publishCamera(this.#table, this.#view, offer.sdp!);
    // The browser looks for ways through these servers from its local description on.
    connection.setConfiguration(through(ice_servers));
    await connection.setLocalDescription(offer);
    await connection.setRemoteDescription({ type: 'answer', sdp });
  }
}
