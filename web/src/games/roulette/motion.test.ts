import { describe, expect, it } from 'vitest';
import { arrange } from './arrange';
import { landing, restOf } from './spin';
import { counts, share } from './statistics';

const same = (angle: number) => ((angle % 360) + 360) % 360;

describe('a spin', () => {
  it.each([
    [0, 0, 0],
    [17, 123, -40],
    [36, -90, 300],
  ])('to the pocket at %d ends with it and the ball on top', (place, wheel, ball) => {
    const rest = restOf(place, 37);
    const poses = landing({ wheel, ball }, rest);
    expect(same(poses[0]!.wheel)).toBeCloseTo(same(wheel));
    expect(same(poses[0]!.ball)).toBeCloseTo(same(ball));
    expect(poses[0]!.lift).toBe(1);
    expect(same(poses.at(-1)!.wheel)).toBeCloseTo(same(rest));
    expect(poses.at(-1)).toMatchObject({ lift: 0 });
    expect(poses.at(-1)!.ball).toBeCloseTo(0);
  });
  it.each([0, 5, 17, 36])('to the pocket at %d goes round the track at least three times', (place) => {
    for (const ball of [0, 90, 180, 359]) {
      const poses = landing({ wheel: 30, ball }, restOf(place, 37));
      const onTrack = poses.filter(({ lift }) => lift === 1);
      expect(onTrack[0]!.ball - onTrack.at(-1)!.ball).toBeGreaterThanOrEqual(3 * 360 - 20);
    }
  });
  it('wheel and ball run against each other until it falls', () => {
    const [first, second] = landing({ wheel: 0, ball: 0 }, restOf(5, 37));
    expect(second!.wheel).toBeGreaterThan(first!.wheel);
    expect(second!.ball).toBeLessThan(first!.ball);
  });
  it('in its pocket the ball goes with the wheel', () => {
    const poses = landing({ wheel: 10, ball: 20 }, restOf(5, 37)).slice(-10);
    const between = poses.map(({ wheel, ball }) => wheel - ball);
    for (const angle of between) expect(angle).toBeCloseTo(between[0]!);
  });
});

describe('past numbers', () => {
  const pockets = ['0', '1', '2', '3'];
  it('are counted, most often first, later ones before earlier ones', () => {
    expect(counts(['1', '2', '2', '3'], pockets)).toEqual([
      { pocket: '2', times: 2 },
      { pocket: '3', times: 1 },
      { pocket: '1', times: 1 },
      { pocket: '0', times: 0 },
    ]);
  });
  it('have shares in percent, of which a zero has none', () => {
    const came = ['1', '2', '0', '3'];
    expect(['red', 'black', 'even'].map((bet) => share(came, bet))).toEqual([50, 25, 25]);
    expect(share([], 'red')).toBe(0);
  });
});

describe('layout and racetrack', () => {
  it('are both seen where that costs little', () => {
    expect(arrange(940, 680)).toEqual({ width: 940, both: true, switchBeside: false });
  });
  it('take turns where the room is low, the switch where it costs less', () => {
    expect(arrange(900, 250)).toMatchObject({ both: false, switchBeside: true });
    expect(arrange(900, 250).width).toBeCloseTo(667.4, 0);
    expect(arrange(420, 190)).toMatchObject({ both: false, switchBeside: false });
  });
});
