/**
 * Logins of downloads. A login belongs to one server: it is sent to the origin that it was stored
 * for, never to another one after a redirect, and never unencrypted over the internet.
 */

import { bareAddress } from "@catalog/i18n";

import { FetchError } from "./fetch-error.ts";

/** What a server is shown. */
export type DownloadLogin =
  | {
      readonly kind: "basic";
      readonly user: string;
      readonly secret: string;
      /** Fingerprint of the key by which an SFTP server is known. @default none is trusted */
      readonly hostKey?: string | undefined;
    }
  | {
      readonly kind: "key";
      readonly user: string;
      /** Passphrase of the private key; empty for none. */
      readonly secret: string;
      /** Path of the private key of an SFTP user. */
      readonly keyFile: string;
      readonly hostKey?: string | undefined;
    }
  | { readonly kind: "bearer"; readonly secret: string }
  | { readonly kind: "header"; readonly name: string; readonly secret: string };

/** Finds the login of an address; `undefined` where there is none. */
export type FindLogin = (address: string) => Promise<DownloadLogin | undefined>;

/** What a login is compared by. Unlike the address that is shown, it is exact. */
const placeOf = ({ protocol, host, pathname }: URL): string =>
  `${protocol}//${host.toLowerCase()}${pathname === "" ? "/" : pathname}`;

/** The schemes of addresses that are opened, and the one that is refused with its own words. */
const SCHEMES: ReadonlySet<string> = new Set(["http:", "https:", "sftp:", "ftps:", "ftp:"]);

/**
 * The addresses that a login is for: those of the same server in the folder of `address`. Throws
 * {@link FetchError} for a text that is no address to download from, and for one with credentials
 * in it.
 */
function loginScope(address: string): string {
  const url = URL.parse(address);
  if (url === null || url.host === "" || !SCHEMES.has(url.protocol))
    throw new FetchError("E_URL_FORM", address);
  const place = placeOf(url);
  const hasCredentials = `${url.username}${url.password}` !== "" || bareAddress(place) !== place;
  if (hasCredentials) throw new FetchError("E_URL_CREDENTIALS", "");
  if (url.protocol === "ftp:") throw new FetchError("E_URL_FTP", place);
  return place.slice(0, place.lastIndexOf("/") + 1);
}

/** Whether an address is on the server and in the folder of a scope. */
function isInScope(scope: string, address: string): boolean {
  const url = URL.parse(address);
  return url !== null && placeOf(url).startsWith(scope);
}

/** The name and the value of the header of a request. */
export function loginHeader(login: DownloadLogin): Readonly<Record<string, string>> {
  if (login.kind === "header") return { [login.name.toLowerCase()]: login.secret };
  if (login.kind === "bearer") return { authorization: `Bearer ${login.secret}` };
  // No website knows a person by a private key of SSH.
  if (login.kind === "key") return {};
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

/** A line break would begin another command of FTP. */
const isPlain = (text: string): boolean => text !== "" && !/\p{Cc}/u.test(text);

/** Whether a login can be sent: a user has no colon, and a header no line break and only certain letters. */
function isSendable(login: DownloadLogin): boolean {
  if (login.kind === "key") return login.keyFile !== "" && isPlain(login.user);
  if (login.secret === "") return false;
  if (login.kind === "basic") {
    return isPlain(login.user) && !login.user.includes(":") && isPlain(login.secret);
  }
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
} = { scopeOf: loginScope, isInScope, isSendable };
