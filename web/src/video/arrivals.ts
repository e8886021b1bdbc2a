/** The figures that a browser has about a connection that receives, and what has arrived between two readings. */
import type { Arrived } from './auto_quality';

/** The figures of the connection since its start. */
export interface Totals {
  readonly freezes: number;
  readonly lost: number;
  readonly received: number;
  /** Seconds that all frames together have waited in the jitter buffer. */
  readonly bufferedS: number;
  readonly buffered: number;
  readonly decoded: number;
  /** The figures of the network are those of voice and picture together. */
  readonly bits: number;
  readonly availableBitsPerS: number;
  readonly roundTripMs: number;
  readonly atMs: number;
}

export const NOTHING: Totals = {
  freezes: 0,
  lost: 0,
  received: 0,
  bufferedS: 0,
  buffered: 0,
  decoded: 0,
  bits: 0,
  availableBitsPerS: 0,
  roundTripMs: 0,
  atMs: 0,
};

export function between(before: Totals, now: Totals): Arrived {
  const seconds = (now.atMs - before.atMs) / 1000;
  return {
    freezes: now.freezes - before.freezes,
    lost: now.lost - before.lost,
    received: now.received - before.received,
    bufferMs: (1000 * (now.bufferedS - before.bufferedS)) / Math.max(1, now.buffered - before.buffered),
    framesPerS: (now.decoded - before.decoded) / seconds,
    bitsPerS: (now.bits - before.bits) / seconds,
    availableBitsPerS: now.availableBitsPerS,
  };
}

export function read(stats: RTCStatsReport): Totals {
  let totals = NOTHING;
  stats.forEach((report) => {
    if (report.type === 'inbound-rtp' && report.kind === 'video')
      totals = {
        ...totals,
        freezes: report.freezeCount ?? 0,
        lost: report.packetsLost,
        received: report.packetsReceived,
        bufferedS: report.jitterBufferDelay,
        buffered: report.jitterBufferEmittedCount,
        decoded: report.framesDecoded,
        atMs: report.timestamp,
      };
    if (report.type === 'candidate-pair' && report.nominated)
      totals = {
        ...totals,
        bits: 8 * report.bytesReceived,
        availableBitsPerS: report.availableIncomingBitrate ?? 0,
        roundTripMs: 1000 * (report.currentRoundTripTime ?? 0),
      };
  });
  return totals;
}
