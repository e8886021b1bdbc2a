/** The pages of the HTTP API, typed. Every refusal arrives as a `Refusal`. */
import type {
  AdviceRequest,
  Balance,
  BreakRequest,
  CashierRequest,
  DecisionAdvice,
  DecisionReview,
  History,
  HistoryRound,
  LimitRequest,
  LiveTableStatus,
  LobbyTable,
  Me,
  PastResult,
  Problem,
  RecentTables,
  ResponsibleGaming,
  ReviewRequest,
  RulesPage,
  ServerInfo,
  StatementEntry,
  TrainingRecord,
} from '../wire';
import { Refusal } from './refusal';

/** Lines of a list that are fetched at once. */
export const PAGE = 25;

/** History filter: rounds before another one, at one table, started in a period. */
interface HistoryQuery {
  readonly before?: string | undefined;
  readonly table?: string;
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
}

const ANSWERED_WITHIN_MS = 20_000;

/** Fetch with a time limit, since a dead network never closes the connection. */
export async function fetched(path: string, init: RequestInit): Promise<Response> {
  const signal = AbortSignal.timeout(ANSWERED_WITHIN_MS);
  return fetch(path, { ...init, signal }).catch(() => {
    throw new Refusal('offline');
  });
}

async function call<Page>(path: string, init: RequestInit = {}): Promise<Page> {
  const answer = await fetched(`/api${path}`, init);
  if (!answer.ok) throw await problem(answer);
  return (answer.status === 204 ? undefined : await answer.json()) as Page;
}

/** The refusal in an error response; a proxy may answer without a `Problem`. */
export async function problem(answer: Response): Promise<Refusal> {
  const page = (await answer.json().catch(() => null)) as Problem | null;
  if (page?.code) return new Refusal(page.code, page.args);
  return new Refusal(answer.status === 401 ? 'stranger' : `http_${answer.status}`);
}

const post = <Page>(path: string, body: unknown = {}) =>
  call<Page>(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

const query = (parts: Readonly<Record<string, string | undefined>>) => {
  const given = Object.entries(parts).filter((part): part is [string, string] => !!part[1]);
  return given.length ? `?${new URLSearchParams(given)}` : '';
};

export const api = {
  /** Return the player of this browser's session, or a new guest. */
  signIn: () => post<Me>('/guest'),
  serverInfo: () => call<ServerInfo>('/house'),
  tables: () => call<readonly LobbyTable[]>('/tables'),
  /** The tables played most recently, newest first. */
  recent: () => call<RecentTables>('/recent'),
  floor: () => call<readonly LiveTableStatus[]>('/floor'),
  rules: (table: string) => call<RulesPage>(`/tables/${encodeURIComponent(table)}/rules`),
  /** Past results of a live table, or of the player's own rounds at an own table, oldest first. */
  results: (table: string, n = 500) =>
    call<readonly PastResult[]>(`/tables/${encodeURIComponent(table)}/results?n=${n}`),
  history: ({ before, table, fromMs, toMs }: HistoryQuery = {}) =>
    call<History>(
      `/history${query({
        before,
        table,
        from_ms: fromMs?.toString(),
        to_ms: toMs?.toString(),
        limit: String(PAGE),
      })}`,
    ),
  round: (round: string) => call<HistoryRound>(`/rounds/${encodeURIComponent(round)}`),
  statement: (before?: number) =>
    call<readonly StatementEntry[]>(
      `/statement${query({ before: before?.toString(), limit: String(PAGE) })}`,
    ),
  care: () => call<ResponsibleGaming>('/care'),
  limit: (order: LimitRequest) => post<ResponsibleGaming>('/care/limit', order),
  bar: (order: BreakRequest) => post<ResponsibleGaming>('/care/bar', order),
  deposit: (order: CashierRequest) => post<Balance>('/cashier/deposit', order),
  advise: (order: AdviceRequest) => post<DecisionAdvice>('/advice', order),
  judge: (order: ReviewRequest) => post<DecisionReview>('/training', order),
  training: () => call<TrainingRecord>('/training'),
  withdraw: (order: CashierRequest) => post<Balance>('/cashier/withdraw', order),
};
