/**
 * What one channel has been told of one subject, and what it is to be told next. Of trouble that lasts
 * at most one message of a cause is made in an hour. A recovery is told once, and only where the trouble
 * before it was told; a failure after it is told at once. Of a subject that fails and recovers in turns
 * only {@link MAX_RECOVERIES} recoveries are told in an hour, so that what was told last is wrong for an
 * hour at most, and never says that all is well for long. A message that does not arrive is tried again
 * for about two hours; after that, trouble that lasts makes a new one.
 */

import type { Localized } from "@catalog/i18n";
import { z } from "zod";

import { ALERT_CAUSES, type AlertCause } from "./alert-names.ts";

export type TroubleCause = Exclude<AlertCause, "recovered">;

const TROUBLE_CAUSES: readonly TroubleCause[] = [
  "failed",
  "stale",
  "held",
  "clock",
  "period",
  "owner",
];

/** What a message says. It holds no secret and no whole address. */
export interface AlertFacts {
  readonly cause: AlertCause;
  readonly baseUrl: string;
  readonly storeId: string;
  /** Id of the schedule. @default the message is about no schedule */
  readonly schedule?: string | undefined;
  /** Name of the feed for people. */
  readonly feed?: string | undefined;
  /** What the feed gives, when it was last accepted. */
  readonly fields?: readonly string[] | undefined;
  readonly timeZone?: string | undefined;
  /** When the trouble began; of a recovery, the trouble that is over. */
  readonly sinceMs: number;
  /** When a sync last did its job. */
  readonly succeededAtMs?: number | undefined;
  /** Stable code of the failure. */
  readonly code?: string | undefined;
  /** The failure in words, in the language of the schedule. */
  readonly reason?: string | undefined;
  /** Name of the person who answers for the schedule. @default nobody does */
  readonly owner?: string | undefined;
  /** The run that a person looks at. */
  readonly run?: string | undefined;
  /** Rows that wait for a decision. */
  readonly rows?: number | undefined;
  /** How far the clock of the machine `host` is ahead of the marketplace's, in milliseconds. */
  readonly aheadMs?: number | undefined;
  readonly host?: string | undefined;
  /** What is wrong with the times of a run, as a sentence. */
  readonly period?: Localized | undefined;
}

/** Something that is wrong with a subject, as it is found now. */
export interface Trouble extends AlertFacts {
  readonly cause: TroubleCause;
  /** Whether a person has to do something already. */
  readonly needsPerson: boolean;
}

/** A message that is to be sent, or sent again. */
export interface AlertMessage {
  /** The same for every attempt, so that a receiver notices a message that came twice. */
  readonly id: string;
  readonly facts: AlertFacts;
  readonly attempts: number;
  readonly nextMs: number;
}

interface CauseState {
  readonly isOpen: boolean;
  readonly sinceMs: number;
  /** When its last message arrived or was given up. */
  readonly lastMs?: number | undefined;
  /** Whether a message has arrived since it opened. */
  readonly isTold: boolean;
  /** The rows that the last message named. */
  readonly rows?: number | undefined;
  readonly message?: AlertMessage | undefined;
}

/** What a channel was told of a subject. */
export interface AlertState {
  readonly causes: Readonly<Partial<Record<AlertCause, CauseState>>>;
  /** When the trouble began that was told and whose end was not. */
  readonly brokenSinceMs?: number | undefined;
  /** When recoveries of the last hour were told. @default none was */
  readonly recoveredMs?: readonly number[] | undefined;
}

const messageSchema: z.ZodType<AlertMessage> = z.object({
  id: z.string(),
  facts: z.custom<AlertFacts>((value) => typeof value === "object" && value !== null),
  attempts: z.number(),
  nextMs: z.number(),
});

const causeSchema: z.ZodType<CauseState> = z.object({
  isOpen: z.boolean(),
  sinceMs: z.number(),
  lastMs: z.number().optional(),
  isTold: z.boolean(),
  rows: z.number().optional(),
  message: messageSchema.optional(),
});

const stateSchema: z.ZodType<AlertState> = z.object({
  causes: z.partialRecord(z.enum(ALERT_CAUSES), causeSchema),
  brokenSinceMs: z.number().optional(),
  recoveredMs: z.array(z.number()).optional(),
});

const NOTHING_TOLD: AlertState = { causes: {} };

/** Reads a stored state; one that no version of this program has stored counts as none. */
export const parseAlertState = (stored: unknown): AlertState =>
  stateSchema.safeParse(stored).data ?? NOTHING_TOLD;

/** When and of what a channel is told. */
export interface TellingRules {
  readonly causes: readonly AlertCause[];
  /** Time between two messages of trouble that lasts; 0 tells it once. */
  readonly repeatMs: number;
  /** The first moment from `atMs` on at which a message may be sent. */
  readonly findQuietEnd: (atMs: number) => number;
}

