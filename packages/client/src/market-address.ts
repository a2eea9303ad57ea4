/**
 * The one form of an address and of a store's id, by which everything that is remembered of a store
 * is found. Two spellings with the same form are one store; requests go to the host as it was given.
 */

/** Names of this machine: a server on one of them is met under all of them. */
const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * The form of a marketplace's address: host in lower case (punycode) without its trailing dot, no
 * default port, no empty or dot segments, no trailing slash, percent-encoding as RFC 3986 section
 * 6.2.2 has it, and one name for this machine. The case of the path stays, since servers may tell it
 * apart. User, query and fragment are left out: no client takes an address that has them. A text
 * that is no http address comes back without the blanks around it.
 */
export function canonicalAddress(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/u.test(url.protocol)) return text.trim();
  const host = url.hostname.replace(/\.$/u, "");
  const name = LOOPBACK_HOSTS.has(host) ? "127.0.0.1" : host;
  const port = url.port === "" ? "" : `:${url.port}`;
  return `${url.protocol}//${name}${port}${canonicalPath(url.pathname)}`;
}

/** The path of an address, empty where it is the root. */
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
 * The form of a store's id: no blanks around it, and 24 hexadecimal digits in lower case. The API
 * specification calls an ObjectId "an identifier string" and no more (section Conventions, 5), so
 * that those 24 digits are a number is assumed; any other id is told apart letter for letter.
 */
export function canonicalStoreId(text: string): string {
  const id = text.trim();
  return HEXADECIMAL_ID.test(id) ? id.toLowerCase() : id;
}
