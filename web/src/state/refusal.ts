export type Args = Readonly<Record<string, string | number>>;

/** A refused request: nothing has changed. `refusal_words.ts` has its sentence. */
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
