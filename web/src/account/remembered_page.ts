/** The page that the player leaves for the identity server, in this tab only. */
const KEY = 'page_before_sign_in';

export const rememberPage = (): void => sessionStorage.setItem(KEY, location.pathname);

/** Return and forget the page; the lobby if there is none. Only pages of this site are remembered. */
export function takeRememberedPage(): string {
  const page = sessionStorage.getItem(KEY) ?? '/';
  sessionStorage.removeItem(KEY);
  return page;
}
