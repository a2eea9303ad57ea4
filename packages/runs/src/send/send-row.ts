/**
 * Sends one ready row and records its outcome: the recheck is renewed, the row recorded, the
 * request released, its answer judged.
 */

import type { Localized } from "@catalog/i18n";

import { withResults } from "../actions/judge-view.ts";
import { openBody, toCarriedOut } from "../guards/stock-first.ts";
import { ACTIONS, isAction } from "../ports/action.ts";
import type { Ledger } from "../ports/journal.ts";
import type { Answer, Marketplace, SendOptions } from "../ports/marketplace.ts";
import type { ProductAdd, ProductUpdate } from "../ports/product.ts";
import {
  type RefusalSignature,
  type RefusalTrust,
  toRefusalSignature,
} from "../reconcile/refusal-trust.ts";
import { toServerMs } from "../reconcile/visibility.ts";
import { answerText, type RowIssue, toIssue, toRowLocation } from "../row/issues.ts";
import type {
  AttemptedRow,
  Claim,
  Payload,
  RowOutcome,
  RowRecord,
  StartOfSend,
} from "../row/row-record.ts";
import type { Cause } from "../row/row-state.ts";
import {
  classifyAction,
  classifyAdd,
  classifyUpdate,
  type SendVerdict,
  type SentRow,
} from "./outcome.ts";
import { holdChangedRow } from "./recheck-queue.ts";
import { SendDeferred, type SendGate } from "./send-gate.ts";
import type { RecheckedRow, RecheckOptions } from "./update-rechecks.ts";

interface SendRowOptions extends SendAttemptOptions {
  readonly sheet: string;
  readonly recheck: RecheckOptions;
  readonly trust: RefusalTrust;
}

/** The outcome of a row, which is known before it is recorded. */
export interface SentOutcome {
  readonly sent: SentRow;
  /** Resolves once the row has the state in `sent`. */
  readonly written: Promise<void>;
}

/**
 * Sends the row. Throws when nothing was sent and no further row can be: login, settings, a bug.
 */
export async function sendRow(options: SendRowOptions, record: RowRecord): Promise<SentOutcome> {
  const { journal, gate } = options;
  const attempt = createSendAttempt(options, record.row);
  let answer: Answer;
  try {
    // A row that may not leave must not take a slot of the rate limit.
    gate?.assertOpen();
    await options.marketplace.takeSlot?.(attempt.signal);
    gate?.assertOpen();
    await attempt.prepare();
    answer = await write(options.marketplace, record, attempt);
  } catch (error) {
    await giveBack(options, attempt);
    return { sent: await afterThrow(options, record, error), written: Promise.resolve() };
  } finally {
    attempt.end();
  }
  const outcome = await judgeAnswer(options, record, answer);
  const { key, progress } = attempt;
  const isUnsent = progress === "unwritten" || progress === "claimed";
  if (isUnsent && outcome.verdict.to !== "ready") {
    throw new Error(`row ${record.row} was sent without having been written down first`);
  }
  const sent = toSentRow(record, outcome);
  if (progress === "unwritten") return { sent, written: Promise.resolve() };
  const recorded = toCarriedOut(record, toOutcome(options, record, outcome));
  return { sent, written: journal.recordOutcome({ ...key, from: "sending" }, recorded) };
}

/** Causes with which a claim that was not carried out becomes ready again. */
const RELEASE_CAUSES = { claimed: "unsent", refused: "status-401" } as const;

/** A claim that cannot be released matters more than why nothing was sent, which the next try reports again. */
async function giveBack(
  { journal }: SendRowOptions,
  { key, progress }: SendAttempt,
): Promise<void> {
  if (progress !== "claimed" && progress !== "refused") return;
  await releaseClaim(journal, key, RELEASE_CAUSES[progress]);
}

/** Releases a claim whose request has certainly not left, or was refused for its token. */
export async function releaseClaim(
  journal: Pick<Ledger, "recordOutcome">,
  key: AttemptedRow,
  cause: "unsent" | "status-401" = "unsent",
): Promise<void> {
  await journal.recordOutcome({ ...key, from: "sending" }, { to: "ready", cause });
}

