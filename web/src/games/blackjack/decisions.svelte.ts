import type { Decision } from '../../state/server.svelte';
import type { PlayerTable } from '../../table/player_table.svelte';
import { Arming } from '../../table/arming.svelte';
import { OFFLINE } from '../../ui/because';
import { PendingRequest } from '../../table/pending_request.svelte';
import type { BlackjackView, OptionView, TurnView } from './wire';
import { asked, isTooDear, offerTurns, optionOf, payable, playTurn, type Action } from './view_queries';

interface Made {
  readonly round: string;
  readonly decisions: readonly Decision[];
}

/** The open decisions of a player and the ones already made, for any table. */
export class Decisions {
  /** The decisions open to the player now. */
  open: readonly TurnView[] = $derived.by(() =>
    this.#open().map((turn) => payable(turn, this.#playerTable.payableMinor)),
  );
  turn = $derived.by(() => playTurn({ turns: this.open }));
  offers = $derived.by(() => offerTurns({ turns: this.open }));
  #playerTable: PlayerTable<BlackjackView>;
  #open: () => readonly TurnView[];
  #send: (decision: Decision) => Promise<void>;
  #decided = new PendingRequest();
  #arming = new Arming(() => this.question);
  /** Decisions sent from this browser in a round. */
  #made = $state.raw<Made>({ round: '', decisions: [] });

  constructor(
    playerTable: PlayerTable<BlackjackView>,
    open: () => readonly TurnView[],
    send: (decision: Decision) => Promise<void>,
  ) {
    this.#playerTable = playerTable;
    this.#open = open;
    this.#send = send;
  }

  /** Changes with every new decision. */
  question = $derived.by(() => {
    const { round, view } = this.#playerTable;
    return this.open.length && view ? `${round?.id} ${asked(view, this.open)}` : '';
  });
  deciding = $derived.by(() => this.question !== '' && this.#decided.isUnderWay(this.question));
  /** Why nothing can be decided now; empty: it can. */
  held = $derived.by(() => {
    if (this.#playerTable.held) return OFFLINE;
    if (this.question === '') return 'Wait for your turn';
    if (this.#playerTable.waits) return 'Wait for the cards';
    if (this.deciding) return 'Your decision is on its way';
    return this.#arming.armed ? '' : 'One moment';
  });
  mayDecide = $derived.by(() => this.held === '');
  /** In the first round at this table, decisions are explained next to their buttons. */
  hints = $derived.by(() => this.#playerTable.hints);

  /** A decision can be pressed a moment after it appeared, so that no press meant for the last one counts. */
  arm(): () => void {
    const stop = this.#arming.run();
    return () => {
      stop();
      // A correction at the table may ask the very same again.
      this.askAgain();
    };
  }

  /** Tells why a control can't be used, where there is no pointer to ask it. */
  say(reason: string): void {
    this.#playerTable.say(reason);
  }

  /** The game's own keys. */
  readonly keys: Readonly<Record<string, () => void>> = {
    h: () => void this.#first(['hit']),
    s: () => void this.#first(['stand']),
    d: () => void this.#first(['double']),
    p: () => void this.#first(['split']),
    i: () => void this.#first(['insure']),
    n: () => void this.#first(['decline_insurance', 'decline_even_money']),
    e: () => void this.#first(['take_even_money']),
  };

  /** Answers the hand in turn, or the first open offer that has this option. */
  async #first(actions: readonly Action[]): Promise<void> {
    for (const turn of this.open)
      for (const action of actions) if (optionOf(turn, action)) return this.decide(turn, action);
  }

  /** Maximum stake of an option: less than its cost if the table allows it and the balance requires it. */
  maxStakeFor({ cost_minor, cost_min_minor }: OptionView): number {
    return Math.min(cost_minor, Math.max(cost_min_minor, this.#playerTable.payableMinor));
  }

  /** Send also actions that the balance doesn't cover: the table substitutes another by its rules. */
  async decide(at: { box: number; hand: number }, action: Action, stakeMinor?: number): Promise<void> {
    const turn = this.open.find(({ box, hand }) => box === at.box && hand === at.hand) ?? null;
    const option = optionOf(turn, action);
    const { round } = this.#playerTable;
    if (!option || !this.mayDecide || !round) return;
    if (!option.covered && !isTooDear(option))
      return this.#playerTable.notice({ code: 'not_covered', spot: null, minor: option.cost_min_minor });
    const decision = { round: round.id, turn: round.turn, box: at.box, hand: at.hand, action };
    const max = option.covered ? this.maxStakeFor(option) : option.cost_minor;
    const stake = stakeMinor ?? (max < option.cost_minor ? max : undefined);
    try {
      await this.#decided.send(this.question, () =>
        this.#send(stake === undefined ? decision : { ...decision, stake_minor: stake }),
      );
      const before = this.#made.round === round.id ? this.#made.decisions : [];
      this.#made = { round: round.id, decisions: [...before, decision] };
    } catch (error) {
      this.#playerTable.refused(error);
    }
  }

  /** Return the player's last decision for this hand, made in this browser in this round; null: none. */
  decidedFor(at: { box: number; hand: number }): string | null {
    const { round, decisions } = this.#made;
    if (round !== this.#playerTable.round?.id) return null;
    return decisions.findLast(({ box, hand }) => box === at.box && hand === at.hand)?.action ?? null;
  }

  /** The decision that was sent isn't waited for any more. */
  askAgain(): void {
    this.#decided.forget();
  }
}