/** How a subject fares now. */
export interface Finding {
  readonly subject: string;
  readonly troubles: readonly Trouble[];
  /** What a recovery says. @default it is not known to be well */
  readonly recovery?: AlertFacts | undefined;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Recoveries that are told in an hour. */
const MAX_RECOVERIES = 2;

/** Trouble of which a person has been told, and which may wait. */
const PATIENT: ReadonlySet<AlertCause> = new Set(["held", "clock", "period", "owner"]);

/** Trouble that ends with a recovery. */
const BREAKING: ReadonlySet<AlertCause> = new Set(["failed", "stale"]);

interface AdvanceOptions extends TellingRules {
  readonly nowMs: number;
}

/** Takes what is found now into the state. Returns the same object where nothing changes. */
export function advanceAlerts(
  state: AlertState,
  finding: Finding,
  { nowMs, ...rules }: AdvanceOptions,
): AlertState {
  const { troubles, subject } = finding;
  const causes: Partial<Record<AlertCause, CauseState>> = { ...state.causes };
  for (const cause of TROUBLE_CAUSES) {
    const known = causes[cause];
    const trouble = troubles.find((one) => one.cause === cause);
    if (trouble !== undefined)
      causes[cause] = meetTrouble(known, sinceTold(state, trouble), { subject, nowMs, rules });
    else if (known?.isOpen === true) causes[cause] = close(known);
  }
  const next = advanceRecovery({ ...state, causes }, finding, { nowMs, ...rules });
  return JSON.stringify(next) === JSON.stringify(state) ? state : next;
}

/** A trouble that was told keeps its beginning until its end is told, whatever its cause is by then. */
const sinceTold = ({ brokenSinceMs }: AlertState, trouble: Trouble): Trouble =>
  brokenSinceMs === undefined || !BREAKING.has(trouble.cause)
    ? trouble
    : { ...trouble, sinceMs: brokenSinceMs };

/** Trouble that was told and is over is followed by a recovery, and only then. */
function advanceRecovery(
  state: AlertState,
  { troubles, recovery, subject }: Finding,
  { nowMs, ...rules }: AdvanceOptions,
): AlertState {
  const { brokenSinceMs, causes } = state;
  const { recovered } = causes;
  if (troubles.some(({ cause }) => BREAKING.has(cause))) {
    return recovered?.isOpen === true ? withCause(state, "recovered", close(recovered)) : state;
  }
  if (recovery === undefined || brokenSinceMs === undefined) return state;
  if (!rules.causes.includes("recovered")) return { causes };
  const isOften = listRecoveries(state, nowMs).length >= MAX_RECOVERIES;
  if (isOften && recovered?.isOpen !== true) return state;
  const facts = { ...recovery, sinceMs: brokenSinceMs };
  return withCause(state, "recovered", meetTrouble(recovered, facts, { subject, nowMs, rules }));
}

/** When recoveries were told within an hour before. */
const listRecoveries = ({ recoveredMs = [] }: AlertState, nowMs: number): readonly number[] =>
  recoveredMs.filter((atMs) => atMs <= nowMs && atMs > nowMs - HOUR_MS);

/** Ends it; a message that was not sent is not needed any more. */
const close = ({ sinceMs, lastMs }: CauseState): CauseState => ({
  isOpen: false,
  sinceMs,
  isTold: false,
  ...(lastMs !== undefined && { lastMs }),
});

interface Meeting {
  readonly subject: string;
  readonly nowMs: number;
  readonly rules: TellingRules;
}

/** Trouble that is there; a message is made where one is due. */
function meetTrouble(
  before: CauseState | undefined,
  { needsPerson = true, ...found }: AlertFacts & { readonly needsPerson?: boolean },
  { subject, nowMs, rules }: Meeting,
): CauseState {
  const { cause } = found;
  const known: CauseState =
    before?.isOpen === true
      ? before
      : { ...(before === undefined ? {} : close(before)), ...OPENED, sinceMs: found.sinceMs };
  const facts = { ...found, sinceMs: known.sinceMs };
  if (!needsPerson || !rules.causes.includes(cause)) return known;
  const { message, lastMs = -Infinity } = known;
  // What is not sent yet says how it is now.
  if (message !== undefined) return { ...known, message: { ...message, facts } };
  // A clock that was put back must not silence anything.
  const dueMs = lastMs > nowMs ? nowMs : lastMs + toGap(known, facts, rules.repeatMs);
  if (dueMs > nowMs) return known;
  const nextMs = rules.findQuietEnd(nowMs);
  const id = `${subject} ${cause} ${new Date(nowMs).toISOString()}`;
  return { ...known, message: { id, facts, attempts: 0, nextMs } };
}

const OPENED = { isOpen: true, isTold: false } as const;

/** Time between two messages of a cause. */
function toGap({ isTold, rows = 0 }: CauseState, facts: AlertFacts, repeatMs: number): number {
  if (!isTold) return HOUR_MS;
  if (repeatMs === 0) return Infinity;
  const isPatient = PATIENT.has(facts.cause) && (facts.rows ?? 0) <= rows;
  return Math.max(HOUR_MS, repeatMs, isPatient ? DAY_MS : 0);
}

/** Longest time that a process may take to send a message that it has taken. */
const TAKEN_MS = 120_000;

interface TakenMessage {
  readonly cause: AlertCause;
  readonly message: AlertMessage;
  /** The state in which no other process takes it. */
  readonly state: AlertState;
}

/** Takes the message that is due first; `undefined` where none is. */
export function takeMessage(state: AlertState, nowMs: number): TakenMessage | undefined {
  const [first] = listMessages(state)
    .filter(({ message }) => message.nextMs <= nowMs)
    .toSorted((a, b) => a.message.nextMs - b.message.nextMs);
  if (first === undefined) return undefined;
  const { cause, message, known } = first;
  const taken = { ...message, attempts: message.attempts + 1, nextMs: nowMs + TAKEN_MS };
  return {
    cause,
    message: taken,
    state: { ...state, causes: { ...state.causes, [cause]: { ...known, message: taken } } },
  };
}

/** The messages that are to be sent. */
export const listMessages = (
  state: AlertState,
): readonly {
  readonly cause: AlertCause;
  readonly message: AlertMessage;
  readonly known: CauseState;
}[] =>
  ALERT_CAUSES.flatMap((cause) => {
    const known = state.causes[cause];
    const message = known?.message;
    return known === undefined || message === undefined ? [] : [{ cause, message, known }];
  });

/** What became of an attempt. */
export interface AttemptEnd {
  readonly hasArrived: boolean;
  /** How long the receiver asked us to wait. @default it did not */
  readonly retryAfterMs?: number | undefined;
}

const MINUTE_MS = 60_000;

/** Waits after the attempts of one message; after the last one it is given up. */
const WAITS_MS: readonly number[] = [1, 2, 5, 10, 20, 30, 60].map((minutes) => minutes * MINUTE_MS);

/** Takes the end of an attempt into the state, which may have changed since it began. */
export function settleMessage(
  state: AlertState,
  { cause, message }: Pick<TakenMessage, "cause" | "message">,
  { nowMs, hasArrived, retryAfterMs = 0 }: AttemptEnd & { readonly nowMs: number },
): AlertState {
  const known = state.causes[cause];
  if (known === undefined) return state;
  const { message: waiting, ...rest } = known;
  const isOurs = waiting?.id === message.id;
  const waitMs = WAITS_MS[message.attempts - 1];
  if (hasArrived)
    return noteArrival(state, { cause, message, known: isOurs ? rest : known }, nowMs);
  if (!isOurs) return state;
  if (waitMs !== undefined) {
    const nextMs = nowMs + Math.max(waitMs, Math.min(retryAfterMs, HOUR_MS));
    return withCause(state, cause, { ...rest, message: { ...waiting, nextMs } });
  }
  const given = withCause(state, cause, { ...rest, lastMs: nowMs });
  // A recovery that cannot be told is over as well.
  return cause === "recovered" ? endRecovery(given, []) : given;
}

const withCause = (state: AlertState, cause: AlertCause, known: CauseState): AlertState => ({
  ...state,
  causes: { ...state.causes, [cause]: known },
});

interface ArrivedMessage extends Pick<TakenMessage, "cause" | "message"> {
  readonly known: CauseState;
}

function noteArrival(
  state: AlertState,
  { cause, message: { facts }, known }: ArrivedMessage,
  nowMs: number,
): AlertState {
  const { rows } = facts;
  const isTold = known.isOpen;
  const told = { ...known, lastMs: nowMs, isTold, ...(rows !== undefined && { rows }) };
  const arrived = withCause(state, cause, told);
  if (cause === "recovered") return endRecovery(arrived, [...listRecoveries(state, nowMs), nowMs]);
  if (!BREAKING.has(cause)) return arrived;
  return { ...arrived, brokenSinceMs: state.brokenSinceMs ?? facts.sinceMs };
}

/** What comes after it is trouble of its own, for which no message counts that was sent before. */
function endRecovery({ causes }: AlertState, recoveredMs: readonly number[]): AlertState {
  const { failed: _failed, stale: _stale, recovered: _recovered, ...others } = causes;
  return { causes: others, ...(recoveredMs.length > 0 && { recoveredMs }) };
}
