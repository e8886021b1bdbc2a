/** The staff's part of the HTTP API. */
import { fetched, problem } from '../state/api';
import type { EventLogPage, Me, SignIn } from './wire';

async function call<Page>(path: string, init: RequestInit = {}): Promise<Page> {
  const answer = await fetched(`/api/staff${path}`, init);
  if (!answer.ok) throw await problem(answer);
  return (await answer.json().catch(() => null)) as Page;
}

const post = (path: string, body: unknown = {}) =>
  call<null>(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

export const staffApi = {
  me: () => call<Me>('/me'),
  signIn: (who: SignIn) => post('/sign-in', who),
  signOut: () => post('/sign-out'),
  log: (sought: { before?: string; table?: string; text?: string }) =>
    call<EventLogPage>(`/log?${new URLSearchParams(sought)}`),
};
