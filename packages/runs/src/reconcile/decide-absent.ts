/** Decides on an add that a lookup has not found, by the row's events, which hold all that is known. */

import type { Localized } from "@catalog/i18n";

import type { KnownCode, Ledger, ShopBehavior } from "../ports/journal.ts";
import type { Marketplace } from "../ports/marketplace.ts";
import { readAnswerText } from "../row/issues.ts";
import type { RowEvent } from "../row/row-record.ts";
import type { RowState } from "../row/row-state.ts";
import { judgeVisibility, sampleVisibility, type Visibility } from "./visibility.ts";

/** What to do with an add that was not found: hold it for a person, or send it once more. */
export type UnknownPolicy = "hold" | "resend";

/** The facts about an open add, from its events since its last request started. */
export interface AddHistory {
  /** Requests that left or may have left, earlier attempts included. */
  readonly sentCount: number;
  /**
   * State that the marketplace's refusal implies for the row, where the refusal was well-formed.
   */
  readonly impliedState: "rejected" | "ready" | undefined;
  /** Key of the kind of refusal. */
  readonly signature: string | undefined;
  readonly text: Localized | undefined;
  /** When the request started, by the marketplace's clock. */
  readonly startedMs: number | null;
  /** When its answer came or was given up, by the marketplace's clock. */
  readonly endedMs: number | null;
  /** When the last complete lookup found nothing, by the marketplace's clock. */
  readonly lookedUpMs: number | null;
  /** A lookup has proven that the refused request left no product. */
  readonly isProven: boolean;
  /** Complete lookups that found nothing. */
  readonly lookups: number;
  /** Time between the first and the last of them, by the marketplace's clock. */
  readonly spreadMs: number;
}

/** An add is sent twice at most, and only after this number of lookups over this much time. */
const MAX_SENT = 2;
const MIN_LOOKUPS = 3;
/** Shortest time over which an add is looked up before it is sent again, in milliseconds. */
export const SETTLE_TIME_MS: number = 15 * 60_000;

/** The time is at least this many times the longest delay with which the store showed a product. */
const LAG_FACTOR = 5;

/** Reads the facts about an add from its events, oldest first. */
export function toAddHistory(events: readonly RowEvent[]): AddHistory {
  const begun = events.findLastIndex(({ to }) => to === "sending");
  const since = events.slice(Math.max(0, begun));
  const ended = since.findLast(({ from }) => from === "sending");
  const opened = ended?.to === "ambiguous" ? ended : undefined;
  const lookups = since.filter(({ cause }) => cause === LOOKUP_CAUSE);
  const times = lookups.map(({ evidence }) => evidence["serverMs"]).filter(isNumber);
  const { claim, signature, words } = opened?.evidence ?? {};
  return {
    sentCount: countSentAttempts(events),
    // A rejection that was trusted at once implies the same as one that was looked up.
    impliedState: ended?.to === "rejected" ? "rejected" : toClaim(claim),
    signature: typeof signature === "string" ? signature : undefined,
    text: readAnswerText(words),
    startedMs: serverMsOf(since[0]),
    endedMs: serverMsOf(ended),
    lookedUpMs: times.at(-1) ?? null,
    isProven: since.some(({ evidence }) => evidence[PROVEN_ABSENT_KEY] === true),
    lookups: lookups.length,
    // Lookups without a server time do not count here, because our own clock may jump.
    spreadMs: times.length < MIN_LOOKUPS ? 0 : Math.max(...times) - Math.min(...times),
  };
}

const toClaim = (claim: unknown): AddHistory["impliedState"] =>
  claim === "rejected" || claim === "ready" ? claim : undefined;

/** Key in the evidence of a lookup: the store would show the product by now, and does not. */
export const PROVEN_ABSENT_KEY = "isProvenAbsent";

/** Cause of the event for a complete lookup that found no product. */
const LOOKUP_CAUSE = "look";

/** The `Date` header has whole seconds (RFC 9110, section 5.6.7). */
const MIN_PROOF_MS = 2_000;

/**
 * Returns how long after the end of a request a lookup must start to prove absence, in
 * milliseconds; `undefined` where no lookup can. A refused request is not under way any more.
 */
export function proofWindowMs(
  { impliedState }: Pick<AddHistory, "impliedState">,
  { verdict, maxLagMs }: Visibility,
): number | undefined {
  const minMs = impliedState === undefined ? SETTLE_TIME_MS : MIN_PROOF_MS;
  return verdict === "visible" ? Math.max(minMs, LAG_FACTOR * maxLagMs) : undefined;
}

/**
 * Says whether a complete lookup at `lookedUpMs` that found nothing proves that an add left no
 * product. It proves nothing in a store that shows products late or not at all.
 */