/** Handles the errors that concern only this row; any other error is thrown on. */
async function afterThrow(
  options: SendRowOptions,
  record: RowRecord,
  error: unknown,
): Promise<SentRow> {
  if (error instanceof SendDeferred) {
    return { ...leaveReady(record, error.message, "wait"), isDeferred: true };
  }
  if (error instanceof Overtaken) return await holdChanged(options, record);
  if (!(error instanceof CodeTaken)) throw error;
  return record.action === "update"
    ? leaveReady(record, "another update of the same product is on its way", "go-on")
    : await holdTakenCode(options, record);
}

interface Outcome {
  readonly verdict: Omit<SendVerdict, "cause"> & { readonly cause: Cause };
  readonly answer: Answer;
  readonly signature?: RefusalSignature | undefined;
  /** State that a refusal implies for the row, where the refusal is not trusted yet. */
  readonly impliedState?: "rejected" | "ready" | undefined;
}

/**
 * A refusal may come after the request was carried out. An update that is to be sent again sets
 * absolute values; every other refusal is looked up, except rejected adds of a kind known to leave
 * no product.
 */
async function judgeAnswer(
  { trust }: SendRowOptions,
  { action, payload }: RowRecord,
  answer: Answer,
): Promise<Outcome> {
  const verdict = classify(action, answer);
  if (!isRefusedAnswer(verdict)) return { verdict, answer };
  const { to, cause } = verdict;
  const suspect = { ...verdict, to: "ambiguous", cause: `untrusted-${cause}` } as const;
  if (action !== "add") {
    const mayLeaveAgain = to === "ready" && isAbsolute(action);
    return mayLeaveAgain ? { verdict, answer } : { verdict: suspect, answer, impliedState: to };
  }
  const signature = payload === null ? undefined : toRefusalSignature(answer, payload);
  if (signature === undefined) return { verdict, answer };
  const isBelieved = to === "rejected" && (await trust.trusts(signature));
  if (isBelieved) return { verdict, answer, signature };
  return { verdict: suspect, answer, signature, impliedState: signature.isJson ? to : undefined };
}

/** Whether the request sets values, so that leaving twice does no harm. */
const isAbsolute = (action: RowRecord["action"]): boolean =>
  !isAction(action) || ACTIONS[action].isSetting === true;

function classify(action: RowRecord["action"], answer: Answer): SendVerdict {
  if (isAction(action)) return classifyAction(action, answer);
  return action === "update" ? classifyUpdate(answer) : classifyAdd(answer);
}

const isRefusedAnswer = (
  verdict: SendVerdict,
): verdict is SendVerdict & { readonly to: "rejected" | "ready" } =>
  (verdict.to === "rejected" || verdict.to === "ready") && verdict.cause !== "unsent";

async function write(
  marketplace: Marketplace,
  record: RowRecord,
  options: SendOptions,
): Promise<Answer> {
  const { action, call } = record;
  if (isAction(action) && call !== undefined && marketplace.actions !== undefined) {
    return await marketplace.actions.send(action, call, options);
  }
  const payload = openBody(record);
  if (action === "add" && isAdd(payload)) return await marketplace.addProduct(payload, options);
  if (action === "update" && isUpdate(payload)) {
    return await marketplace.updateProduct(payload, options);
  }
  throw new Error(`a ready row has no body for its action ${action}`);
}

const isAdd = (payload: Payload | null): payload is ProductAdd =>
  payload !== null && !("product_id" in payload);

const isUpdate = (payload: Payload | null): payload is ProductUpdate =>
  payload !== null && "product_id" in payload;

async function holdTakenCode(options: SendRowOptions, record: RowRecord): Promise<SentRow> {
  const issue = await findTaker(options, record);
  await options.journal.recordOutcome(
    { runId: options.runId, row: record.row, from: "ready" },
    { to: "held", cause: "code-taken", issues: [issue], note: issue.message.en },
  );
  const { row, code, action } = record;
  return { row, code, action, state: "held", next: "go-on", note: issue.message.en };
}

