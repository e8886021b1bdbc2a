/** Filters for the chat messages that this player sees. */
import type { ChatLine } from '../wire';

export const TEXT_MOST = 200;
/** From here on the characters left are counted down. */
const COUNTED_FROM = 160;

export interface Reader {
  readonly name: string;
  readonly hideOthers: boolean;
  readonly muted: readonly string[];
}

export const isOwn = (line: ChatLine, name: string) => line.role === 'player' && line.who === name;

/** Messages from the dealer and the server are never hidden. */
export function shown(lines: readonly ChatLine[], { name, hideOthers, muted }: Reader): readonly ChatLine[] {
  const reads = (line: ChatLine) =>
    line.role !== 'player' || isOwn(line, name) || (!hideOthers && !muted.includes(line.player));
  return lines.filter(reads);
}

/** Lines that came after the one seen last. */
export function unread(lines: readonly ChatLine[], seen: number): number {
  return lines.filter(({ line }) => line > seen).length;
}

/** Characters left, once there are few; else null. */
export function left(text: string): number | null {
  return text.length < COUNTED_FROM ? null : TEXT_MOST - text.length;
}

export function savedMuted(text: string | null): readonly string[] {
  try {
    const kept: unknown = JSON.parse(text ?? '');
    return Array.isArray(kept) ? kept.filter((one) => typeof one === 'string') : [];
  } catch {
    return [];
  }
}
