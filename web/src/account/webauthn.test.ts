import { describe, expect, it } from 'vitest';
import { toBytes, toText } from './webauthn';

describe('binary values', () => {
  it.each([
    [[], ''],
    [[0], 'AA'],
    [[251, 255], '-_8'],
    [[1, 2, 3], 'AQID'],
  ])('%j are “%s” in base64url', (bytes, text) => {
    expect(toText(Uint8Array.from(bytes).buffer)).toBe(text);
    expect([...toBytes(text)]).toEqual(bytes);
  });
});
