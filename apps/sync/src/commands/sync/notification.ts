/**
 * Posts the outcome of a sync to an address: counts and codes, no product, no price and no secret.
 */

import { toVisibleText } from "@catalog/sheets/visible-text";

import type { Outcome } from "./outcome.ts";
import type { Status } from "./status.ts";

/** The part of the platform's `fetch` that is used. */
export type Post = (
  url: URL,
  request: {
    readonly method: "POST";
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
    readonly redirect: "error";
    readonly signal: AbortSignal;
  },
) => Promise<{ readonly ok: boolean }>;

/** Longest wait for the receiver of a notification. */
const TIMEOUT_MS = 10_000;

interface Notification {
  readonly feed: string;
  readonly outcome: Outcome;
  /** How the schedule fares. @default the sync has none */
  readonly status?: Status | undefined;
}

/** Returns whether the notification was accepted. Never throws, as a sync does not depend on it. */
export async function notify(
  post: Post,
  url: URL,
  { feed, outcome, status }: Notification,
): Promise<boolean> {
  const { state, exit, code, run, counts, unknownCodes } = outcome;
  const told = {
    command: "sync",
    feed,
    state,
    exit,
    code,
    run,
    counts,
    unknown_codes: unknownCodes,
    ...(status && {
      healthy: status.healthy,
      last_success: status.last_success,
      failures_in_row: status.failures_in_row,
    }),
  };
  try {
    const answer = await post(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: toVisibleText(JSON.stringify(told)),
      redirect: "error",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return answer.ok;
  } catch {
    // The error's message is dropped, as it may hold the address and a key in it.
    return false;
  }
}
