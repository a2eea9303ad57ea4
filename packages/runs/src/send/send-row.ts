/** Sends one ready row and records its outcome. */

import type { ProductAdd, ProductUpdate } from "@catalog/contract";
import type { Localized } from "@catalog/i18n";

import type { Answer, Marketplace, SendOptions } from "../ports/marketplace.ts";
import { type RefusalSignature, toRefusalSignature } from "../reconcile/refusal-signature.ts";
import type { RefusalTrust } from "../reconcile/refusal-trust.ts";
import { toServerMs } from "../reconcile/visibility/visibility.ts";
import { answerText } from "../row/answer-words.ts";
import type { Cause } from "../row/cause.ts";
import { type IssueLocation, toIssue } from "../row/issue-texts.ts";
import type { Payload } from "../row/row-decision.ts";
import type { RowOutcome } from "../row/row-outcome.ts";
import { openBody, toCarriedOut } from "../row/row-parts.ts";
import type { RowRecord } from "../row/row-record.ts";
import { releaseClaim } from "./claim-rows.ts";
import { classifyAdd, classifyUpdate, type SendVerdict } from "./classify-answer.ts";
import { holdChangedRow } from "./recheck/hold-changed-row.ts";
import type { RecheckOptions } from "./recheck/update-rechecks.ts";
import {
  CodeTaken,
  createSendAttempt,
  Overtaken,
  type SendAttempt,
  type SendAttemptOptions,
} from "./send-attempt.ts";
import { SendDeferred } from "./send-gate.ts";
import type { SentRow } from "./sent-row.ts";

export interface SendRowOptions extends SendAttemptOptions {
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
    answer = await send(options.marketplace, record, attempt);
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

/** What cannot be given back matters more than why nothing was sent, which the next try tells again. */
async function giveBack(
  { journal }: SendRowOptions,
  { key, progress }: SendAttempt,
): Promise<void> {
  if (progress !== "claimed" && progress !== "refused") return;
  await releaseClaim(journal, key, RELEASE_CAUSES[progress]);
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
  const verdict = action === "update" ? classifyUpdate(answer) : classifyAdd(answer);
  if (!isRefusedAnswer(verdict)) return { verdict, answer };
  const { to, cause } = verdict;
  const suspect = { ...verdict, to: "ambiguous", cause: `untrusted-${cause}` } as const;
  if (action === "update") {
    return to === "ready" ? { verdict, answer } : { verdict: suspect, answer, impliedState: to };
  }
  const signature = payload === null ? undefined : toRefusalSignature(answer, payload);
  if (signature === undefined) return { verdict, answer };
  const isBelieved = to === "rejected" && (await trust.trusts(signature));
  if (isBelieved) return { verdict, answer, signature };
  return { verdict: suspect, answer, signature, impliedState: signature.isJson ? to : undefined };
}

const isRefusedAnswer = (
  verdict: SendVerdict,
): verdict is SendVerdict & { readonly to: "rejected" | "ready" } =>
  (verdict.to === "rejected" || verdict.to === "ready") && verdict.cause !== "unsent";

function send(marketplace: Marketplace, record: RowRecord, options: SendOptions): Promise<Answer> {
  const { action } = record;
  const payload = openBody(record);
  if (action === "add" && isAdd(payload)) return marketplace.addProduct(payload, options);
  if (action === "update" && isUpdate(payload)) return marketplace.updateProduct(payload, options);
  throw new Error(`a ready row has no body for its action ${action}`);
}

const isAdd = (payload: Payload | null): payload is ProductAdd =>
  payload !== null && !("product_id" in payload);

const isUpdate = (payload: Payload | null): payload is ProductUpdate =>
  payload !== null && "product_id" in payload;

async function holdTakenCode(options: SendRowOptions, record: RowRecord): Promise<SentRow> {
  const [known] = await options.journal.readKnownCodes([record.codeKey ?? ""]);
  const location = locationOf(options, record);
  const issue =
    known?.isRefused === true
      ? toIssue("E_REFUSED_BEFORE", location, known.runId)
      : toIssue("E_CODE_TAKEN", location);
  await options.journal.recordOutcome(
    { runId: options.runId, row: record.row, from: "ready" },
    { to: "held", cause: "code-taken", issues: [issue], note: issue.message.en },
  );
  const { row, code, action } = record;
  return { row, code, action, state: "held", next: "go-on", note: issue.message.en };
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
  const { to, cause, productId, note } = verdict;
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
      ? [toIssue("E_REJECTED", locationOf(options, record), answerText(answer, note))]
      : undefined;
  // A rejection that is trusted is no proof that there is no product.
  const keepsCode = to === "rejected" && record.action === "add";
  return { to, cause, productId, note, issues, evidence, keepsCode };
}

function toSentRow({ row, code, action }: RowRecord, outcome: Outcome): SentRow {
  const { verdict, answer, impliedState } = outcome;
  const { to: state, next, note, productId } = verdict;
  const askedMs = answer.kind === "refused" ? answer.retryAfterMs : undefined;
  const limit = next === "wait" ? { askedMs } : undefined;
  const words = note === undefined ? undefined : answerText(answer, note);
  return { row, code, action, state, next, note, words, productId, impliedState, limit };
}

function locationOf({ sheet }: SendRowOptions, { row, code }: RowRecord): IssueLocation {
  return { sheet, row, column: "", cell: "", value: code ?? "" };
}
