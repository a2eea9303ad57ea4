/**
 * The rules that decide on a row. Each move and each lookup is stored with one of these strings.
 */

/** Causes that come from the answer to a request; the number is the HTTP status. */
export type AnswerCause =
  | "answer"
  | "answer-status-false"
  | "answer-without-id"
  | "unsent"
  | "lost"
  | `status-${number}`;

/** Every cause except those that contain a status or another cause. */
export type NamedCause =
  | Exclude<AnswerCause, `status-${number}`>
  | "status-401"
  | "status-403"
  | "status-429"
  // Planning and starting to send.
  | "plan"
  | "begin"
  // Recovery after a crash, or after the spellings of an address were joined.
  | "recovery"
  | "recovery-unsent"
  | "late-answer"
  | "address-joined"
  // Looking up an add whose outcome is unknown, and reading back an update.
  | "look"
  | "lookup"
  | "lookup-several"
  | "lookup-different"
  | "lookup-similar"
  | "not-found"
  | "not-found-resend"
  | "refused-and-absent"
  | "read-back"
  | "read-back-differs"
  | "read-back-missing"
  // Holding a planned row.
  | "alike"
  | "appeared"
  | "changed"
  | "code-taken"
  | "guard"
  | "refused-often"
  | "set-aside"
  | "stock-sent"
  | "unseen"
  // Deciding on a held row.
  | "price-unit"
  | "stock-first"
  | "released-as-done"
  | "released-resend"
  | "released-approve"
  | "released-cancel"
  | "sent-by-sync"
  | "superseded"
  | "superseded-hold";

/**
 * The rule that moved a row, or that looked it up. `untrusted-…` is an answer that a lookup must
 * verify.
 */
export type Cause = NamedCause | AnswerCause | `untrusted-${AnswerCause}`;
