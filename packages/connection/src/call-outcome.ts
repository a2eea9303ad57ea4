import type { CallRecord } from "@catalog/client";

/**
 * What became of a call:
 *
 * - `ok`: the marketplace answered with a status of 2xx.
 * - `limited`: it refused the call as one too many (429).
 * - `refused`: it refused it for another reason (3xx, 4xx).
 * - `failed`: it failed itself (5xx).
 * - `lost`: the request left, and no answer came.
 * - `aborted`: the request left, and this side ended it, as its answer was not needed any more.
 * - `unsent`: no byte of the request left this machine.
 */
export type CallOutcome = "ok" | "limited" | "refused" | "failed" | "lost" | "aborted" | "unsent";

const TOO_MANY_CALLS = 429;

/** Tells what became of a call, by what is known without its answer's content. */
export function toCallOutcome({
  status,
  phase,
  isAborted = false,
}: Pick<CallRecord, "status" | "phase" | "isAborted">): CallOutcome {
  if (phase === "none") return "unsent";
  if (isAborted) return "aborted";
  if (status === undefined) return "lost";
  if (status === TOO_MANY_CALLS) return "limited";
  if (status < 300) return "ok";
  return status < 500 ? "refused" : "failed";
}
