/**
 * Logins of downloads. A login belongs to one server: it is sent to the origin that it was stored
 * for, never to another one after a redirect, and never unencrypted over the internet.
 */

import { FetchError } from "./fetch-error.ts";

/** What a server is shown. */
export type DownloadLogin =
  | { readonly kind: "basic"; readonly user: string; readonly secret: string }
  | { readonly kind: "bearer"; readonly secret: string }
  | { readonly kind: "header"; readonly name: string; readonly secret: string };

/** Finds the login of an address; `undefined` where there is none. */
export type FindLogin = (address: string) => Promise<DownloadLogin | undefined>;

/** An address without its credentials and its query, which may hold a key. */
export function bareAddress(address: string | URL): string {
  const { protocol, host, pathname } = typeof address === "string" ? new URL(address) : address;
  // Hosts of schemes that browsers do not know keep their case.
  return `${protocol}//${host.toLowerCase()}${pathname === "" ? "/" : pathname}`;
}

/**
 * The addresses that a login is for: those of the same server in the folder of `address`. Throws
 * {@link FetchError} for a text that is no address, and for one with credentials in it.
 */
function loginScope(address: string): string {
  const url = URL.parse(address);
  if (url === null || url.host === "") throw new FetchError("E_URL_FORM", address);
  if (`${url.username}${url.password}` !== "") throw new FetchError("E_URL_CREDENTIALS", "");
  return bareAddress(url).replace(/[^/]*$/u, "");
}

/** Whether an address is on the server and in the folder of a scope. */
const isInScope = (scope: string, address: string): boolean =>
  URL.canParse(address) && bareAddress(address).startsWith(scope);

/** The name and the value of the header of a request. */
export function loginHeader(login: DownloadLogin): Readonly<Record<string, string>> {
  if (login.kind === "header") return { [login.name.toLowerCase()]: login.secret };
  if (login.kind === "bearer") return { authorization: `Bearer ${login.secret}` };
  const pair = Buffer.from(`${login.user}:${login.secret}`, "utf8").toString("base64");
  return { authorization: `Basic ${pair}` };
}

/** What a header's name and value may consist of (RFC 9110, 5.1 and 5.5). */
const HEADER_NAME = /^[!#$%&'*+.^_`|~\w-]+$/u;
const HEADER_VALUE =
  /^[\u0021-\u007e\u0080-\u00ff](?:[\t\u0020-\u007e\u0080-\u00ff]*[\u0021-\u007e\u0080-\u00ff])?$/u;

/** Headers that decide how a request is sent, and are not a login. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  "accept-encoding",
  "connection",
  "content-length",
  "host",
  "if-modified-since",
  "if-none-match",
  "transfer-encoding",
]);

/** Whether a login can be sent: a user has no colon, and a header no line break and only certain letters. */
function isSendable(login: DownloadLogin): boolean {
  if (login.secret === "") return false;
  if (login.kind === "basic") return login.user !== "" && !/[:\p{Cc}]/u.test(login.user);
  if (!HEADER_VALUE.test(login.secret)) return false;
  return (
    login.kind === "bearer" ||
    (HEADER_NAME.test(login.name) && !OWN_HEADERS.has(login.name.toLowerCase()))
  );
}

/** The rules of which login is sent where. */
export const loginRules: {
  readonly scopeOf: typeof loginScope;
  readonly isInScope: typeof isInScope;
  readonly isSendable: typeof isSendable;
  readonly bareAddress: typeof bareAddress;
} = { scopeOf: loginScope, isInScope, isSendable, bareAddress };
