/**
 * Sends one call that changes something, outside of runs. The call is in the log before its first
 * byte leaves and is never repeated; while it is under way no run of the store is sent.
 */

import { redact } from "@catalog/client";
import { ClientError } from "@catalog/client/errors";
import { endpointNamed, type EndpointName } from "@catalog/contract";
import { DatabaseError, type Store } from "@catalog/database";
import type { Localized } from "@catalog/i18n";
import { codeKey } from "@catalog/mapping";
import {
  type ActionName,
  type Answer,
  classifyAction,
  classifyAdd,
  classifyUpdate,
  ONCE_ACTIONS,
  subjectKey,
} from "@catalog/runs";

import { CatalogError, toCallFailure } from "./errors.ts";
import { toAnswered, toFailure } from "./marketplace-adapter.ts";
import type { Connection } from "./open-connection.ts";

/** A call that changes something. */
export interface RawCallRequest {
  readonly name: EndpointName;
  /** The path parameters and the body; it fits the contract. */
  readonly input: Readonly<Record<string, unknown>>;
  /** Keeps the call from leaving; one that has left is waited for. */
  readonly stop: AbortSignal;
}

/** What became of a call that left. */
export interface RawCallOutcome {
  /** Number of the call in the log. */
  readonly call: number;
  readonly state: "done" | "refused" | "unknown";
  /** The answer's `data`, as the marketplace sent it; `undefined` where there is none. */
  readonly data: unknown;
  /** Why it was refused or is unknown, where the marketplace or the connection says so. */
  readonly words: Localized | undefined;
}

/** The log and all that a call goes through. */
type RawCallTools = Pick<Connection, "client" | "locks" | "journal"> & {
  readonly meters: Pick<Store, "rawCalls">;
};

/**
 * Sends the call once. Rejects with `DatabaseError` `E_STORE_BUSY` while a run of the store is being
 * sent, with `CatalogError` `E_SENT_BEFORE` where the ledger or the log holds the code of an add or the
 * subject of an action, and with the error
 * of the client where the login, a permission or the hourly limit refused the call or nothing of it
 * left; none of these was carried out.
 */
export async function sendRawCall(
  connection: RawCallTools,
  request: RawCallRequest,
): Promise<RawCallOutcome> {
  await using _lock = await takeLocks(connection, request.name);
  const call = await begin(connection, request);
  const sent = await send(connection, request);
  const { state, status, words } = sent;
  const detail = words === undefined ? null : { tr: redact(words.tr), en: redact(words.en) };
  await connection.meters.rawCalls.end(call, { state, status, detail });
  if ("error" in sent) throw sent.error;
  return { call, state: sent.state, data: sent.data, words };
}

/** A login changes nothing of the store. A product call may concern one that a sync is updating. */
async function takeLocks({ locks }: RawCallTools, name: EndpointName): Promise<AsyncDisposable> {
  const held = new AsyncDisposableStack();
  if (name === "token.create") return held;
  try {
    held.use(await locks.store(COMMAND));
    if (name.startsWith("product.")) held.use(await locks.feeds(COMMAND));
    return held;
  } catch (error) {
    await held[Symbol.asyncDispose]();
    throw error;
  }
}

const COMMAND = "catalog api";

async function begin(
  { meters: { rawCalls } }: RawCallTools,
  { name, input }: RawCallRequest,
): Promise<number> {
  const begun = await rawCalls.begin({
    endpoint: name,
    body: maskInput(name, input),
    holds: keyOf(name, input),
  });
  if (typeof begun === "number") return begun;
  throw new CatalogError(
    "E_SENT_BEFORE",
    "run" in begun
      ? { tr: `çalıştırma ${begun.run}`, en: `run ${begun.run}` }
      : { tr: `tek çağrı ${begun.call}`, en: `single call ${begun.call}` },
  );
}

/** What the rows of runs call the same. */
const ACTIONS_OF: Readonly<Partial<Record<EndpointName, ActionName>>> = {
  "question.reply": "reply",
  "order.accept": "accept",
  "order.postpone": "postpone",
  "order.acceptReturn": "accept-return",
  "order.rejectReturn": "reject-return",
  "shipping.generateCode": "shipping-code",
  "shippingTemplate.create": "create-template",
  "shippingTemplate.update": "update-template",
};

