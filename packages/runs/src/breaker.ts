/** Ends a pass when going on would only make more rows uncertain. */

import { type ApplyResult } from "./apply-run.ts";
import { type SentRow } from "./send-row.ts";

export interface BreakerOptions {
  /** Rejected rows after which nothing more is sent. @default unlimited */
  readonly maxRejected?: number | undefined;
}

export interface Breaker {
  /** Why to stop; `undefined` while all is well. */
  readonly end: ApplyResult | undefined;
  note(row: SentRow): void;
}

/** Lost answers in a row, and requests that never left in a row, that open the breaker. */
const MOST_AMBIGUOUS = 3;
const MOST_UNSENT = 5;

/** Refused tokens in a row; the client gets a new token after the first, for all that follow. */
const MOST_REFUSED = 8;

/** A closed breaker; once open, it stays open. */
export function createBreaker(options: BreakerOptions): Breaker {
  const { maxRejected = Infinity } = options;
  let ambiguous = 0;
  let unsent = 0;
  let refused = 0;
  let rejected = 0;
  let end: ApplyResult | undefined;

  return {
    get end() {
      return end;
    },
    note(row) {
      ambiguous = row.state === "ambiguous" ? ambiguous + 1 : 0;
      refused = row.next === "renew-login" ? refused + 1 : 0;
      unsent = row.state === "ready" && row.next === "go-on" ? unsent + 1 : 0;
      if (row.state === "rejected") rejected += 1;
      end ??= judge(row, { ambiguous, unsent, refused, rejected, maxRejected });
    },
  };
}

interface Tally {
  readonly ambiguous: number;
  readonly unsent: number;
  readonly refused: number;
  readonly rejected: number;
  readonly maxRejected: number;
}

function judge(row: SentRow, tally: Tally): ApplyResult | undefined {
  const reason = row.note;
  if (tally.refused >= MOST_REFUSED) return { end: "login", reason };
  if (row.next === "stop-permission") return { end: "permission", reason };
  if (tally.rejected > tally.maxRejected) return { end: "too-many-rejected", reason };
  const isOpen = tally.ambiguous >= MOST_AMBIGUOUS || tally.unsent >= MOST_UNSENT;
  return isOpen ? { end: "breaker", reason } : undefined;
}
