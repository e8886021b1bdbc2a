import { FLIGHT_MS, FLIP_MS } from './card_moves';

/** Sounds without files: each effect is made of partials and bursts of noise, as data. */

export type Effect =
  'card' | 'turn' | 'spin' | 'dice' | 'chip' | 'win' | 'big win' | 'end' | 'button' | 'call';

/** A partial of a sound, or a burst of filtered noise. */
interface Tone {
  readonly kind: 'noise' | OscillatorType;
  /** Hertz: the tone's pitch, or the middle of the noise's band. */
  readonly pitch: number;
  /** Pitch at the end; absent: constant. */
  readonly to?: number;
  readonly atMs: number;
  readonly lastsMs: number;
  readonly loud: number;
  /** Attack time. */
  readonly swellMs?: number;
}

type More = Pick<Tone, 'to' | 'swellMs'>;
const tone = (
  kind: Tone['kind'],
  pitch: number,
  atMs: number,
  lastsMs: number,
  loud: number,
  more: More = {},
): Tone => ({ kind, pitch, atMs, lastsMs, loud, ...more });

/** A body that is struck: partials of its pitch that die away, the high ones sooner, and the click of the blow. */
const struck = (pitch: number, partials: readonly number[], atMs: number, lastsMs: number, loud: number) => [
  tone('noise', pitch * 2, atMs, 12, loud * 0.7, { swellMs: 1 }),
  ...partials.map((ratio, n) =>
    tone('sine', pitch * ratio, atMs, lastsMs / (1 + n * 0.6), loud / (1 + n), { swellMs: 1 }),
  ),
];
const CLAY = [1, 1.58, 2.41, 3.27];
const WOOD = [1, 2.3, 3.9];
const clink = (atMs: number, loud: number) => struck(2350, CLAY, atMs, 62, loud);
const knock = (atMs: number, loud: number, pitch = 340) => struck(pitch, WOOD, atMs, 70, loud);

/** A card sliding over the cloth, and landing. */
const SLIDE = [
  tone('noise', 1500, 0, 150, 0.3, { to: 4200, swellMs: 60 }),
  tone('noise', 420, FLIGHT_MS - 25, 45, 0.5, { swellMs: 2 }),
  tone('noise', 2600, FLIGHT_MS - 25, 22, 0.16, { swellMs: 1 }),
];
const TURN = [
  tone('noise', 2200, 0, 120, 0.16, { to: 5200, swellMs: 70 }),
  tone('noise', 900, FLIP_MS - 60, 40, 0.42, { swellMs: 1 }),
];

/** The ball on the track, slower and lower each turn, then over the frets. */
const ROLL = [0, 380, 790, 1240, 1740].map((atMs, turn) =>
  tone('noise', 1150 - turn * 130, atMs, 620, 0.16, { to: 820 - turn * 110, swellMs: 260 }),
);
const FRETS = [2200, 2290, 2330, 2470, 2540, 2580, 2720, 2830, 2900, 3010].flatMap((atMs, hop) =>
  struck(1750 + (hop % 3) * 210, CLAY, atMs, 34, 0.3 / (1 + hop * 0.16)),
);

/** Three dice on wood, lower and softer until they rest. */
const THROW = [0, 60, 130, 260, 330, 470, 640, 700, 880, 1080, 1300].flatMap((atMs, hit) =>
  knock(atMs, 0.34 / (1 + hit * 0.17), 300 + (hit % 4) * 70),
);

const chord = (...pitches: number[]) =>
  pitches.flatMap((pitch, n) => [
    tone('sine', pitch, n * 85, 420, 0.2, { swellMs: 8 }),
    tone('sine', pitch * 2, n * 85, 260, 0.05, { swellMs: 8 }),
  ]);

const EFFECTS: Readonly<Record<Effect, readonly Tone[]>> = {
  card: SLIDE,
  turn: TURN,
  spin: [...ROLL, ...FRETS],
  dice: THROW,
  chip: [...clink(0, 0.22), ...clink(46, 0.12)],
  win: chord(659, 831, 988),
  'big win': chord(659, 831, 988, 1319, 1661),
  end: [tone('sine', 392, 0, 160, 0.16, { swellMs: 8 })],
  button: [tone('sine', 520, 0, 40, 0.14)],
  call: [tone('sine', 784, 0, 140, 0.2), tone('sine', 1047, 130, 240, 0.2)],
};

/** No two chips sound quite alike. */
const VARIES = 0.07;
const varied = () => 1 + (Math.random() - 0.5) * VARIES;

/** Duration of the whole sound, in milliseconds. */
export const soundsMs = (effect: Effect): number =>
  Math.max(...EFFECTS[effect].map(({ atMs, lastsMs }) => atMs + lastsMs));

/** A source and its pitch. */
type Voice = readonly [AudioScheduledSourceNode, AudioParam];

function noise(context: AudioContext): AudioBuffer {
  const buffer = context.createBuffer(1, context.sampleRate / 4, context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < samples.length; i += 1) samples[i] = Math.random() * 2 - 1;
  return buffer;
}

let bursts: AudioBuffer | undefined;

/** Lets an effect sound into `to`, so long after now. */
export function sound(context: AudioContext, effect: Effect, to: AudioNode, afterMs: number): void {
  const pitch = varied();
  for (const part of EFFECTS[effect]) voice(context, part, to, context.currentTime + afterMs / 1000, pitch);
}

function voice(context: AudioContext, part: Tone, out: AudioNode, start: number, varies: number): void {
  const { kind, pitch, to = pitch, atMs, lastsMs, loud, swellMs = 6 } = part;
  const from = start + atMs / 1000;
  const until = from + lastsMs / 1000;
  const level = context.createGain();
  level.gain.setValueAtTime(0, from);
  level.gain.linearRampToValueAtTime(loud, from + swellMs / 1000);
  level.gain.exponentialRampToValueAtTime(0.001, until);
  level.connect(out);
  const [source, glides] = kind === 'noise' ? burst(context, level) : pitched(context, kind, level);
  glides.setValueAtTime(pitch * varies, from);
  glides.exponentialRampToValueAtTime(to * varies, until);
  source.start(from);
  source.stop(until);
}

function burst(context: AudioContext, to: AudioNode): Voice {
  const band = new BiquadFilterNode(context, { type: 'bandpass', Q: 0.9 });
  const source = new AudioBufferSourceNode(context, { buffer: (bursts ??= noise(context)), loop: true });
  source.connect(band).connect(to);
  return [source, band.frequency];
}

function pitched(context: AudioContext, type: OscillatorType, to: AudioNode): Voice {
  const source = new OscillatorNode(context, { type });
  source.connect(to);
  return [source, source.frequency];
}
