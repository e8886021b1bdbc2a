import type { Settings } from '../wire';

/** Sounds without files: each effect is a handful of tones and bursts of noise, as data. */
export type Effect = 'card' | 'spin' | 'dice' | 'chip' | 'win' | 'end' | 'button' | 'call';

/** A sound, and how long after the message it comes. */
export interface Beat {
  readonly effect: Effect;
  readonly delayMs: number;
}

interface Tone {
  readonly kind: 'noise' | OscillatorType;
  /** Hertz: the tone's pitch, or the middle of the noise's band. */
  readonly pitch: number;
  readonly atMs: number;
  readonly lastsMs: number;
  readonly loud: number;
}

const tone = (kind: Tone['kind'], pitch: number, atMs: number, lastsMs: number, loud: number): Tone => ({
  kind,
  pitch,
  atMs,
  lastsMs,
  loud,
});

/** The ball ticks past the frets, slower and slower, then falls. */
const TICKS = Array.from({ length: 18 }, (_, n) => tone('noise', 3000, 60 * n + 5 * n * n, 30, 0.12));
const FALL = [2800, 2990, 3110, 3350, 3460].map((atMs) => tone('noise', 2200, atMs, 45, 0.3));
const THROW = [0, 70, 160, 250, 390, 480, 640].map((atMs) => tone('noise', 1500, atMs, 40, 0.32));

const EFFECTS: Readonly<Record<Effect, readonly Tone[]>> = {
  card: [tone('noise', 2600, 0, 70, 0.5), tone('noise', 900, 45, 40, 0.35)],
  spin: [...TICKS, ...FALL],
  dice: THROW,
  chip: [tone('sine', 3100, 0, 45, 0.3), tone('sine', 4200, 12, 60, 0.22), tone('noise', 5000, 0, 18, 0.25)],
  win: [tone('sine', 659, 0, 260, 0.25), tone('sine', 831, 90, 260, 0.22), tone('sine', 988, 180, 420, 0.22)],
  end: [tone('sine', 392, 0, 160, 0.16)],
  button: [tone('sine', 520, 0, 40, 0.14)],
  call: [tone('sine', 784, 0, 140, 0.2), tone('sine', 1047, 130, 240, 0.2)],
};

function noise(context: AudioContext): AudioBuffer {
  const buffer = context.createBuffer(1, context.sampleRate / 4, context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < samples.length; i += 1) samples[i] = Math.random() * 2 - 1;
  return buffer;
}

/** One context for the table, made at the first gesture; until then everything is silent. */
export class Sound {
  #context: AudioContext | null = null;
  #effects: GainNode | null = null;
  #noise: AudioBuffer | null = null;
  #settings: Settings | null = null;

  /** Applies at once: a mute also cuts what is sounding. */
  set(settings: Settings): void {
    this.#settings = settings;
    this.#level();
    if (!(settings.sound && settings.voice)) globalThis.speechSynthesis?.cancel();
  }

  /** To be called from a gesture; browsers refuse sound before one. */
  wake = (): void => {
    if (typeof AudioContext === 'undefined') return;
    this.#context ??= this.#open();
    if (this.#context.state === 'suspended') void this.#context.resume();
  };

  #open(): AudioContext {
    const context = new AudioContext();
    this.#effects = context.createGain();
    this.#effects.connect(context.destination);
    this.#noise = noise(context);
    queueMicrotask(() => this.#level());
    return context;
  }

  #level(): void {
    const { sound = false, effects_volume = 0 } = this.#settings ?? {};
    if (this.#effects) this.#effects.gain.value = sound ? effects_volume / 100 : 0;
  }

  play(effect: Effect, afterMs = 0): void {
    const context = this.#context;
    if (!context || context.state !== 'running' || !this.#settings?.sound) return;
    // Only a table that waits is heard from behind another window.
    if (document.hidden && effect !== 'call') return;
    for (const part of EFFECTS[effect]) this.#sound(context, part, context.currentTime + afterMs / 1000);
  }

  #sound(context: AudioContext, { kind, pitch, atMs, lastsMs, loud }: Tone, start: number): void {
    const from = start + atMs / 1000;
    const until = from + lastsMs / 1000;
    const level = context.createGain();
    level.gain.setValueAtTime(0, from);
    level.gain.linearRampToValueAtTime(loud, from + 0.006);
    level.gain.exponentialRampToValueAtTime(0.001, until);
    level.connect(this.#effects!);
    const source =
      kind === 'noise' ? this.#burst(context, pitch, level) : pitched(context, kind, pitch, level);
    source.start(from);
    source.stop(until);
  }

  #burst(context: AudioContext, pitch: number, to: AudioNode): AudioScheduledSourceNode {
    const band = new BiquadFilterNode(context, { type: 'bandpass', frequency: pitch, Q: 0.9 });
    const source = new AudioBufferSourceNode(context, { buffer: this.#noise });
    source.connect(band).connect(to);
    return source;
  }

  /** The dealer's voice, where the browser has one. */
  say(text: string): void {
    const { sound, voice, voice_volume } = this.#settings ?? {};
    if (!text || !sound || !voice || !voice_volume || !this.#context || document.hidden) return;
    if (typeof SpeechSynthesisUtterance === 'undefined') return;
    const spoken = new SpeechSynthesisUtterance(text);
    spoken.lang = 'en-GB';
    spoken.volume = voice_volume / 100;
    speechSynthesis.speak(spoken);
  }

  close(): void {
    globalThis.speechSynthesis?.cancel();
    void this.#context?.close();
    this.#context = null;
  }
}

function pitched(
  context: AudioContext,
  type: OscillatorType,
  frequency: number,
  to: AudioNode,
): OscillatorNode {
  const source = new OscillatorNode(context, { type, frequency });
  source.connect(to);
  return source;
}
