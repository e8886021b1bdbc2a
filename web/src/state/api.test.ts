import { afterEach, expect, it, vi } from 'vitest';
import { api } from './api';

afterEach(() => void [vi.unstubAllGlobals(), vi.restoreAllMocks()]);

it('treats a server that never answers as unreachable', async () => {
  const patience = new AbortController();
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(patience.signal);
  vi.stubGlobal(
    'fetch',
    (_path: string, { signal }: RequestInit) =>
      new Promise((_, refuse) => signal?.addEventListener('abort', () => refuse(signal.reason))),
  );
  const asked = expect(api.serverInfo()).rejects.toMatchObject({ code: 'offline' });
  patience.abort();
  await asked;
});

const answering = (status: number, body: string) =>
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(body, { status })));

it('takes a refusal from the body of an error, whatever its status', async () => {
  for (const status of [400, 401, 404, 405, 409, 413, 429, 500, 503]) {
    answering(status, JSON.stringify({ code: 'too_many_requests', args: { seconds: 7 } }));
    await expect(api.serverInfo()).rejects.toMatchObject({ code: 'too_many_requests', args: { seconds: 7 } });
  }
});

it('understands an error of a proxy, which has no such body', async () => {
  answering(502, '<h1>Bad gateway</h1>');
  await expect(api.serverInfo()).rejects.toMatchObject({ code: 'http_502' });
  answering(401, '');
  await expect(api.responsibleGaming()).rejects.toMatchObject({ code: 'not_signed_in' });
});
