import { Refusal } from '../state/refusal';

/** A handler of failed requests that shows the sign-in when the session has ended. */
export const orSignOut =
  (signedOut: () => void) =>
  (error: unknown): never => {
    if (error instanceof Refusal && error.code === 'not_signed_in') signedOut();
    throw error;
  };