/** The key that the call takes in the ledger's sense; `null` where it may be made again. */
function keyOf(
  name: EndpointName,
  input: RawCallRequest["input"],
): Parameters<Store["rawCalls"]["begin"]>[0]["holds"] {
  if (name === "product.add") return { kind: "add", key: codeKey(String(input["product_code"])) };
  const action = ACTIONS_OF[name];
  if (action === undefined || !ONCE_ACTIONS.includes(action)) return null;
  const subject = input["product_question_id"] ?? input["package_id"];
  return { kind: action, key: subjectKey(action, String(subject)) };
}

/** What the log and people see of a call: all of it but secrets. */
export function maskInput(name: EndpointName, input: RawCallRequest["input"]): unknown {
  if (name === "token.create") return { client_key: MASK, client_secret: MASK };
  const text: unknown = JSON.parse(redact(JSON.stringify(input)));
  return text;
}

const MASK = "***";

interface SentCall extends Omit<RawCallOutcome, "call"> {
  readonly status: number | null;
}

/** A call that certainly was not carried out, or whose outcome is a mystery because of a bug. */
interface BrokenCall extends Pick<SentCall, "status" | "words"> {
  readonly state: "refused" | "unknown" | "unsent";
  readonly error: unknown;
}

async function send(
  { client, journal }: RawCallTools,
  { name, input, stop }: RawCallRequest,
): Promise<SentCall | BrokenCall> {
  const waiting = new AbortController();
  let hasLeft = false;
  const onStop = (): void => {
    if (!hasLeft) waiting.abort(stop.reason);
  };
  stop.addEventListener("abort", onStop, { once: true });
  if (stop.aborted) onStop();
  const beforeSend = (): void => {
    if (name !== "token.create" && journal.mayLeave?.() === false) {
      throw new DatabaseError("E_LEASE_LOST", COMMAND);
    }
    hasLeft = true;
  };
  try {
    const data = await client.raw(name, input, { signal: waiting.signal, beforeSend });
    const { state, words } = judge(name, toAnswered(data));
    // An answer that is not what the specification says proves nothing.
    const isReliable = state === "refused" || endpointNamed(name).data.safeParse(data).success;
    const trusted = state === "unsent" || !isReliable ? "unknown" : state;
    return { state: trusted, words, data, status: ANSWERED };
  } catch (error) {
    return judgeError(error, { name, hasLeft });
  } finally {
    stop.removeEventListener("abort", onStop);
  }
}

/** The status that answers have; the client passes no other one of 2xx on. */
const ANSWERED = 200;

interface FailedCall extends Pick<RawCallRequest, "name"> {
  readonly hasLeft: boolean;
}

function judgeError(error: unknown, { name, hasLeft }: FailedCall): SentCall | BrokenCall {
  const failure = toCallFailure(error);
  const words = failure?.message;
  if (failure === undefined || !hasLeft) {
    return { state: hasLeft ? "unknown" : "unsent", status: null, words, error };
  }
  // A new login failed after the token of the call was refused.
  if (error instanceof ClientError && error.endpoint !== name) {
    return { state: "refused", status: null, words, error };
  }
  const answer = toFailure(name)(error);
  const status = answer.kind === "refused" ? answer.status : (answer.facts?.status ?? null);
  const judged = judge(name, answer);
  // A refused login, a missing permission and the hourly limit end the command as everywhere.
  if (judged.state === "unsent") return { state: "refused", status, words, error };
  return { state: judged.state, words, status, data: undefined };
}

interface JudgedCall extends Pick<RawCallOutcome, "words"> {
  readonly state: RawCallOutcome["state"] | "unsent";
}

/** What an answer means, by the rules for the rows of runs. */
function judge(name: EndpointName, answer: Answer): JudgedCall {
  const { to, note } = classify(name, answer);
  if (answer.kind !== "answered") {
    // A conflict says that the state of a package, question or template does not allow the call.
    const isConflict = answer.kind === "refused" && answer.status === CONFLICT;
    const isRefused = isConflict && name !== "product.add";
    return { state: isRefused ? "refused" : STATES[to], words: answer.words };
  }
  return { state: STATES[to], words: note === undefined ? undefined : { tr: note, en: note } };
}

function classify(name: EndpointName, answer: Answer): ReturnType<typeof classifyUpdate> {
  if (name === "product.add") return classifyAdd(answer);
  const action = ACTIONS_OF[name];
  return action === undefined ? classifyUpdate(answer) : classifyAction(action, answer);
}

const CONFLICT = 409;

const STATES = {
  done: "done",
  rejected: "refused",
  ambiguous: "unknown",
  ready: "unsent",
} as const satisfies Record<ReturnType<typeof classifyUpdate>["to"], JudgedCall["state"]>;
