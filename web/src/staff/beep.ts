/** Two tones for the dealer: entry accepted, entry refused. */
let context: AudioContext | null = null;

export function beep(kind: 'good' | 'wrong'): void {
  if (typeof AudioContext === 'undefined') return;
  context ??= new AudioContext();
  const now = context.currentTime;
  const lasts = kind === 'good' ? 0.07 : 0.4;
  const level = new GainNode(context, { gain: kind === 'good' ? 0.08 : 0.25 });
  const tone = new OscillatorNode(context, {
    type: kind === 'good' ? 'sine' : 'sawtooth',
    frequency: kind === 'good' ? 1320 : 160,
  });
  tone.connect(level).connect(context.destination);
  tone.start(now);
  tone.stop(now + lasts);
}
