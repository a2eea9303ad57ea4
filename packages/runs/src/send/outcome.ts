/**
 * What the answer to a write means for its row and for the run. The API specification shows no error
 * answers (section Errors), so only an unmistakable one decides on a row:
 *
 * - No byte left this machine: the row is ready again.
 * - 401, 403 and 429 come before the call is carried out: ready again, and the run waits or stops.
 * - Other 4xx that refuse the request: rejected.
 * - Everything else after the first byte, 5xx and redirects included: ambiguous.
 */

import type { Localized } from "@catalog/i18n";

import type { ActionName } from "../ports/action.ts";
import type { Answer } from "../ports/marketplace.ts";
import type { ProductId } from "../ports/product.ts";
import type { RowRecord } from "../row/row-record.ts";
import type { AnswerCause, RowState } from "../row/row-state.ts";

/**
 * Why no more rows were sent. All but `finished` and `period`, whose time is over, leave a run that
 * can be resumed.
 */
export type ApplyEnd =
  | "finished"
  | "stopped"
  | "breaker"
  | "too-many-rejected"
  | "login"
  | "permission"
  | "canary"
  | "period";

/** The result of sending a run. */
export interface ApplyResult {
  readonly end: ApplyEnd;
  /** The marketplace's last message, where it is the reason. */
  readonly reason?: Localized | undefined;
}

/** Says what an error of the marketplace means for a run; `undefined` for any other error. */
export type Explain = (error: unknown) => ApplyResult | undefined;

/** How far a run was applied. */
export type ApplyProgress = RecheckProgress | CountedProgress;

/** What is known of the rows is read again, and open rows are reconciled, before rows are sent. */
interface RecheckProgress {
  readonly step: "recheck";
  readonly done: 0;
  readonly total?: undefined;
  readonly row?: undefined;
}

interface CountedProgress {
  /** Pages of the store or product codes are read; rows are sent, and read back. */
  readonly step: "store" | "codes" | "send" | "verify";
  readonly done: number;
  readonly total: number;
  /** The row that was sent last. */
  readonly row?: Pick<RowRecord, "row" | "code" | "action" | "state"> | undefined;
}

/** The meaning of an answer for its row and for the calls that follow. */
export interface SendVerdict {
  readonly to: "done" | "rejected" | "ready" | "ambiguous";
  /** The rule that decided, for the evidence. */
  readonly cause: AnswerCause;
  readonly productId?: ProductId | undefined;
  /** Values that an action has made, by field, such as a shipping code. */
  readonly results?: Readonly<Record<string, unknown>> | undefined;
  readonly note?: string | undefined;
  /** What the run does before its next call. */
  readonly next: "go-on" | "wait" | "renew-login" | "stop-permission";
}

/** What an answer to a write may say. */
interface WriteResult {
  readonly status?: boolean;
  readonly product_id?: ProductId | null;
  readonly message?: string | null;
}

const REJECTING: ReadonlySet<number> = new Set([400, 404, 405, 413, 415, 422]);

/** Classifies the answer to an add (section Products, add). */
export function classifyAdd(answer: Answer): SendVerdict {
  if (answer.kind !== "answered") return classifyFailure(answer);
  // The client has validated the answer with the contract's schema, but its values may be of any
  // type.
  const { status, product_id: productId, message }: WriteResult = toRecord(answer.data);
  if (status === true && typeof productId === "string" && productId !== "") {
    return { to: "done", cause: "answer", productId, next: "go-on" };
  }
  if (status === false) {
    return { to: "rejected", cause: "answer-status-false", note: toNote(message), next: "go-on" };
  }
  return { to: "ambiguous", cause: "answer-without-id", note: toNote(message), next: "go-on" };
}

/**
 * Classifies the answer to an update; the specification does not show one (section Products,
 * update).
 */
export function classifyUpdate(answer: Answer): SendVerdict {
  if (answer.kind !== "answered") return classifyFailure(answer);
  const { status, message }: WriteResult = toRecord(answer.data);
  if (status === false) {
    return { to: "rejected", cause: "answer-status-false", note: toNote(message), next: "go-on" };
  }
  return { to: "done", cause: "answer", next: "go-on" };
}

