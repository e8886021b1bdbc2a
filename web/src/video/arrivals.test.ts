import { expect, it } from 'vitest';
import { between, NOTHING, read } from './arrivals';

const picture = (over: object) => ({
  type: 'inbound-rtp',
  kind: 'video',
  timestamp: 1_000,
  freezeCount: 1,
  packetsLost: 2,
  packetsReceived: 100,
  jitterBufferDelay: 3,
  jitterBufferEmittedCount: 60,
  framesDecoded: 60,
  ...over,
});
const voice = { type: 'inbound-rtp', kind: 'audio', packetsLost: 90, packetsReceived: 10 };
const pair = (over: object) => ({ type: 'candidate-pair', nominated: true, bytesReceived: 50_000, ...over });
const report = (...reports: readonly object[]) =>
  new Map(reports.map((each, place) => [`${place}`, each])) as unknown as RTCStatsReport;

const BEFORE = report(picture({}), voice, pair({}));
const LATER = { timestamp: 3_000, freezeCount: 2, packetsLost: 7, packetsReceived: 400 };
const FRAMES = { jitterBufferDelay: 6, jitterBufferEmittedCount: 110, framesDecoded: 110 };
const ARRIVED = {
  freezes: 1,
  lost: 5,
  received: 300,
  bufferMs: 60,
  framesPerS: 25,
  bitsPerS: 800_000,
  availableBitsPerS: 0,
};

it.each([
  ['without an estimate of the network', {}, ARRIVED],
  ['with one', { availableIncomingBitrate: 9e5 }, { ...ARRIVED, availableBitsPerS: 9e5 }],
])('tells what has arrived between two readings, %s', (_, estimate, arrived) => {
  const unused = { type: 'candidate-pair', nominated: false, bytesReceived: 7, availableIncomingBitrate: 7 };
  const now = report(
    picture({ ...LATER, ...FRAMES }),
    voice,
    pair({ bytesReceived: 250_000, ...estimate }),
    unused,
  );
  expect(between(read(BEFORE), read(now))).toEqual(arrived);
});

it('has the time to the other end and back in milliseconds', () => {
  expect(read(report(pair({ currentRoundTripTime: 0.05 }))).roundTripMs).toBe(50);
  expect(read(report()), 'before anything has arrived').toEqual(NOTHING);
});