/** Says which other request is in the way. */
async function findTaker({ journal, sheet }: SendRowOptions, record: RowRecord): Promise<RowIssue> {
  const { action, codeKey } = record;
  const location = toRowLocation(sheet, record);
  const key = codeKey ?? "";
  if (isAction(action)) {
    const known = await journal.readActions([key]);
    const done = known.find((one) => one.action === action && one.state === "done");
    if (done !== undefined) return toIssue("E_ACTION_TAKEN", location, done.runId);
    return toIssue("E_ACTION_OPEN", location, known[0]?.runId);
  }
  const [known] = await journal.readKnownCodes([key]);
  return known?.isRefused === true
    ? toIssue("E_REFUSED_BEFORE", location, known.runId)
    : toIssue("E_CODE_TAKEN", location);
}

async function holdChanged(options: SendRowOptions, record: RowRecord): Promise<SentRow> {
  const { verdict = { kind: "go" } } = options.rechecked ?? {};
  if (verdict.kind === "go") throw new Error(`row ${record.row} is held for no reason`);
  return toHeldRow(record, await holdChangedRow(options, { record, verdict }));
}

/** Describes a row that its recheck has held. */
export function toHeldRow({ row, code, action }: RowRecord, words: Localized): SentRow {
  const state = "held" as const;
  return { row, code, action, state, next: "go-on", note: words.en, words };
}

/** Nothing of the row left; it is sent in a later round or after a resume. */
function leaveReady(
  { row, code, action }: RowRecord,
  note: string,
  next: SendVerdict["next"],
): SentRow {
  return { row, code, action, state: "ready", next, note };
}

function toOutcome(
  options: SendRowOptions,
  record: RowRecord,
  { verdict, answer, signature, impliedState }: Outcome,
): RowOutcome {
  const { to, cause, productId, results, note } = verdict;
  const evidence = {
    rule: cause,
    phase: answer.phase,
    ...(answer.kind === "refused" && { status: answer.status }),
    ...answer.facts,
    signature: signature?.key,
    claim: impliedState,
    words: impliedState === undefined ? undefined : answerText(answer, note),
    serverMs: toServerMs(options.marketplace),
  };
  const issues =
    to === "rejected"
      ? [toIssue("E_REJECTED", toRowLocation(options.sheet, record), answerText(answer, note))]
      : undefined;
  // A rejection that is trusted is no proof that there is no product.
  const keepsCode = to === "rejected" && record.action === "add";
  const changes =
    to === "done" && record.call !== undefined && results !== undefined
      ? withResults(record.changes, results)
      : undefined;
  return { to, cause, productId, note, issues, changes, evidence, keepsCode };
}

function toSentRow({ row, code, action }: RowRecord, outcome: Outcome): SentRow {
  const { verdict, answer, impliedState } = outcome;
  const { to: state, next, note, productId } = verdict;
  const askedMs = answer.kind === "refused" ? answer.retryAfterMs : undefined;
  const limit = next === "wait" ? { askedMs } : undefined;
  const words = note === undefined ? undefined : answerText(answer, note);
  return { row, code, action, state, next, note, words, productId, impliedState, limit };
}

/** What a request needs of the journal. */
type SendJournal = Pick<
  Ledger,
  | "beginSending"
  | "claim"
  | "claimsFirst"
  | "mayLeave"
  | "readActions"
  | "readKnownCodes"
  | "recordOutcome"
>;

interface SendAttemptOptions {
  readonly runId: string;
  readonly journal: SendJournal;
  readonly marketplace: Marketplace;
  /** Ends the waits before the request leaves; it does not end a request that has left. */
  readonly stop?: AbortSignal | undefined;
  /** Whether requests may leave. @default they may */
  readonly gate?: SendGate | undefined;
  /**
   * The claim of the row, which is `sending` already. @default the row is recorded before its first
   * byte
   */
  readonly claim?: Claim | undefined;
  /** The last recheck of the product. @default none, as for an add */
  readonly rechecked?: RecheckedRow | undefined;
}

