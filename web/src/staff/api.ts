/** The staff's part of the HTTP API. */
import { fetched, problem, query } from '../state/api';
import type { CameraView, PasskeyChallenge, PasskeySignIn, PaymentLine, SignedInDevice } from '../wire';
import type {
  ApprovalView,
  AskAdjustment,
  AskReopening,
  BonusOffer,
  CameraAnswer,
  CancelBonus,
  CloseAccount,
  DecideApproval,
  EndPlayerSessions,
  EnrolAuthenticator,
  EnrolPasskey,
  EnrolmentOffer,
  EventLogPage,
  FoundPlayers,
  GrantBonus,
  LiabilityReport,
  Me,
  PlayerFile,
  PlayerBonuses,
  PresentPlay,
  ResultsReport,
  SearchResults,
  SignIn,
  SignInMethods,
  StartEnrolment,
  OpenWalletCall,
  DecidePayment,
  StuckPayment,
} from './wire';

async function call<Page>(path: string, init: RequestInit = {}): Promise<Page> {
  const answer = await fetched(`/api/staff${path}`, init);
  if (!answer.ok) throw await problem(answer);
  return (await answer.json().catch(() => null)) as Page;
}

const post = <Page = null>(path: string, body: unknown = {}) =>
  call<Page>(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

type Query = Readonly<Record<string, string | undefined>>;

/** The path of a player’s pages. */
export const playerPath = (player: string) => `/players/${encodeURIComponent(player)}`;

export const staffApi = {
  me: () => call<Me>('/me'),
  signInMethods: () => call<SignInMethods>('/sign-in'),
  signIn: (who: SignIn) => post('/sign-in', who),
  signInChallenge: () => post<PasskeyChallenge>('/sign-in/challenge'),
  signInWithPasskey: (answer: PasskeySignIn) => post('/sign-in/passkey', answer),
  startEnrolment: (who: StartEnrolment) => post<EnrolmentOffer>('/enrolment', who),
  enrolAuthenticator: (order: EnrolAuthenticator) => post('/enrolment/authenticator', order),
  enrolPasskey: (order: EnrolPasskey) => post('/enrolment/passkey', order),
  signOut: () => post('/sign-out'),
  bonusOffers: () => call<readonly BonusOffer[]>('/bonuses'),
  bonusesOf: (player: string) => call<PlayerBonuses>(`${playerPath(player)}/bonuses`),
  grantBonus: (order: Omit<GrantBonus, 't'>) => post<PlayerBonuses>('/bonuses/grant', order),
  cancelBonus: (order: Omit<CancelBonus, 't'>) => post<PlayerBonuses>('/bonuses/cancel', order),
  players: (before: string | undefined) => call<FoundPlayers>(`/players${query({ before })}`),
  search: (text: string) => call<SearchResults>(`/search${query({ text })}`),
  player: (player: string) => call<PlayerFile>(playerPath(player)),
  devices: (player: string) => call<readonly SignedInDevice[]>(`${playerPath(player)}/account/devices`),
  payments: (player: string) => call<readonly PaymentLine[]>(`${playerPath(player)}/payments`),
  endSessions: (order: Omit<EndPlayerSessions, 't'>) => post('/players/end-sessions', order),
  closeAccount: (order: Omit<CloseAccount, 't'>) => post('/players/close', order),
  approvals: () => call<readonly ApprovalView[]>('/approvals'),
  askAdjustment: (order: Omit<AskAdjustment, 't'>) => post<ApprovalView>('/approvals/adjustment', order),
  askReopening: (order: Omit<AskReopening, 't'>) => post<ApprovalView>('/approvals/reopening', order),
  decide: (order: Omit<DecideApproval, 't'>) => post<ApprovalView>('/approvals/decide', order),
  log: (sought: Query) => call<EventLogPage>(`/log${query(sought)}`),
  results: (of: Query) => call<ResultsReport>(`/reports/results${query(of)}`),
  liabilities: (of: Query) => call<LiabilityReport>(`/reports/liabilities${query(of)}`),
  presentPlay: () => call<PresentPlay>('/reports/present'),
  openWalletCalls: () => call<readonly OpenWalletCall[]>('/wallet'),
  stuckPayments: () => call<readonly StuckPayment[]>('/payments'),
  publishCamera: (table: string, view: CameraView, sdp: string) =>
    post<CameraAnswer>('/camera', { table, view, sdp }),
  stopPublishing: (table: string, view: CameraView) => post('/camera/stop', { table, view }),
  recording: async (round: string): Promise<Blob> => {
    const answer = await fetched(`/api/staff/rounds/${encodeURIComponent(round)}/recording`, {});
    if (!answer.ok) throw await problem(answer);
    return answer.blob();
  },
  askWallet: (transaction: string) => post('/wallet/ask', { transaction }),
  askPayment: (payment: string) => post('/payments/ask', { payment }),
  decidePayment: (decided: Omit<DecidePayment, 't'>) => post('/payments/decide', decided),
};

/** The address of a CSV file, which the browser saves. */
export const fileAt = (what: 'log' | 'reports/results' | 'reports/liabilities', of: Query): string =>
  `/api/staff/${what}.csv${query(of)}`;