export function isProvenAbsent(
  history: AddHistory,
  visibility: Visibility,
  lookedUpMs: number | null | undefined,
): boolean {
  const { endedMs, isProven } = history;
  if (isProven) return true;
  const windowMs = proofWindowMs(history, visibility);
  if (windowMs === undefined || endedMs === null || lookedUpMs == null) return false;
  return lookedUpMs - endedMs >= windowMs;
}

/** Facts that the decision on an absent add uses. */
export interface AbsenceFacts {
  readonly history: AddHistory;
  readonly visibility: Visibility;
  readonly policy: UnknownPolicy;
  /** Shortest time that the lookups must span before an add is sent again. */
  readonly quietMs: number;
}

/** The next state of the row, and the rule that decided. */
interface AbsenceDecision {
  readonly to: Extract<RowState, "rejected" | "ready" | "held">;
  readonly cause: "refused-and-absent" | "not-found-resend" | "not-found";
  /** The rule, for the evidence. */
  readonly rule: string;
  /** The store would show a product of this request by now. */
  readonly isProven?: boolean;
}

/** Decides on an add that no complete lookup has found. */
export function decideAbsence(facts: AbsenceFacts): AbsenceDecision {
  const { history, visibility, policy } = facts;
  if (history.impliedState !== undefined) return decideRefused(facts, history.impliedState);
  if (policy === "hold") return hold("policy hold: an add is not sent again by itself");
  if (visibility.verdict !== "visible") {
    return hold("resend is not possible: the store has not shown an add of ours yet");
  }
  if (history.sentCount >= MAX_SENT) {
    return hold("it was sent as often as an add may be");
  }
  const neededMs = Math.max(facts.quietMs, LAG_FACTOR * visibility.maxLagMs);
  if (history.lookups < MIN_LOOKUPS || history.spreadMs < neededMs) {
    return hold(
      `looked ${history.lookups} times over ${history.spreadMs} ms; needed are ${neededMs} ms`,
    );
  }
  const rule = `not found in ${history.lookups} looks over ${history.spreadMs} ms`;
  return { to: "ready", cause: "not-found-resend", rule };
}

/** A refused add stays refused, and is sent again only where its absence is proven. */
function decideRefused(
  { history, visibility }: AbsenceFacts,
  claim: "rejected" | "ready",
): AbsenceDecision {
  const isProven = isProvenAbsent(history, visibility, history.lookedUpMs);
  const cause = "refused-and-absent";
  if (isProven) return { to: claim, cause, rule: "refused, and not in the store", isProven };
  const rule = "refused; the store need not show a product of it yet";
  return claim === "rejected" ? { to: claim, cause, rule } : hold(rule);
}

const hold = (rule: string): AbsenceDecision => ({ to: "held", cause: "not-found", rule });

/** Decision for a store that cannot be searched: finding nothing proves nothing. */
export const NOT_LOOKED_UP: AbsenceDecision = hold(
  "no look: no filter is proven, and the listing is too long to be read",
);

function serverMsOf(event: RowEvent | undefined): number | null {
  const serverMs = event?.evidence["serverMs"];
  return isNumber(serverMs) ? serverMs : null;
}

const isNumber = (value: unknown): value is number => typeof value === "number";

/** Causes of a move back to `ready` for which it is proven that no byte left. */
const UNSENT_CAUSES: ReadonlySet<string> = new Set(["unsent", "recovery-unsent"]);

/** Counts the requests of a row that left or may have left: those started and not proven unsent. */
export function countSentAttempts(events: readonly RowEvent[]): number {
  let sent = 0;
  for (const { from, to, cause } of events) {
    if (to === "sending") sent += 1;
    else if (from === "sending" && to === "ready" && UNSENT_CAUSES.has(cause)) sent -= 1;
  }
  return sent;
}

interface FreeAbsentCodesOptions {
  readonly journal: Pick<Ledger, "freeCode" | "readEvents"> & ShopBehavior;
  readonly marketplace: Marketplace;
  /** When the reading that did not show them started, by the marketplace's clock. */
  readonly lookedUpMs: number | null;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Returns the codes that stay taken. `isVisibilityProven` says for a code whether the store shows
 * its product.
 */
export async function freeAbsentCodes(
  options: FreeAbsentCodesOptions,
  known: readonly KnownCode[],
  isSeen: (codeKey: string) => boolean,
): Promise<readonly KnownCode[]> {
  const { journal, lookedUpMs } = options;
  const refused = known.filter(({ codeKey, isRefused }) => isRefused === true && !isSeen(codeKey));
  if (refused.length === 0) return known;
  await sampleVisibility(options);
  const visibility = judgeVisibility(await journal.readLagSamples());
  const freed = new Set<KnownCode>();
  for (const code of refused) {
    const history = toAddHistory(await journal.readEvents(code));
    if (!isProvenAbsent(history, visibility, lookedUpMs)) continue;
    await journal.freeCode(code);
    freed.add(code);
  }
  return known.filter((code) => !freed.has(code));
}
