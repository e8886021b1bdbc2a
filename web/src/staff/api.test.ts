import { afterEach, expect, it, vi } from 'vitest';
import { staffApi } from './api';

afterEach(() => vi.unstubAllGlobals());

const answers = (status: number, page: unknown) =>
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(JSON.stringify(page), { status })));

it.each([
  [401, { code: 'wrong_sign_in', args: {} }, 'wrong_sign_in'],
  [429, { code: 'too_many_tries', args: { seconds: 9 } }, 'too_many_tries'],
  [401, { status_code: 401, detail: 'Unauthorized' }, 'not_signed_in'],
  [502, null, 'http_502'],
])('%d with %o is refused as such', async (status, page, code) => {
  answers(status, page);
  await expect(staffApi.signIn({ name: 'Ada', code: 'x' })).rejects.toMatchObject({ code });
});
