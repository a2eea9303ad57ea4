/**
 * Opens connections to checked addresses only. A name is resolved once, every resulting address is
 * checked, and the connection goes to exactly those, so that a second answer of the name server
 * (DNS rebinding) is never used.
 */

import type { LookupAddress } from "node:dns";
import { lookup } from "node:dns/promises";
import type { LookupFunction } from "node:net";

import { Agent, buildConnector } from "undici";

import type { AllowedHosts } from "./check-address.ts";
import { FetchError } from "./fetch-error.ts";
import { isPublicAddress } from "./special-addresses.ts";

/** Resolves a host name to all its addresses. */
export type ResolveHost = (host: string) => Promise<readonly LookupAddress[]>;

const resolveBySystem: ResolveHost = (host) => lookup(host, { all: true });

export interface GuardedAgentOptions {
  readonly allowed: AllowedHosts;
  /** @default the system's resolver */
  readonly resolve?: ResolveHost | undefined;
}

/** Creates an agent that follows no redirect, reads no proxy settings and keeps no cookies. */
export function createGuardedAgent({
  allowed,
  resolve = resolveBySystem,
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
      } else if (isAllowed || isPublicAddress(socket.remoteAddress ?? "")) callback(null, socket);
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

function toLookup(resolve: ResolveHost): LookupFunction {
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
