/** Fields that several forms of the account have. */
import type { FormField } from './AccountForm.svelte';

export const NAME: FormField = {
  key: 'name',
  label: 'E-mail address or user name',
  type: 'text',
  autocomplete: 'username',
};
export const ADDRESS: FormField = {
  key: 'address',
  label: 'E-mail address',
  type: 'email',
  autocomplete: 'email',
};
export const PASSWORD: FormField = {
  key: 'password',
  label: 'Password',
  type: 'password',
  autocomplete: 'current-password',
};
export const NEW_PASSWORD: FormField = {
  ...PASSWORD,
  autocomplete: 'new-password',
  hint: '8 characters or more. Spaces and all letters are welcome.',
};
