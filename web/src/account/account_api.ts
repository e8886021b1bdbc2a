/** The pages of the HTTP API for accounts, apart from the others: the first page needs none of them. */
import type {
  AccountMail,
  EndDevice,
  IdentityServerAnswer,
  IdentityServerPage,
  MailAddressChange,
  MailAddressRemoval,
  MailLink,
  Me,
  NewAccount,
  PasswordChange,
  PasswordReset,
  PlayerSignIn,
  RecoveredAccount,
  RecoveryLink,
  RecoveryRequest,
  SignedInDevice,
  VerifiedAddress,
} from '../wire';
import { call, post } from '../state/api';

export const accountApi = {
  createAccount: (order: NewAccount) => post<Me>('/account', order),
  signInTo: (order: PlayerSignIn) => post<Me>('/sign-in', order),
  /** Begin to sign in by the identity server, at whose page the browser goes on. */
  identityServerPage: () => post<IdentityServerPage>('/oidc/start'),
  finishIdentityServerSignIn: (order: IdentityServerAnswer) => post<Me>('/oidc/finish', order),
  changePassword: (order: PasswordChange) => post<Me>('/account/password', order),
  /** The devices that the player is signed in on, the last used one first. */
  devices: () => call<readonly SignedInDevice[]>('/account/devices'),
  endDevice: (order: EndDevice) => post<readonly SignedInDevice[]>('/account/devices/end', order),
  endOtherDevices: () => post<readonly SignedInDevice[]>('/account/devices/end-others'),
  accountMail: () => call<AccountMail>('/account/mail'),
  /** Send a link to an address, which becomes the account's once the link is opened. */
  changeMailAddress: (order: MailAddressChange) => post<AccountMail>('/account/mail', order),
  removeMailAddress: (order: MailAddressRemoval) => post<AccountMail>('/account/mail/remove', order),
  verifyMailAddress: (order: MailLink) => post<VerifiedAddress>('/account/mail/verify', order),
  requestRecovery: (order: RecoveryRequest) => post<null>('/recovery', order),
  /** What signs in to the account of a link. */
  recoveredAccount: (order: RecoveryLink) => post<RecoveredAccount>('/recovery/account', order),
  resetPassword: (order: PasswordReset) => post<null>('/recovery/password', order),
};
