/**
 * The IP addresses that a download may go to: only those that the IANA registries of special-
 * purpose addresses leave for the public internet. No IPv6 form that contains an IPv4 address is
 * public here, because it would bypass the list of IPv4 ranges. A name is resolved once, every
 * resulting address is checked, and the connection goes to exactly those, so that a second answer
 * of the name server (DNS rebinding) is never used.
 */

import type { LookupAddress } from "node:dns";
import { lookup } from "node:dns/promises";
import { BlockList, isIP, isIPv4, isIPv6, type LookupFunction } from "node:net";

import { Agent, buildConnector } from "undici";

import { FetchError, shown } from "./fetch-error.ts";

const SPECIAL_V4 = [
  "0.0.0.0/8", // this network
  "10.0.0.0/8",
  "100.64.0.0/10", // carrier-grade NAT
  "127.0.0.0/8",
  "169.254.0.0/16", // link-local, where clouds serve instance metadata
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.31.196.0/24",
  "192.52.193.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "192.175.48.0/24",
  "198.18.0.0/15", // benchmarks
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4", // multicast
  "240.0.0.0/4",
];

/** All publicly routed addresses lie in this range. */
const GLOBAL_V6 = "2000::/3";

const SPECIAL_V6 = [
  "2001::/23", // Teredo, benchmarks, ORCHID and other protocols
  "2001:db8::/32",
  "2002::/16", // contains an IPv4 address (6to4)
  "2620:4f:8000::/48",
  "3fff::/20",
];

const specialV4 = createList(SPECIAL_V4, "ipv4");
const specialV6 = createList(SPECIAL_V6, "ipv6");
const globalV6 = createList([GLOBAL_V6], "ipv6");

function createList(ranges: readonly string[], family: "ipv4" | "ipv6"): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = "", bits] = range.split("/");
    list.addSubnet(network, Number(bits), family);
  }
  return list;
}

/** Whether an address belongs to the public internet; false for a text that is no IP address. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !specialV4.check(address, "ipv4");
  // A zone names an interface of this machine.
  if (!isIPv6(address) || address.includes("%")) return false;
  return globalV6.check(address, "ipv6") && !specialV6.check(address, "ipv6");
}

/** Hosts that may be in a private network, such as a company's own servers. */
export interface AllowedHosts {
  /** `usual` are the ports that a host is allowed at by its name alone. @default 80 and 443 */
  has(host: string, port: string | number | undefined, usual?: readonly string[]): boolean;
}

const USUAL_PORTS: readonly string[] = ["80", "443"];

/** Stands for the usual ports of whatever is asked for. */
const ANY_USUAL = "*";

/** With both schemes, every address that parses has a host. */
const SCHEMES: ReadonlySet<string> = new Set(["http:", "https:"]);
const PORTS: ReadonlySet<string> = new Set(["", "80", "443"]);

/**
 * Parses hosts given as `host` or `host:port`. One without a port is allowed at the usual ports;
 * an IPv6 address with a port stands in brackets.
 */
export function createAllowedHosts(hosts: readonly string[]): AllowedHosts {
  const allowed = new Set<string>();
  for (const host of hosts) {
    const url = URL.parse(`http://${host}`);
    if (url === null || url.hostname === "") continue;
    const named = /:(\d+)$/u.exec(host)?.[1];
    const port = named === undefined ? ANY_USUAL : String(Number(named));
    allowed.add(`${bareHost(url.hostname)} ${port}`);
  }
  return {
    has: (host, port, usual = USUAL_PORTS) => {
      const known = String(port ?? "");
      const ports = known === "" || known === "0" ? usual : [known];
      const isUsual = ports.some((each) => usual.includes(each));
      return [...ports, ...(isUsual ? [ANY_USUAL] : [])].some((each) =>
        allowed.has(`${bareHost(host)} ${each}`),
      );
    },
  };
}

/** The host without brackets and without the dot at the end of an absolute name. */
function bareHost(host: string): string {
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
    throw new FetchError("E_URL_FORM", String(address));
  }
  if (`${url.username}${url.password}` !== "") throw new FetchError("E_URL_CREDENTIALS", "");
  if (allowed.has(url.hostname, portOf(url))) return url;
  const host = bareHost(url.hostname);
  if (isIP(host) !== 0 && !isPublicAddress(host)) throw new FetchError("E_URL_PRIVATE", url.host);
  if (!PORTS.has(url.port)) throw new FetchError("E_URL_PORT", shown(url.host));
  return url;
}

