/** The pages of the HTTP API, typed. Every refusal arrives as a `Refusal`. */
import type {
  AcceptRequest,
  AdviceRequest,
  Balance,
  BreakRequest,
  BonusAcceptance,
  BonusCancellation,
  CashierRequest,
  DecisionAdvice,
  DecisionReview,
  DocumentList,
  DocumentPage,
  DepositLimitAnswer,
  DueDocument,
  GameTotals,
  History,
  HistoryRound,
  LaunchToken,
  LimitRequest,
  LiveTableStatus,
  LobbyTable,
  Me,
  OfferedBonus,
  PastResult,
  PaymentLine,
  PaymentList,
  PlayerBonus,
  PlayerHelp,
  Problem,
  RecentTables,
  ResponsibleGaming,
  ReviewRequest,
  RoundLink,
  RulesPage,
  ServerInfo,
  SharedReplay,
  StatementEntry,
  TrainingRecord,
} from '../wire';
import { Refusal } from './refusal';
import { whose } from './whose';

/** Lines of a list that are fetched at once. */
export const PAGE = 25;

/** Rounds or movements at one table or of one game, in a period. */
export interface Selection {
  readonly table?: string;
  readonly game?: string;
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
}

const selected = ({ table, game, fromMs, toMs }: Selection) => ({
  table,
  game,
  from_ms: fromMs?.toString(),
  to_ms: toMs?.toString(),
});

const ANSWERED_WITHIN_MS = 20_000;
/** A file of a year takes longer. */
const SAVED_WITHIN_MS = 300_000;

/** Fetch with a time limit, since a dead network never closes the connection. */
export async function fetched(
  path: string,
  init: RequestInit,
  withinMs = ANSWERED_WITHIN_MS,
): Promise<Response> {
  const signal = AbortSignal.timeout(withinMs);
  return fetch(path, { ...init, signal }).catch(() => {
    throw new Refusal('offline');
  });
}

export async function call<Page>(path: string, init: RequestInit = {}, root = '/api'): Promise<Page> {
  const answer = await fetched(root + path, init);
  if (!answer.ok) throw await problem(answer);
  return (answer.status === 204 ? undefined : await answer.json()) as Page;
}

/** The refusal in an error response; a proxy may answer without a `Problem`. */
export async function problem(answer: Response): Promise<Refusal> {
  const page = (await answer.json().catch(() => null)) as Problem | null;
  if (page?.code) return new Refusal(page.code, page.args);
  return new Refusal(answer.status === 401 ? 'not_signed_in' : `http_${answer.status}`);
}

export const post = <Page>(path: string, body: unknown = {}) =>
  call<Page>(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

/** Fetch a page of the player's own. */
const own = <Page>(path: string) => call<Page>(path, {}, whose.api);

export const query = (parts: Readonly<Record<string, string | undefined>>) => {
  const given = Object.entries(parts).filter((part): part is [string, string] => !!part[1]);
  return given.length ? `?${new URLSearchParams(given)}` : '';
};

export const api = {
  /** Return the player of this browser's session, or a new guest. */
  signIn: () => post<Me>('/guest'),
  /** Begin the session of an operator's player. */
  launch: (order: LaunchToken) => post<Me>('/launch', order),
  signOut: () => post<null>('/sign-out'),
  serverInfo: () => call<ServerInfo>('/server'),
  /** Helplines of a jurisdiction; of the player's, if it is empty. */
  help: (jurisdiction = '') => call<PlayerHelp>(`/help${query({ jurisdiction })}`),
  tables: () => call<readonly LobbyTable[]>('/tables'),
  /** The tables played most recently, newest first. */
  recent: () => call<RecentTables>('/recent'),
  liveTables: () => call<readonly LiveTableStatus[]>('/live-tables'),
  rules: (table: string) => call<RulesPage>(`/tables/${encodeURIComponent(table)}/rules`),
  /** Past results of a live table, or of the player's own rounds at an own table, oldest first. */
  results: (table: string, n = 500) =>
    call<readonly PastResult[]>(`/tables/${encodeURIComponent(table)}/results?n=${n}`),
  history: (of: Selection = {}, before?: string) =>
    own<History>(`/history${query({ ...selected(of), before, limit: String(PAGE) })}`),
  /** The totals by game of each period between two bounds. */
  totals: (bounds: readonly number[]) =>
    call<readonly GameTotals[]>(`/totals?${new URLSearchParams(bounds.map((ms) => ['bounds', `${ms}`]))}`),
  /** A CSV file of rounds or movements, and its name. */
  file: async (what: 'history' | 'statement', of: Selection) => {
    const answer = await fetched(`${whose.api}/${what}.csv${query(selected(of))}`, {}, SAVED_WITHIN_MS);
    if (!answer.ok) throw await problem(answer);
    const named = /filename="([^"]+)"/.exec(answer.headers.get('content-disposition') ?? '');
    return { name: named?.[1] ?? `${what}.csv`, content: await answer.blob() };
  },
  share: (round: string) => post<RoundLink>(`/rounds/${encodeURIComponent(round)}/share`),
  unshare: (round: string) => post<null>(`/rounds/${encodeURIComponent(round)}/unshare`),
  /** The replay at a link; it needs no session. */
  replay: (token: string) => call<SharedReplay>(`/replays/${encodeURIComponent(token)}`),
  round: (round: string) => own<HistoryRound>(`/rounds/${encodeURIComponent(round)}`),
  statement: (of: Selection, before?: number) =>
    own<readonly StatementEntry[]>(
      `/statement${query({ ...selected(of), before: before?.toString(), limit: String(PAGE) })}`,
    ),
  documents: () => call<DocumentList>('/documents'),
  document: (document: string) => call<DocumentPage>(`/documents/${encodeURIComponent(document)}`),
  /** Documents to accept, and changes that the player hasn't been shown. */
  documentsDue: () => call<readonly DueDocument[]>('/documents/due'),
  acceptDocument: (order: AcceptRequest) => post<readonly DueDocument[]>('/documents/accept', order),
  responsibleGaming: () => own<ResponsibleGaming>('/responsible-gaming'),
  setLimit: (order: LimitRequest) => post<ResponsibleGaming>('/responsible-gaming/limit', order),
  answerDepositLimit: (order: DepositLimitAnswer) =>
    post<ResponsibleGaming>('/responsible-gaming/deposit-limit', order),
  startBreak: (order: BreakRequest) => post<ResponsibleGaming>('/responsible-gaming/break', order),
  deposit: (order: CashierRequest) => post<Balance>('/cashier/deposit', order),
  /** Payments by a payment provider, and the currencies that have one. */
  payments: () => call<PaymentList>('/payments'),
  beginDeposit: (order: CashierRequest) => post<PaymentLine>('/payments/deposit', order),
  beginWithdrawal: (order: CashierRequest) => post<PaymentLine>('/payments/withdraw', order),
  advise: (order: AdviceRequest) => post<DecisionAdvice>('/advice', order),
  judge: (order: ReviewRequest) => post<DecisionReview>('/training', order),
  training: () => call<TrainingRecord>('/training'),
  /** The player's bonuses, also ended ones, newest first. */
  bonuses: () => call<readonly PlayerBonus[]>('/bonuses'),
  bonusOffers: () => call<readonly OfferedBonus[]>('/bonuses/offers'),
  acceptBonus: (order: BonusAcceptance) => post<readonly PlayerBonus[]>('/bonuses/accept', order),
  cancelBonus: (order: BonusCancellation) => post<readonly PlayerBonus[]>('/bonuses/cancel', order),
  withdraw: (order: CashierRequest) => post<Balance>('/cashier/withdraw', order),
};
