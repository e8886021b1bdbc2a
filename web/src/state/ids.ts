/** A command's id. `crypto.randomUUID` is missing on pages without TLS, such as a server on the local network. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
