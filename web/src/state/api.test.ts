import { afterEach, expect, it, vi } from 'vitest';
import { api } from './api';

afterEach(() => void [vi.unstubAllGlobals(), vi.restoreAllMocks()]);

it('gives up a house that never answers, as one that can’t be reached', async () => {
  const patience = new AbortController();
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(patience.signal);
  vi.stubGlobal(
    'fetch',
    (_path: string, { signal }: RequestInit) =>
      new Promise((_, refuse) => signal?.addEventListener('abort', () => refuse(signal.reason))),
  );
  const asked = expect(api.house()).rejects.toMatchObject({ code: 'offline' });
  patience.abort();
  await asked;
});
