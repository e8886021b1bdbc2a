/** Return the token of a link, and remove it from the address: it must not stay in the browser's history. */
export function takeLinkToken(): string {
  const token = location.hash.slice(1);
  history.replaceState(history.state, '', location.pathname);
  return token;
}
