export type Args = Readonly<Record<string, string | number>>;

/** What the house did not do, and why: nothing has changed. `words.ts` makes the sentence of it. */
export class Refusal extends Error {
  readonly code: string;
  readonly args: Args;

  constructor(code: string, args: Args = {}) {
    super(code);
    this.name = 'Refusal';
    this.code = code;
    this.args = args;
  }
}
