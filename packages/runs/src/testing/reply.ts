/** Replies of the fake marketplace to one write, for test scripts. */

import type { Answer, WirePhase } from "../ports/marketplace.ts";

/** Whether the write is carried out: never, before it is answered, or after a number of reads. */
export type Effect = "none" | "now" | { readonly afterReads: number };

/** The scripted course of one write. */
export type Reply =
  | {
      readonly kind: "answer";
      readonly answer: Answer;
      readonly effect: Effect;
      /** `beforeSend` is called. */
      readonly begins: boolean;
    }
  | { readonly kind: "failure"; readonly error: Error };

/** An answer with this `data`. @default effect: not carried out */
export function answered(data: unknown, effect: Effect = "none"): Reply {
  const answer = { kind: "answered", data, phase: "body" } as const;
  return { kind: "answer", answer, effect, begins: true };
}

/** A refusal, such as a 429. @default effect: not carried out */
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
 * No answer. With phase `none` no connection was made, so `beforeSend` is not called; `{ begins:
 * true }` is for a failure between that call and the first byte.
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

/** An error thrown before anything leaves, such as a refused login. */
export function failing(error: Error): Reply {
  return { kind: "failure", error };
}
