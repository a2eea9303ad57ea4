/** What becomes of an add that was looked for and not found. Pure: the events say what is known. */

import { type Localized } from "@catalog/i18n";

import { readWords } from "../row/answer-words.ts";
import { type RowEvent } from "../row/row-event.ts";
import { type RowState } from "../row/row-state.ts";
import { countDepartures } from "./count-sent.ts";
import { type Visibility } from "./visibility.ts";

/** What becomes of an add that was not found: wait for a person, or send it once more. */
export type UnknownPolicy = "hold" | "resend";

/** Why an add is open, as its events tell since its last request began. */
export interface Doubt {
  /** Requests that have left or may have left, the earlier ones too. */
  readonly departures: number;
  /** What the marketplace's refusal said of the row, where there was a well-formed one. */
  readonly claim: "rejected" | "ready" | undefined;
  /** Kind of the refusal. */
  readonly signature: string | undefined;
  readonly words: Localized | undefined;
  /** When the request began, by the marketplace's time. */
  readonly begunMs: number | null;
  /** When its answer came or was given up, by the marketplace's time. */
  readonly endedMs: number | null;
  /** When the last complete look found nothing, by the marketplace's time. */
  readonly lookedMs: number | null;
  /** A look has proven that the refusal left nothing behind. */
  readonly isProven: boolean;
  /** Complete looks that found nothing. */
  readonly looks: number;
  /** Time between the first and the last of them, by the marketplace's time. */
  readonly spreadMs: number;
}

/** An add is sent twice at most, and only after so many looks, spread over so much time. */
const MOST_DEPARTURES = 2;
const LEAST_LOOKS = 3;
/** Shortest time over which an add is looked for before it goes out again, in milliseconds. */
export const QUIET_MS: number = 15 * 60_000;

/** The window is at least so many times as long as any product has taken to be shown. */
const LAG_FACTOR = 5;

/** Reads what is known of a row from its events, oldest first. */
export function toDoubt(events: readonly RowEvent[]): Doubt {
  const begun = events.findLastIndex(({ to }) => to === "sending");
  const since = events.slice(Math.max(0, begun));
  const ended = since.findLast(({ from }) => from === "sending");
  const opened = ended?.to === "ambiguous" ? ended : undefined;
  const looks = since.filter(({ cause }) => cause === LOOK);
  const moments = looks.map(({ evidence }) => evidence["serverMs"]).filter(isNumber);
  const { claim, signature, words } = opened?.evidence ?? {};
  return {
    departures: countDepartures(events),
    // A rejection that was believed at once says the same as one that was looked up.
    claim: ended?.to === "rejected" ? "rejected" : toClaim(claim),
    signature: typeof signature === "string" ? signature : undefined,
    words: readWords(words),
    begunMs: serverMsOf(since[0]),
    endedMs: serverMsOf(ended),
    lookedMs: moments.at(-1) ?? null,
    isProven: since.some(({ evidence }) => evidence[PROVEN] === true),
    looks: looks.length,
    // Looks without a server time lengthen nothing: a clock that jumps must not shorten the window.
    spreadMs: moments.length < LEAST_LOOKS ? 0 : Math.max(...moments) - Math.min(...moments),
  };
}

const toClaim = (claim: unknown): Doubt["claim"] =>
  claim === "rejected" || claim === "ready" ? claim : undefined;

/** In the evidence of an event: the store would show the product by now, and does not. */
export const PROVEN = "isProvenAbsent";

/** Cause of the event that a complete look without a product leaves behind. */
export const LOOK = "look";

/** The server's times are told in seconds. */
const LEAST_PROOF_MS = 2_000;

/**
 * How long after a request has ended a look must come to prove anything; `undefined` where none
 * can. Nothing of a request is under way any more once it was refused.
 */
export function proofWindowMs(
  { claim }: Pick<Doubt, "claim">,
  { verdict, maxLagMs }: Visibility,
): number | undefined {
  const leastMs = claim === undefined ? QUIET_MS : LEAST_PROOF_MS;
  return verdict === "visible" ? Math.max(leastMs, LAG_FACTOR * maxLagMs) : undefined;
}

/**
 * Whether a complete look at `lookedMs` that found nothing proves that an add left nothing behind.
 * Finding nothing in a store that shows products late, or not at all, proves nothing.
 */
export function isProvenAbsent(
  doubt: Doubt,
  visibility: Visibility,
  lookedMs: number | null | undefined,
): boolean {
  const { endedMs, isProven } = doubt;
  if (isProven) return true;
  const windowMs = proofWindowMs(doubt, visibility);
  if (windowMs === undefined || endedMs === null || lookedMs == null) return false;
  return lookedMs - endedMs >= windowMs;
}

/** What the decision on an absent add rests on. */
export interface AbsenceFacts {
  readonly doubt: Doubt;
  readonly visibility: Visibility;
  readonly policy: UnknownPolicy;
  /** Shortest time that the looks must be spread over before an add goes out again. */
  readonly quietMs: number;
}

/** Where the row goes, and the rule that says so. */
export interface AbsenceDecision {
  readonly to: Extract<RowState, "rejected" | "ready" | "held">;
  readonly cause: "refused-and-absent" | "not-found-resend" | "not-found";
  /** Why, for the evidence. */
  readonly rule: string;
  /** The store would show a product of this request by now. */
  readonly isProven?: boolean;
}

/** Decides on an add that no complete look has found. */
export function decideAbsence(facts: AbsenceFacts): AbsenceDecision {
  const { doubt, visibility, policy } = facts;
  if (doubt.claim !== undefined) return decideRefused(facts, doubt.claim);
  if (policy === "hold") return hold("policy hold: an add is not sent again by itself");
  if (visibility.verdict !== "visible") {
    return hold("resend is not possible: the store has not shown an add of ours yet");
  }
  if (doubt.departures >= MOST_DEPARTURES) {
    return hold("it was sent as often as an add may be");
  }
  const neededMs = Math.max(facts.quietMs, LAG_FACTOR * visibility.maxLagMs);
  if (doubt.looks < LEAST_LOOKS || doubt.spreadMs < neededMs) {
    return hold(`looked ${doubt.looks} times over ${doubt.spreadMs} ms; needed are ${neededMs} ms`);
  }
  const rule = `not found in ${doubt.looks} looks over ${doubt.spreadMs} ms`;
  return { to: "ready", cause: "not-found-resend", rule };
}

/** What was refused is believed to be, and goes out again only where that is proven. */
function decideRefused(
  { doubt, visibility }: AbsenceFacts,
  claim: "rejected" | "ready",
): AbsenceDecision {
  const isProven = isProvenAbsent(doubt, visibility, doubt.lookedMs);
  const cause = "refused-and-absent";
  if (isProven) return { to: claim, cause, rule: "refused, and not in the store", isProven };
  const rule = "refused; the store need not show a product of it yet";
  return claim === "rejected" ? { to: claim, cause, rule } : hold(rule);
}

const hold = (rule: string): AbsenceDecision => ({ to: "held", cause: "not-found", rule });

/** Where the store cannot be looked through, finding nothing proves nothing. */
export const NOT_LOOKED: AbsenceDecision = hold(
  "no look: no filter is proven, and the listing is too long to be read",
);

function serverMsOf(event: RowEvent | undefined): number | null {
  const serverMs = event?.evidence["serverMs"];
  return isNumber(serverMs) ? serverMs : null;
}

const isNumber = (value: unknown): value is number => typeof value === "number";
