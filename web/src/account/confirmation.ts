/** How the account’s owner confirms a change: with the password, or else with one of the passkeys. */
import { server } from '../state/server.svelte';
import type { MailAddressRemoval } from '../wire';
import type { FormField } from './AccountForm.svelte';
import { PASSWORD } from './fields';
import { passkeysApi } from './passkeys_api';
import { signWithPasskey } from './webauthn';

export type Values = Readonly<Record<string, string>>;
export type Confirmation = MailAddressRemoval;

/** The field that a form needs; a passkey needs none. */
export const confirmFields = (): readonly FormField[] =>
  server.hasPassword ? [{ ...PASSWORD, label: 'Current password' }] : [];

/** The proof that goes with an order; without a password, the browser asks for a passkey. */
export async function confirmation({ password = '' }: Values): Promise<Confirmation> {
  if (server.hasPassword) return { password };
  return { passkey: await signWithPasskey(await passkeysApi.confirmationChallenge()) };
}
