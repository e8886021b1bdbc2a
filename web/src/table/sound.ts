import { inEnglish } from '../state/money';
import type { Effect } from './effects';
import type { Settings } from '../wire';

/** A sound and its delay after the message. */
export interface SoundCue {
  readonly effect: Effect;
  readonly delayMs: number;
}

/** One context for the table, made at the first gesture; until then everything is silent. */
export class Sound {
  #context: AudioContext | null = null;
  #effects: GainNode | null = null;
  /** Fetched at the first gesture. */
  #synth: typeof import('./effects') | null = null;
  #settings: Settings | null = null;

  /** Applies at once: a mute also cuts what is sounding. */
  set(settings: Settings): void {
    this.#settings = settings;
    this.#level();
    if (!settings.voice) globalThis.speechSynthesis?.cancel();
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
    void import('./effects').then((synth) => (this.#synth = synth));
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
    // In a hidden window only a table that waits for the player makes a sound.
    if (document.hidden && effect !== 'call') return;
    this.#synth?.sound(context, effect, this.#effects!, afterMs);
  }

  /** The dealer's voice, where the browser has one. It has its own switch, beside that of the effects. */
  say(text: string): void {
    const { voice, voice_volume } = this.#settings ?? {};
    if (!text || !voice || !voice_volume || !this.#context || document.hidden) return;
    if (typeof SpeechSynthesisUtterance === 'undefined') return;
    const spoken = new SpeechSynthesisUtterance(inEnglish(text));
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
