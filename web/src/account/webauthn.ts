/** Passkeys in the browser. Binary values travel in base64url. */
import type { NewPasskey, PasskeyChallenge, PasskeyCreation, PasskeySignIn } from '../wire';
import { Refusal } from '../state/refusal';

const IP_ADDRESS = /^\[|^[\d.]+$/;
/** EdDSA, ECDSA and RSA, all with SHA-256: whatever authenticators have. */
const ALGORITHMS = [-8, -7, -257];

/** Whether this page can use passkeys: it needs HTTPS or localhost, and a host name. */
export const passkeysWork = (): boolean =>
  'PublicKeyCredential' in window && !IP_ADDRESS.test(location.hostname);

export const toBytes = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0));

export const toText = (raw: ArrayBuffer): string =>
  btoa(Array.from(new Uint8Array(raw), (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');

/** Have the authenticator create a passkey, which it can find again without a name. */
export async function createPasskey(wanted: PasskeyCreation, site: string): Promise<NewPasskey> {
  const credential = await chosen(() =>
    navigator.credentials.create({
      publicKey: {
        challenge: toBytes(wanted.challenge),
        rp: { id: wanted.rp, name: site },
        user: { id: toBytes(wanted.user), name: wanted.user_name, displayName: wanted.user_name },
        pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
        excludeCredentials: wanted.known.map((id) => ({ type: 'public-key', id: toBytes(id) })),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      },
    }),
  );
  const response = credential.response as AuthenticatorAttestationResponse;
  return { client_data: toText(response.clientDataJSON), attestation: toText(response.attestationObject) };
}

/** Have an authenticator sign a challenge with the passkey that its user chooses. */
export async function signWithPasskey(wanted: PasskeyChallenge): Promise<PasskeySignIn> {
  const credential = await chosen(() =>
    navigator.credentials.get({
      publicKey: {
        challenge: toBytes(wanted.challenge),
        rpId: wanted.rp,
        userVerification: 'required',
      },
    }),
  );
  const response = credential.response as AuthenticatorAssertionResponse;
  return {
    id: credential.id,
    client_data: toText(response.clientDataJSON),
    authenticator_data: toText(response.authenticatorData),
    signature: toText(response.signature),
    user: toText(response.userHandle ?? new ArrayBuffer(0)),
  };
}

/** Browsers tell neither a cancelled dialog from a missing passkey nor from a time-out. */
async function chosen(ask: () => Promise<Credential | null>): Promise<PublicKeyCredential> {
  const found = await ask().catch((error: unknown) => {
    const known = error instanceof DOMException && error.name === 'InvalidStateError';
    throw new Refusal(known ? 'passkey_known' : 'passkey_unused');
  });
  return found as PublicKeyCredential;
}