/** RFC 9110, section 15.5.10. */
const CONFLICT = 409;

/** What the answer to an action may say; the specification gives the statuses of orders no values. */
interface ActionResult {
  readonly status?: string | boolean | null;
  readonly success?: boolean | null;
  readonly message?: string | null;
}

/**
 * Classifies the answer to an action (sections Orders, Shipping templates, Shipping and Questions).
 * An answer without a word of success or failure is taken for success; reading back shows it.
 */
export function classifyAction(action: ActionName, answer: Answer): SendVerdict {
  if (answer.kind !== "answered") {
    // What a subject can't take now is refused; a look at it decides.
    const isConflict = answer.kind === "refused" && answer.status === CONFLICT;
    const verdict = classifyFailure(answer);
    return isConflict && verdict.to === "ambiguous" ? { ...verdict, to: "rejected" } : verdict;
  }
  const { status, success, message }: ActionResult = toRecord(answer.data);
  if (status === false || success === false) {
    return { to: "rejected", cause: "answer-status-false", note: toNote(message), next: "go-on" };
  }
  const results = readResults(answer.data);
  if (action === "shipping-code" && results["shipping_code"] === undefined) {
    return { to: "ambiguous", cause: "answer-without-id", note: toNote(message), next: "go-on" };
  }
  return { to: "done", cause: "answer", results, next: "go-on" };
}

/** Values of an answer that people need, by the fields that the listings show them in. */
const RESULT_FIELDS = {
  shippingCode: "shipping_code",
  shipping_company: "shipping_company",
  order_discount_code: "order_discount_code",
} as const;

function readResults(data: unknown): Readonly<Record<string, unknown>> {
  const given = new Map(Object.entries(toRecord(data)));
  const found = Object.entries(RESULT_FIELDS).map(([name, field]) => [field, given.get(name)]);
  return Object.fromEntries(found.filter(([, value]) => typeof value === "string" && value !== ""));
}

function classifyFailure(answer: Exclude<Answer, { readonly kind: "answered" }>): SendVerdict {
  const note = answer.message;
  if (answer.phase === "none") return { to: "ready", cause: "unsent", note, next: "go-on" };
  if (answer.kind === "lost") return { to: "ambiguous", cause: "lost", note, next: "go-on" };
  switch (answer.status) {
    case 401:
      return { to: "ready", cause: "status-401", note, next: "renew-login" };
    case 403:
      return { to: "ready", cause: "status-403", note, next: "stop-permission" };
    case 429:
      return { to: "ready", cause: "status-429", note, next: "wait" };
    default:
      return {
        to: REJECTING.has(answer.status) ? "rejected" : "ambiguous",
        cause: `status-${answer.status}`,
        note,
        next: "go-on",
      };
  }
}

function toRecord(data: unknown): object {
  return typeof data === "object" && data !== null ? data : {};
}

function toNote(message: unknown): string | undefined {
  return typeof message === "string" && message !== "" ? message : undefined;
}

/** The result of sending a row. */
export interface SentRow {
  readonly row: number;
  readonly code: string | null;
  readonly action: RowRecord["action"];
  readonly state: RowState;
  readonly next: SendVerdict["next"];
  readonly note: string | undefined;
  /** The note in both languages. @default the note */
  readonly words?: Localized | undefined;
  /** The id that the marketplace returned or confirmed. */
  readonly productId?: ProductId | undefined;
  /** The row was not sent for a reason outside of it, so it says nothing about the marketplace. */
  readonly isDeferred?: boolean | undefined;
  /** State that a refusal implies, which must be looked up before it is trusted. */
  readonly impliedState?: "rejected" | "ready" | undefined;
  /**
   * Set after a 429, with the wait in milliseconds that the marketplace asked for, where it did.
   */
  readonly limit?: { readonly askedMs: number | undefined } | undefined;
}
