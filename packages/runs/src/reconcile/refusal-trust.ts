/**
 * Which rejections need no lookup at once. The API specification shows no error answers (section
 * Errors), so the meaning of a refusal is learnt for each store by looking up whether it left a
 * product. Trust only saves calls: a refused add keeps its code until it is proven to have left
 * none.
 */

import type { Clock } from "@catalog/clock";

import type { RefusalEvidence, ShopBehavior } from "../ports/journal.ts";
import type { Answer, AnswerFacts } from "../ports/marketplace.ts";
import type { Payload } from "../row/row-record.ts";

/** A kind of refusal. */
export interface RefusalSignature {
  /**
   * Status, content type, shape and text of the answer without the parts that differ between rows.
   */
  readonly key: string;
  readonly status: number;
  readonly isJson: boolean;
}

/** Lookups without a product after which a refusal is trusted. */
const ENOUGH = 3;

/** Credit, in lookups, for refusals that can hardly mean anything else. */
const SEED = 2;

/** Evidence that is older than this, in milliseconds, does not count. */
const EVIDENCE_LIFE_MS = 30 * 24 * 3_600_000;

/** Statuses with that credit; 200 stands for `status: false` in a well-formed answer. */
const SEEDED: ReadonlySet<number> = new Set([200, 400, 401, 403, 404, 405, 413, 415, 422, 429]);

/** Returns the kind of a refusal; `undefined` for an answer that is no refusal. */
export function toRefusalSignature(answer: Answer, payload: Payload): RefusalSignature | undefined {
  if (answer.kind === "lost") return undefined;
  if (answer.kind === "answered") {
    const words = readMessage(answer.data);
    const key = `200 json ${shapeOf({ data: answer.data })} ${maskValues(words, payload)}`;
    return { key, status: 200, isJson: true };
  }
  const { status, message, facts = {} } = answer;
  const contentType = toType(facts);
  const json = parse(facts.excerpt);
  const shape = json === undefined ? "" : shapeOf(json);
  const key = `${status} ${contentType} ${shape} ${maskValues(message, payload)}`;
  return { key, status, isJson: contentType.endsWith("json") && isObject(facts.excerpt) };
}

const toType = ({ contentType = "" }: AnswerFacts): string =>
  (contentType.split(";", 1)[0] ?? "").trim().toLowerCase();

/** A long body is cut, so only its beginning is checked. */
const isObject = (excerpt = "{"): boolean => excerpt.trimStart().startsWith("{");

/** Says whether a refusal of this kind is looked up every time, whatever was learnt of it. */
const isNeverTrusted = (
  { status, isJson }: RefusalSignature,
  { applied }: RefusalEvidence,
): boolean => applied > 0 || !isJson || status >= 500;

/** Says whether a refusal of this kind is known to leave no product in this store. */
export function isTrusted(
  signature: RefusalSignature,
  evidence: RefusalEvidence,
  nowMs: number,
): boolean {
  if (isNeverTrusted(signature, evidence)) return false;
  const { notApplied, lastSeenMs } = evidence;
  const isRecent = lastSeenMs !== null && Math.abs(nowMs - lastSeenMs) <= EVIDENCE_LIFE_MS;
  return (isRecent ? notApplied : 0) + (SEEDED.has(signature.status) ? SEED : 0) >= ENOUGH;
}

/** Removes the row's own values, quotations, numbers and ids from a text. */
function maskValues(words: string, payload: Payload): string {
  const own = [payload.product_code, payload.title].filter((value) => value !== undefined);
  const bare = own.reduce((text, value) => text.replaceAll(value, "…"), words);
  return bare
    .replaceAll(/"[^"]*"|“[^“”]*”|'[^']*'|«[^«»]*»/gu, "…")
    .replaceAll(/[\p{L}\p{N}_-][\p{L}\p{N}_.,-]*/gu, maskNumbers)
    .trim()
    .slice(0, 200);
}

/**
 * Replaces each word from its first part with a digit on, because it is a number or an id:
 * `abc.x5-9`.
 */
function maskNumbers(words: string): string {
  const digit = words.search(/\p{N}/u);
  if (digit === -1) return words;
  const begin = Math.max(words.lastIndexOf(".", digit), words.lastIndexOf(",", digit)) + 1;
  return `${words.slice(0, begin)}#`;
}

/** Names of the fields, two levels deep, without their values. */
function shapeOf(json: unknown, depth = 2): string {
  if (Array.isArray(json)) return "[]";
  if (typeof json !== "object" || json === null) return json === null ? "null" : typeof json;
  if (depth === 0) return "{}";
  const fields = Object.entries(json).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([name, value]) => `${name}:${shapeOf(value, depth - 1)}`).join(",")}}`;
}

function readMessage(data: unknown): string {
  const isFields = typeof data === "object" && data !== null && "message" in data;
  return isFields && typeof data.message === "string" ? data.message : "";
}

function parse(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    // The body was cut or is no JSON, so its shape is unknown.
    return undefined;
  }
}

/** Kept for one process, so that each start looks up the first rejection of each kind. */
export interface RefusalTrust {
  /** Says whether a rejection of this kind may be trusted without a lookup. */
  trusts(signature: RefusalSignature): Promise<boolean>;
}

/** One of this many rejections is looked up, however well its kind is known. */
const RECHECK_EVERY = 20;

/** Lookups of a kind in one process that prove nothing, after which the process trusts the kind. */
const MAX_FAILED_LOOKUPS = 3;

export function createRefusalTrust({
  journal,
  clock,
}: {
  readonly journal: Pick<ShopBehavior, "readSignature">;
  readonly clock: Pick<Clock, "now">;
}): RefusalTrust {
  const met = new Map<string, number>();
  return {
    async trusts(signature) {
      const { key } = signature;
      const before = met.get(key) ?? 0;
      met.set(key, before + 1);
      const evidence = await journal.readSignature(key);
      if (isNeverTrusted(signature, evidence)) return false;
      if (before % RECHECK_EVERY === 0) return false;
      return before >= MAX_FAILED_LOOKUPS || isTrusted(signature, evidence, clock.now());
    },
  };
}
