import { LiveRegion } from './live_region';
import type { Sound } from './sound';

const LOG_LINES = 60;

/** Tells what happens: to screen readers, in the written log, and to the ear. */
export class Announcer {
  log = $state.raw<readonly string[]>([]);
  readonly polite = new LiveRegion();
  readonly urgent = new LiveRegion();
  protected sound: Sound;

  constructor(sound: Sound) {
    this.sound = sound;
  }

  /** Log the lines; also announce them if `speak` is true. */
  protected write(lines: readonly string[], urgent: string, speak: boolean): void {
    this.log = [...this.log, ...lines, ...(urgent ? [urgent] : [])].slice(-LOG_LINES);
    if (!speak) return;
    this.polite.say(lines.join(' '));
    this.urgent.say(urgent);
    this.sound.say(lines.join(' '));
  }
}
