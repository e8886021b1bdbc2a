/** The manager's actions on a table, each with its confirmation. */
import type { RequestBody, StaffConnection } from './connection.svelte';
import type { Question } from './ReasonDialog.svelte';
import type { Clock } from './wire';

type ActionName = 'open_table' | 'close_table' | 'pause_table' | 'resume_table' | 'void_round';

interface ActionQuestion {
  readonly title: string;
  readonly says: string;
  readonly button: string;
  readonly must: boolean;
}

const ACTION_QUESTIONS: Readonly<Record<ActionName, ActionQuestion>> = {
  open_table: {
    title: 'Open the table?',
    says: 'All shoes are shuffled, then the bets open.',
    button: 'Open',
    must: false,
  },
  close_table: {
    title: 'Close the table?',
    says: 'The current round is finished; then the table closes.',
    button: 'Close',
    must: false,
  },
  pause_table: {
    title: 'Pause the table?',
    says: 'Play and its clock stop. Players see the reason.',
    button: 'Pause',
    must: true,
  },
  resume_table: {
    title: 'Resume the table?',
    says: 'Play continues where it stopped, with the time that was left.',
    button: 'Resume',
    must: false,
  },
  void_round: {
    title: 'Void the round?',
    says: 'The round is cancelled, and all that was staked goes back to every player. This can’t be undone.',
    button: 'Void the round',
    must: true,
  },
};

type TableSource = Pick<StaffConnection, 'table' | 'overview' | 'request'>;

export function question(name: ActionName, table: string, connection: TableSource): Question {
  // The table may go on while the reason is written: another round isn't voided in this one's place.
  const ofRound = name === 'void_round' && { round: roundAt(table, connection) ?? '' };
  const body = (reason: string): RequestBody =>
    ({ t: name, table, ...ofRound, ...(reason && { reason }) }) as RequestBody;
  return { ...ACTION_QUESTIONS[name], done: (reason) => connection.request(body(reason)) };
}

function roundAt(table: string, { table: here, overview }: TableSource): string | undefined {
  return (here?.now ?? overview?.find((one) => one.table === table))?.clock.round;
}

/** The orders that make sense now, in the order of their buttons. */
export function availableActions(clock: Clock, closing: boolean): readonly ActionName[] {
  if (clock.phase === 'closed') return ['open_table'];
  const round: readonly ActionName[] = ['pause', 'opening', 'shuffling'].includes(clock.phase)
    ? []
    : ['void_round'];
  return [clock.paused ? 'resume_table' : 'pause_table', ...round, closing ? 'open_table' : 'close_table'];
}

export const BUTTONS: Readonly<Record<ActionName, string>> = {
  open_table: 'Open',
  close_table: 'Close',
  pause_table: 'Pause',
  resume_table: 'Resume',
  void_round: 'Void the round',
};
