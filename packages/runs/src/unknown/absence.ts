/** What becomes of an add that was looked for and not found. Pure: the events say what is known. */

import { countDepartures } from "../departures.ts";
import { type Localized } from "../issue.ts";
import { type RowEvent } from "../journal.ts";
import { type RowState } from "../row-state.ts";
import { readWords } from "../words.ts";
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
  /** Complete looks that found nothing. */
  readonly looks: number;
  /** Time between the first and the last of them, by the marketplace's time. */
  readonly spreadMs: number;
}

/** An add is sent twice at most, and only after so many looks, spread over so much time. */
const MOST_DEPARTURES = 2;
const LEAST_LOOKS = 3;
export const QUIET_MS: number = 15 * 60_000;

/** The window is at least so many times as long as any product has taken to be shown. */
const LAG_FACTOR = 5;

/** Reads what is known of a row from its events, oldest first. */
export function toDoubt(events: readonly RowEvent[]): Doubt {
  const begun = events.findLastIndex(({ to }) => to === "sending");
  const since = events.slice(Math.max(0, begun));
  const opened = since.findLast(({ to, from }) => to === "ambiguous" && from === "sending");
  const looks = since.filter(({ cause }) => cause === LOOK);
  const moments = looks.map(({ evidence }) => evidence["serverMs"]).filter(isNumber);
  const { claim, signature, words } = opened?.evidence ?? {};
  const begunMs = since[0]?.evidence["serverMs"];
  return {
    departures: countDepartures(events),
    claim: claim === "rejected" || claim === "ready" ? claim : undefined,
    signature: typeof signature === "string" ? signature : undefined,
    words: readWords(words),
    begunMs: isNumber(begunMs) ? begunMs : null,
    looks: looks.length,
    // Looks without a server time lengthen nothing: a clock that jumps must not shorten the window.
    spreadMs: moments.length < LEAST_LOOKS ? 0 : Math.max(...moments) - Math.min(...moments),
  };
}

/** Cause of the event that a complete look without a product leaves behind. */
export const LOOK = "look";

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
}

/** Decides on an add that no complete look has found. */
export function decideAbsence(facts: AbsenceFacts): AbsenceDecision {
  const { doubt, visibility, policy } = facts;
  if (doubt.claim === "rejected") return refused("rejected", "refused, and not in the store");
  if (doubt.claim === "ready" && visibility.verdict !== "blind") {
    return refused("ready", "refused before it was carried out, and not in the store");
  }
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

const refused = (to: "rejected" | "ready", rule: string): AbsenceDecision => ({
  to,
  cause: "refused-and-absent",
  rule,
});

const hold = (rule: string): AbsenceDecision => ({ to: "held", cause: "not-found", rule });

/** Where the store cannot be looked through, finding nothing proves nothing. */
export const NOT_LOOKED: AbsenceDecision = hold(
  "no look: no filter is proven, and the listing is too long to be read",
);

const isNumber = (value: unknown): value is number => typeof value === "number";
