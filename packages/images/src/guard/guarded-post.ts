/**
 * Messages to addresses that others have named. The same addresses are refused as for downloads; a
 * redirect is an answer like any other and is not followed.
 */

import { request } from "undici";

import {
  checkAddress,
  createAllowedHosts,
  createGuardedAgent,
  portOf,
  type ResolveHost,
} from "./check-address.ts";
import { FetchError, findFetchError } from "./fetch-error.ts";

export interface GuardedPostOptions {
  /** The company's own servers, which may be in a private network and be reached by http. @default none */
  readonly allowHosts?: readonly string[] | undefined;
  /** @default the system's resolver */
  readonly resolve?: ResolveHost | undefined;
}

/** A message that is posted. */
export interface GuardedMessage {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
}

/** Posts messages to checked addresses; what the receiver answers beside its status is not read. */
export interface GuardedPost extends AsyncDisposable {
  /**
   * Returns the host of an address to which messages may be posted. Throws {@link FetchError} for one
   * that is private, and for http outside of the company's own servers.
   */
  check(address: string): string;
  /** Returns the status of the answer. Throws {@link FetchError} where there is none. */
  post(address: string, message: GuardedMessage): Promise<number>;
}

export function openGuardedPost(options: GuardedPostOptions = {}): GuardedPost {
  const { allowHosts = [], resolve } = options;
  const allowed = createAllowedHosts(allowHosts);
  const agent = createGuardedAgent({ allowed, resolve, plainLogins: new Set() });
  const check = (address: string): URL => {
    const url = checkAddress(address, allowed);
    const isEncrypted = url.protocol === "https:" || allowed.has(url.hostname, portOf(url));
    if (!isEncrypted) throw new FetchError("E_URL_FORM", url.host);
    return url;
  };
  return {
    check: (address) => check(address).host,
    async post(address, { headers, body, signal }) {
      const url = check(address);
      try {
        const answer = await request(url, {
          dispatcher: agent,
          method: "POST",
          headers,
          body,
          signal,
        });
        answer.body.on("error", () => undefined).destroy();
        return answer.statusCode;
      } catch (error) {
        throw (
          findFetchError(error) ?? new FetchError("E_FETCH_FAILED", url.hostname, { cause: error })
        );
      }
    },
    [Symbol.asyncDispose]: () => agent.destroy(),
  };
}
