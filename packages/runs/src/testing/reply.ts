/** How a fake marketplace answers one write, in the words of a test. */

import { type Answer, type WirePhase } from "../ports/marketplace.ts";

/** Whether the write is carried out: not at all, before it is answered, or later. */
export type Effect = "none" | "now" | { readonly afterReads: number };

/** What happens to one write. */
export type Reply =
  | {
      readonly kind: "answer";
      readonly answer: Answer;
      readonly effect: Effect;
      /** `beforeSend` is called. */
      readonly begins: boolean;
    }
  | { readonly kind: "failure"; readonly error: Error };

/** A readable answer with this `data`. Not carried out unless told. */
export function answered(data: unknown, effect: Effect = "none"): Reply {
  const answer = { kind: "answered", data, phase: "body" } as const;
  return { kind: "answer", answer, effect, begins: true };
}

/** Such as a 429; not carried out unless told. */
export function refused(
  status: number,
  more: {
    readonly message?: string;
    readonly retryAfterMs?: number;
    readonly effect?: Effect;
    /** @default "application/json" */
    readonly contentType?: string;
  } = {},
): Reply {
  const { message = `status ${status}`, retryAfterMs, effect = "none" } = more;
  const facts = { contentType: more.contentType ?? "application/json" };
  const answer = { kind: "refused", status, phase: "body", message, retryAfterMs, facts } as const;
  return { kind: "answer", answer, effect, begins: true };
}

/**
 * No answer. With phase `none` the request got no connection, so `beforeSend` is not even called;
 * say `{ begins: true }` for one that failed between that call and its first byte.
 */
export function lost(
  phase: WirePhase,
  more: { readonly effect?: Effect; readonly begins?: boolean } = {},
): Reply {
  const { effect = "none", begins = phase !== "none" } = more;
  return {
    kind: "answer",
    answer: { kind: "lost", phase, message: `lost after ${phase}` },
    effect: phase === "none" ? "none" : effect,
    begins,
  };
}

/** Thrown before anything leaves, such as a login that was refused. */
export function failing(error: Error): Reply {
  return { kind: "failure", error };
}
