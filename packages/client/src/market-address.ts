/**
 * The canonical form of a marketplace's address and of a store's id, used as key for everything
 * that is remembered about a store. Requests go to the host as it was given.
 */

/** Names and addresses of this machine: all of them are taken for one host. */
const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Returns the canonical form of a marketplace's address: host in lower case (punycode) without its
 * trailing dot, no default port, no empty or dot segments, no trailing slash, percent-encoding as
 * in RFC 3986 section 6.2.2, and one name for this machine. The case of the path stays, since
 * servers may distinguish it. User, query and fragment are left out: no client takes an address
 * that has them. A text that is no http address is returned without the blanks around it.
 */
export function canonicalAddress(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/u.test(url.protocol)) return text.trim();
  const host = url.hostname.replace(/\.$/u, "");
  const name = LOOPBACK_HOSTS.has(host) ? "127.0.0.1" : host;
  const port = url.port === "" ? "" : `:${url.port}`;
  return `${url.protocol}//${name}${port}${canonicalPath(url.pathname)}`;
}

/** The path of an address, empty for the root. */
export function canonicalPath(pathname: string): string {
  return pathname
    .replaceAll(/%[\da-f]{2}/giu, decodeUnreserved)
    .replaceAll(/\/+/gu, "/")
    .replace(/\/$/u, "");
}

/** `%41` and `A` are the same (RFC 3986 section 2.3); `%2F` and `/` are not. */
function decodeUnreserved(escape: string): string {
  const character = String.fromCodePoint(Number.parseInt(escape.slice(1), 16));
  return /[\w.~-]/u.test(character) ? character : escape.toUpperCase();
}

/** An ObjectId of 12 bytes, written in hexadecimal digits. */
const HEXADECIMAL_ID = /^[\da-f]{24}$/iu;

/**
 * Returns the canonical form of a store's id: no blanks around it, and 24 hexadecimal digits in
 * lower case. The specification calls an ObjectId only "an identifier string" (section What the
 * service does, Conventions 5), so it is assumed that the case of those 24 digits does not matter;
 * any other id is compared letter for letter.
 */
export function canonicalStoreId(text: string): string {
  const id = text.trim();
  return HEXADECIMAL_ID.test(id) ? id.toLowerCase() : id;
}