/** The port of an http address. */
export const portOf = (url: URL): string => url.port || (url.protocol === "https:" ? "443" : "80");

/** Resolves a host name to all its addresses. */
export type ResolveHost = (host: string) => Promise<readonly LookupAddress[]>;

const resolveBySystem: ResolveHost = (host) => lookup(host, { all: true });

/** A server that is not reached by http. */
export interface RemoteHost {
  /** Without brackets. */
  readonly host: string;
  readonly port: number;
  /** Ports that need not be allowed. */
  readonly usual: readonly string[];
}

/**
 * Resolves a server's name to the addresses that may be connected to. Throws {@link FetchError} for a
 * port that is not usual and for a private address, unless the server is allowed.
 */
export async function resolveAllowed(
  { host, port, usual }: RemoteHost,
  { allowed, resolve = resolveBySystem }: Pick<GuardedAgentOptions, "allowed" | "resolve">,
): Promise<readonly LookupAddress[]> {
  const bare = bareHost(host);
  const find = async (name: string): Promise<readonly LookupAddress[]> =>
    isIP(name) === 0 ? await resolve(name) : [{ address: name, family: isIP(name) }];
  if (allowed.has(bare, port, usual)) return await find(bare);
  if (!usual.includes(String(port))) throw new FetchError("E_URL_PORT", `${bare}:${port}`);
  return await withCheck(find)(bare);
}

interface GuardedAgentOptions {
  readonly allowed: AllowedHosts;
  /** @default the system's resolver */
  readonly resolve?: ResolveHost | undefined;
  /** Hosts that a login is sent to over http, so that they must be in a private network. */
  readonly plainLogins: ReadonlySet<string>;
}

/** Creates an agent that follows no redirect, reads no proxy settings and keeps no cookies. */
export function createGuardedAgent({
  allowed,
  resolve = resolveBySystem,
  plainLogins,
}: GuardedAgentOptions): Agent {
  // The time limits are the caller's, on the caller's clock.
  const open = buildConnector({ timeout: 0, lookup: toLookup(resolve) });
  const guarded = buildConnector({ timeout: 0, lookup: toLookup(withCheck(resolve)) });
  const connect: buildConnector.connector = (target, callback) => {
    const isAllowed = allowed.has(target.hostname, target.port);
    const connectTo = isAllowed ? open : guarded;
    connectTo(target, (error, socket) => {
      if (error !== null || socket === null) {
        callback(error ?? new FetchError("E_FETCH_FAILED", target.hostname), null);
        return;
      }
      const isPublic = isPublicAddress(socket.remoteAddress ?? "");
      if (isPublic && target.protocol === "http:" && plainLogins.has(target.hostname)) {
        socket.destroy();
        callback(new FetchError("E_URL_LOGIN_PLAIN", target.hostname), null);
      } else if (isAllowed || isPublic) callback(null, socket);
      else {
        socket.destroy();
        callback(new FetchError("E_URL_PRIVATE", target.hostname), null);
      }
    });
  };
  return new Agent({ connect, connections: 8, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 });
}

/** Refuses a name if any of its addresses is private, even among public ones. */
function withCheck(resolve: ResolveHost): ResolveHost {
  return async (host) => {
    const addresses = await resolve(host);
    const isSafe =
      addresses.length > 0 && addresses.every(({ address }) => isPublicAddress(address));
    if (!isSafe) throw new FetchError("E_URL_PRIVATE", host);
    return addresses;
  };
}

/** What connections of Node ask for addresses. */
export function toLookup(resolve: ResolveHost): LookupFunction {
  return (host, options, callback) => {
    void answer();

    async function answer(): Promise<void> {
      let addresses: readonly LookupAddress[];
      try {
        addresses = await resolve(host);
      } catch (error) {
        callback(error instanceof Error ? error : new Error(String(error)), "");
        return;
      }
      const [first] = addresses;
      if (options.all === true) callback(null, [...addresses]);
      else if (first === undefined) callback(new Error(`${host} has no address`), "");
      else callback(null, first.address, first.family);
    }
  };
}
