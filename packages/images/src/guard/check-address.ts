/** Checks an address before its name is resolved or a connection opened. */

import { isIP } from "node:net";

import { FetchError } from "./fetch-error.ts";
import { isPublicAddress } from "./special-addresses.ts";

/** Hosts that may be in a private network, such as a company's own servers. */
export interface AllowedHosts {
  has(host: string, port: string | number | undefined): boolean;
}

/** With both schemes, every address that parses has a host. */
const SCHEMES: ReadonlySet<string> = new Set(["http:", "https:"]);
const PORTS: ReadonlySet<string> = new Set(["", "80", "443"]);

/**
 * Parses hosts given as `host` or `host:port`. One without a port is allowed at ports 80 and 443;
 * an IPv6 address with a port stands in brackets.
 */
export function createAllowedHosts(hosts: readonly string[]): AllowedHosts {
  const allowed = new Set<string>();
  for (const host of hosts) {
    const url = URL.parse(`http://${host}`);
    if (url === null || url.hostname === "") continue;
    const named = /:(\d+)$/u.exec(host)?.[1];
    const ports = named === undefined ? ["80", "443"] : [String(Number(named))];
    for (const port of ports) allowed.add(`${bareHost(url.hostname)} ${port}`);
  }
  return {
    has: (host, port) => {
      const known = String(port ?? "");
      const ports = known === "" || known === "0" ? ["80", "443"] : [known];
      return ports.some((each) => allowed.has(`${bareHost(host)} ${each}`));
    },
  };
}

/** The host without brackets and without the dot at the end of an absolute name. */
export function bareHost(host: string): string {
  return host
    .toLowerCase()
    .replaceAll(/^\[|\]$/gu, "")
    .replace(/\.$/u, "");
}

/**
 * Parses and checks an address. Throws {@link FetchError} for another scheme, for credentials, for
 * a port other than 80 and 443, and for an IP address in any notation that is not public.
 */
export function checkAddress(address: string | URL, allowed: AllowedHosts): URL {
  const url = typeof address === "string" ? URL.parse(address) : address;
  if (url === null || !SCHEMES.has(url.protocol)) {
    throw new FetchError("E_URL_FORM", shown(String(address)));
  }
  if (`${url.username}${url.password}` !== "") throw new FetchError("E_URL_CREDENTIALS", "");
  if (allowed.has(url.hostname, portOf(url))) return url;
  const host = bareHost(url.hostname);
  if (isIP(host) !== 0 && !isPublicAddress(host)) throw new FetchError("E_URL_PRIVATE", url.host);
  if (!PORTS.has(url.port)) throw new FetchError("E_URL_PORT", shown(url.host));
  return url;
}

const portOf = (url: URL): string => url.port || (url.protocol === "https:" ? "443" : "80");

const MAX_SHOWN = 80;

const shown = (text: string): string =>
  text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN - 1)}…`;