/** Thrown to stop a request before its first byte, when another one holds its code or product. */
class CodeTaken extends Error {
  override readonly name = "CodeTaken";
}

/** Thrown to stop an update whose product has changed since the plan. */
class Overtaken extends Error {
  override readonly name = "Overtaken";
}

/** What is done before the first byte of a request, and its progress. */
interface SendAttempt extends SendOptions {
  /** The row, with its claim where it has one. */
  readonly key: AttemptedRow;
  /**
   * - `unwritten`: nothing is recorded.
   * - `claimed`: the row is `sending`, and nothing of the request has left.
   * - `sent`: bytes may have left.
   * - `refused`: the token was refused, and the request has not left again.
   */
  readonly progress: "unwritten" | "claimed" | "sent" | "refused";
  /** Looks at the product again where the wait for a slot was long, and claims a row beforehand. */
  prepare(): Promise<void>;
  /** Removes the listener of the stop signal. */
  end(): void;
}

function createSendAttempt(options: SendAttemptOptions, row: number): SendAttempt {
  const { journal, runId, marketplace, gate, claim, rechecked } = options;
  let key: AttemptedRow = claim ?? { runId, row };
  let progress: SendAttempt["progress"] = claim === undefined ? "unwritten" : "claimed";
  const hasLeft = (): boolean => progress === "sent" || progress === "refused";
  const evidence = (): StartOfSend["evidence"] => ({ serverMs: toServerMs(marketplace) });
  const begin = (): void => {
    const start = journal.beginSending(key, evidence());
    if (start === "begun") return;
    if (start === "taken") throw new CodeTaken();
    progress = start === "away" ? "unwritten" : "claimed";
    throw new SendDeferred("the database is away");
  };
  const waiting = forwardUntil(options.stop, hasLeft);

  return {
    signal: waiting.signal,
    end: () => waiting.end(),
    get key() {
      return key;
    },
    get progress() {
      return progress;
    },
    async prepare() {
      if (rechecked !== undefined) await assertSame(rechecked);
      if (journal.claimsFirst !== true || progress !== "unwritten") return;
      const [claimed] = await journal.claim([{ runId, row, evidence: evidence() }]);
      if (claimed === undefined) return;
      key = claimed;
      progress = "claimed";
    },
    beforeSend() {
      const isRepeated = hasLeft();
      // An update leaves again after its token was refused; it is recorded already.
      if (isRepeated) progress = "refused";
      if (rechecked?.isFresh() === false) throw new SendDeferred("the last look is too old");
      // A recheck of other rows may have shown the product meanwhile.
      if (rechecked !== undefined) assertMaySend(rechecked);
      if (!isRepeated) {
        gate?.assertOpen();
        if (journal.mayLeave?.() === false) throw new SendDeferred("the database is away");
      }
      // From here on the store may show our own values.
      rechecked?.close();
      // From here on only a recovery can tell whether the request left.
      progress = "sent";
      if (!isRepeated) begin();
    },
  };
}

async function assertSame(rechecked: RecheckedRow): Promise<void> {
  if (!rechecked.isFresh()) await rechecked.renew();
  assertMaySend(rechecked);
}

function assertMaySend({ verdict }: RecheckedRow): void {
  if (verdict.kind !== "go") throw new Overtaken();
}

interface Forwarding {
  readonly signal: AbortSignal;
  end(): void;
}

/** Returns a signal that aborts with `stop` until the request has started. */
function forwardUntil(stop: AbortSignal | undefined, hasBegun: () => boolean): Forwarding {
  const controller = new AbortController();
  const onStop = (): void => {
    if (!hasBegun()) controller.abort(new SendDeferred("stopped before it began"));
  };
  if (stop?.aborted === true) onStop();
  stop?.addEventListener("abort", onStop, { once: true });
  return {
    signal: controller.signal,
    end: () => stop?.removeEventListener("abort", onStop),
  };
}
