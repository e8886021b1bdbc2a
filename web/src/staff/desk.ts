/** The staff's part of the HTTP API. */
import { fetched } from '../state/api';
import { Refusal } from '../state/refusal';
import type { Problem } from '../wire';
import type { Log, Me, SignIn } from './wire';

async function call<Page>(path: string, init: RequestInit = {}): Promise<Page> {
  const answer = await fetched(`/api/staff${path}`, init);
  if (answer.status === 401) throw new Refusal('stranger');
  const page = (await answer.json().catch(() => null)) as unknown;
  if (answer.ok) return page as Page;
  const { code, args } = page as Problem;
  throw new Refusal(code ?? `http_${answer.status}`, args);
}

const post = (path: string, body: unknown = {}) =>
  call<null>(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

export const desk = {
  me: () => call<Me>('/me'),
  signIn: (who: SignIn) => post('/sign-in', who),
  signOut: () => post('/sign-out'),
  log: (sought: { before?: string; table?: string; text?: string }) =>
    call<Log>(`/log?${new URLSearchParams(sought)}`),
};
