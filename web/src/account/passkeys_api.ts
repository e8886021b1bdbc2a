/** The HTTP API of passkeys, which few pages need. */
import { call, post } from '../state/api';
import type {
  Me,
  NewPasskeyAccount,
  PasskeyAccountName,
  PasskeyAddition,
  PasskeyChallenge,
  PasskeyCreation,
  PasskeyRemoval,
  PasskeySignIn,
  PasskeyView,
} from '../wire';

export const passkeysApi = {
  list: () => call<readonly PasskeyView[]>('/passkeys'),
  passkeyCreation: () => post<PasskeyCreation>('/passkeys/creation'),
  /** Begin to confirm a change of the account with a passkey. */
  confirmationChallenge: () => post<PasskeyChallenge>('/account/confirmation'),
  addPasskey: (order: PasskeyAddition) => post<readonly PasskeyView[]>('/passkeys', order),
  removePasskey: (order: PasskeyRemoval) => post<readonly PasskeyView[]>('/passkeys/removal', order),
  passkeyAccountCreation: (order: PasskeyAccountName) =>
    post<PasskeyCreation>('/account/passkey/creation', order),
  createPasskeyAccount: (order: NewPasskeyAccount) => post<Me>('/account/passkey', order),
  signInChallenge: () => post<PasskeyChallenge>('/sign-in/challenge'),
  signInWithPasskey: (order: PasskeySignIn) => post<Me>('/sign-in/passkey', order),
};
