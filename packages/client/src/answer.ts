/**
 * Turns an exchange into the parsed `data` of its answer, or into the error that describes it. A
 * listing tolerates deviations that do no harm: a wrong `total`, and wrong values in the endpoint's
 * `spareFields`, are left out. Any other deviation refuses the whole answer, because an element
 * whose id, code or price cannot be read must not count as absent. Bodies that are compressed
 * although that was not asked for are unpacked up to a size limit.
 */

import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";

import type { Endpoint, Id } from "@catalog/contract";
import type { Localized } from "@catalog/i18n";

import {
  type AnswerFacts,
  ApiError,
  AuthError,
  type ClientError,
  type ContractMismatch,
  type ErrorFacts,
  NetworkError,
  PermissionError,
  ShapeError,
} from "./errors.ts";
import { isFields, type Target, toMisfit } from "./http/request.ts";
import type { Exchange, WireFailure, WireHeaders } from "./http/wire-phase.ts";
import { describeNetworkCode } from "./network-reason.ts";
import type { Redact } from "./redact.ts";
import { isTransientStatus, parseRetryAfter } from "./retry.ts";
import type { CallKind } from "./settings.ts";

const UNPACKERS = {
  gzip: promisify(gunzip),
  "x-gzip": promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
} as const;

const isKnown = (encoding: string): encoding is keyof typeof UNPACKERS =>
  Object.hasOwn(UNPACKERS, encoding);

/**
 * Returns the exchange with its body unpacked. An exchange whose body unpacks to more than
 * `maxBytes` has failed as too large. A body that cannot be unpacked is returned as it is, and is
 * not JSON.
 */
export async function unpack(exchange: Exchange, maxBytes: number): Promise<Exchange> {
  const { headers, body, failure } = exchange;
  const encoding = String(headers["content-encoding"] ?? "")
    .trim()
    .toLowerCase();
  if (failure !== undefined || body.length === 0 || !isKnown(encoding)) return exchange;
  try {
    return { ...exchange, body: await UNPACKERS[encoding](body, { maxOutputLength: maxBytes }) };
  } catch (error) {
    const isTooLarge =
      error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
    if (!isTooLarge) return exchange;
    return { ...exchange, body: Buffer.alloc(0), failure: { kind: "too-large" } };
  }
}

/**
 * The data and the names of the fields left out of it, such as `total` or `title`; or what does not
 * match the contract.
 */
type ParsedData<Data> =
  | { readonly ok: true; readonly data: Data; readonly leftOut: readonly string[] }
  | { readonly ok: false; readonly misfits: readonly ContractMismatch[] };

type Form<Data> = Pick<Endpoint<never, Data>, "data" | "paging" | "spareFields">;

interface Flaw {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/**
 * Maximum length of a text in an element, in UTF-16 units. It bounds the work of comparing; no
 * listing needs so much.
 */
export const MAX_TEXT_LENGTH = 1_000_000;

/** Checks the data of an answer by the endpoint's schema. */
export function parseData<Data>(form: Form<Data>, data: unknown): ParsedData<Data> {
  const parsed = form.data.safeParse(data);
  const flaws: readonly Flaw[] = [
    ...(parsed.success ? [] : parsed.error.issues),
    ...(form.paging === undefined ? [] : findLongTexts(data)),
  ];
  if (parsed.success && flaws.length === 0) return { ok: true, data: parsed.data, leftOut: [] };
  const names = flaws.map(({ path }) => toSpareName(form, path));
  if (names.includes(undefined)) return { ok: false, misfits: toMisfits(flaws, data) };
  const again = form.data.safeParse(leaveOut(data, flaws));
  if (!again.success) return { ok: false, misfits: toMisfits(again.error.issues, data) };
  return { ok: true, data: again.data, leftOut: [...new Set(names.map(String))] };
}

const toMisfits = (flaws: readonly Flaw[], data: unknown): readonly ContractMismatch[] =>
  flaws.map(({ path, message }) => toMisfit(["data", ...path], message + nameElement(data, path)));

const MAX_NAME_LENGTH = 100;

const isName = (name: unknown): name is string =>
  typeof name === "string" && name.length <= MAX_NAME_LENGTH;

/** Names the element for the seller: by its code, else by its id. */
function nameElement(data: unknown, [outer, index]: readonly PropertyKey[]): string {
  const items: unknown = isFields(data) && outer === "result" ? data["result"] : undefined;
  const item: unknown = Array.isArray(items) ? items[Number(index)] : undefined;
  const names = isFields(item) ? [item["product_code"], item["id"]] : [];
  const name = names.find(isName);
  return name === undefined ? "" : ` (in "${name}")`;
}

/** The spare field that holds the flaw; `undefined` where the flaw is elsewhere. */
function toSpareName(
  { paging, spareFields = [] }: Form<unknown>,
  [outer, , field]: readonly PropertyKey[],
): string | undefined {
  if (paging === undefined) return undefined;
  if (outer === "total") return "total";
  const name = String(field);
  return outer === "result" && spareFields.includes(name) ? name : undefined;
}

function findLongTexts(data: unknown): readonly Flaw[] {
  const items: unknown = isFields(data) ? data["result"] : undefined;
  if (!Array.isArray(items)) return [];
  const message = `is longer than ${MAX_TEXT_LENGTH} characters`;
  const flaws: Flaw[] = [];
  for (const [index, item] of items.entries()) {
    if (!isFields(item)) continue;
    for (const name of Object.keys(item)) {
      const value = item[name];
      const isLong = typeof value === "string" && value.length > MAX_TEXT_LENGTH;
      if (isLong) flaws.push({ path: ["result", index, name], message });
    }
  }
  return flaws;
}

/**
 * Replaces a wrong `total` by 0, which says nothing, and removes wrong spare fields, as if the
 * listing did not show them.
 */
function leaveOut(data: unknown, flaws: readonly Flaw[]): unknown {
  if (!isFields(data)) return data;
  const fields = new Map<PropertyKey, Set<PropertyKey>>();
  for (const { path } of flaws) {
    const [outer, index, field] = path;
    if (outer !== "result" || index === undefined || field === undefined) continue;
    fields.set(index, (fields.get(index) ?? new Set()).add(field));
  }
  const items: unknown = data["result"];
  const result = Array.isArray(items)
    ? items.map((item: unknown, index) => without(item, fields.get(index)))
    : items;
  const hasTotal = !flaws.some(({ path }) => path[0] === "total");
  return { ...data, result, ...(!hasTotal && { total: 0 }) };
}

function without(item: unknown, fields: ReadonlySet<PropertyKey> | undefined): unknown {
  if (fields === undefined || !isFields(item)) return item;
  return Object.fromEntries(Object.entries(item).filter(([name]) => !fields.has(name)));
}

/** What the exchange was for. */
export interface AnswerContext<Data = unknown> {
  readonly target: Target<Data>;
  readonly kind: CallKind;
  readonly storeId: Id<"store">;
  /** When the answer came, in milliseconds since 1970. */
  readonly now: number;
  readonly redact: Redact;
  /** Called for each field that was left out of the data. */
  readonly onLeftOut?: ((field: string) => void) | undefined;
}

const MIB = 1024 * 1024;

/** Maximum size of a body, both as it arrives and unpacked, in bytes. */
export const MAX_BYTES: Readonly<Record<CallKind, number>> = {
  token: MIB,
  read: 16 * MIB,
  write: MIB,
};

/** Maximum number of bytes of a body that an error repeats. */
const EXCERPT_BYTES = 512;

/** Maximum length of the marketplace's own message that an error repeats, in characters. */
const MESSAGE_LENGTH = 500;

/** Maximum number of misfits that a message lists; the error's `misfits` has all. */
const MESSAGE_MISFITS = 5;

/** Returns the answer's `data`; throws the `ClientError` that describes any other exchange. */
export async function readAnswer<Data>(
  exchange: Exchange,
  context: AnswerContext<Data>,
): Promise<Data> {
  const { failure, status } = exchange;
  if (failure?.kind === "aborted") return Promise.reject(failure.reason);
  if (failure?.kind === "too-large") throw shapeError(exchange, context, "too-large");
  if (failure !== undefined || status === undefined) throw noAnswer(failure, exchange, context);

  const json = parseJson(exchange.body);
  if (status < 200 || status > 299) throw refusal(exchange, context, json);
  if (json === undefined) throw shapeError(exchange, context, "not-json");
  return readData(exchange, context, json);
}

function readData<Data>(exchange: Exchange, context: AnswerContext<Data>, json: unknown): Data {
  if (isTokenRefusal(context, json)) throw refusedToken(exchange, context, json);
  if (!isFields(json)) throw mismatch(exchange, context, [toMisfit([], "is not an object")]);
  if (!Object.hasOwn(json, "data")) {
    throw mismatch(exchange, context, [toMisfit(["data"], "is missing")]);
  }
  const parsed = parseData(context.target.endpoint, json["data"]);
  if (!parsed.ok) throw mismatch(exchange, context, parsed.misfits);
  for (const field of parsed.leftOut) context.onLeftOut?.(field);
  return parsed.data;
}

function mismatch(
  exchange: Exchange,
  context: AnswerContext,
  misfits: readonly ContractMismatch[],
): ShapeError {
  const list = misfits.slice(0, MESSAGE_MISFITS).map(({ path, message }) => `${path}: ${message}`);
  const message = `${context.target.name}: the answer does not fit the contract: ${list.join("; ")}`;
  return new ShapeError(message, {
    ...factsOf(exchange, context),
    reason: "mismatch",
    misfits,
  });
}

function shapeError(
  exchange: Exchange,
  context: AnswerContext,
  reason: "not-json" | "too-large",
): ShapeError {
  const max = `${MAX_BYTES[context.kind] / MIB} MiB`;
  const what =
    reason === "not-json" ? "is not JSON" : `is larger than ${max}, the most that is read`;
  // The parser's own error is left out, because it quotes parts of the body and perhaps half a
  // secret.
  return new ShapeError(`${context.target.name}: the answer ${what} (status ${exchange.status})`, {
    ...factsOf(exchange, context),
    reason,
  });
}

function noAnswer(
  failure: Extract<WireFailure, { kind: "network" | "timeout" }> | undefined,
  exchange: Exchange,
  context: AnswerContext,
): NetworkError {
  const { target } = context;
  const facts = factsOf(exchange, context);
  const reached = `(wire phase: ${exchange.phase})`;
  if (failure?.kind !== "network") {
    const message = `${target.name}: no answer came in time ${reached}`;
    return new NetworkError(message, { ...facts, code: "TIMEOUT" });
  }
  const cause = failure.error;
  const why = cause instanceof Error ? causeOf(cause) : "unknown reason";
  return new NetworkError(`${target.name}: no answer came: ${why} ${reached}`, { ...facts, cause });
}

const causeOf = (error: Error): string =>
  "code" in error && typeof error.code === "string"
    ? describeNetworkCode(error.code).en
    : error.message;

/** Names of the access token in the text of a refusal whose status is not 401. */
const TOKEN_WORDS = /access[_ ]?token|erişim (?:anahtarı|jetonu|tokeni)/iu;

/** Values of `status` in `data` that mean a refusal. */
const REFUSALS: ReadonlySet<unknown> = new Set([false, "error"]);

/**
 * Recognises a refused token in an answer with status 200: `status` says no, or there is no `data`.
 */
function isTokenRefusal({ kind }: AnswerContext, json: unknown): boolean {
  if (kind === "token") return false;
  const inner = isFields(json) ? json["data"] : undefined;
  const isRefused = isFields(inner) ? REFUSALS.has(inner["status"]) : inner === undefined;
  const { en, tr } = readLocalized(json) ?? {};
  return isRefused && TOKEN_WORDS.test(`${en} ${tr}`);
}

function refusedToken(exchange: Exchange, context: AnswerContext, json: unknown): AuthError {
  const facts = { ...factsOf(exchange, context), localized: readLocalized(json) };
  const words = facts.localized?.en ?? facts.localized?.tr ?? "";
  const { name } = context.target;
  return new AuthError(
    `${name}: the access token was refused (status ${facts.status}): ${words}`,
    facts,
  );
}

/** The error for a status other than 2xx. */
function refusal(exchange: Exchange, context: AnswerContext, json: unknown): ClientError {
  const localized = readLocalized(json) ?? readPlain(exchange, json);
  const facts = { ...factsOf(exchange, context), localized };
  const words = localized?.en ?? localized?.tr;
  return toError(words === undefined ? "" : `: ${words}`, context, facts);
}

function toError(
  text: string,
  context: AnswerContext,
  facts: ErrorFacts & AnswerFacts,
): ClientError {
  const { status, localized } = facts;
  const { name } = context.target;
  const meaning = meaningOf(status, context.kind, localized);
  if (meaning === "grant") return notGranted(text, context, facts);
  if (meaning === "credentials") {
    return new AuthError(`The client key or secret was refused (status ${status})${text}`, facts);
  }
  if (meaning === "token") {
    return new AuthError(`${name}: the access token was refused (status ${status})${text}`, facts);
  }
  const isLimit = meaning === "limit" ? true : undefined;
  const isMissingRecord = status === 404 && localized !== undefined && namesRecord(context.target);
  return new ApiError(`${name} was refused with status ${status}${text}`, {
    ...facts,
    isLimit,
    isMissingRecord,
  });
}

/** Whether a call needs the id of a record, which the marketplace may not have. */
const namesRecord = ({ endpoint }: Target): boolean =>
  (endpoint.input.safeParse({}).error?.issues ?? []).some(({ path: [name] }) =>
    String(name).endsWith("_id"),
  );

function meaningOf(
  status: number,
  kind: CallKind,
  localized: Partial<Localized> | undefined,
): "credentials" | "token" | "grant" | "limit" | "other" {
  const reason = status === 403 ? reasonOf(localized) : undefined;
  if (reason === "limit") return "limit";
  if (kind === "token") return isLastWord(status) ? "credentials" : "other";
  if (status === 401) return "token";
  return status === 403 ? (reason ?? "grant") : "other";
}

/**
 * The cause of a 403 other than a missing permission, which only the text of the answer can show.
 */
function reasonOf(localized: Partial<Localized> | undefined): "limit" | "token" | undefined {
  const words = `${localized?.en ?? ""} ${localized?.tr ?? ""}`;
  if (LIMIT_WORDS.test(words)) return "limit";
  // A token that lacks a permission is valid; another one would be refused as well.
  return TOKEN_WORDS.test(words) && !GRANT_WORDS.test(words) ? "token" : undefined;
}

const LIMIT_WORDS =
  /too many requests|(?:rate|hourly|request)[ -]limit|quota|çok fazla istek|(?:istek|saatlik) (?:\S+ )?(?:sınırı|limiti)|kota/iu;

const GRANT_WORDS = /permission|permitted|grant|\bizin|\bizni|yetki/iu;

/** Makes the error that names who can grant the call: the store's owner or the platform. */
function notGranted(
  text: string,
  { target, storeId: store }: AnswerContext,
  facts: ErrorFacts & AnswerFacts,
): PermissionError {
  const { section: service, permission } = target.endpoint;
  const storeId = permission === "store" ? store : undefined;
  const who = storeId === undefined ? "The platform" : `Store ${storeId}`;
  const what = `"${service}", a ${permission} service, to this application`;
  const message = `${target.name}: ${who} has not granted ${what}${text}`;
  return new PermissionError(message, { ...facts, service, storeId });
}

/** Whether asking again cannot change a refusal with this status. */
function isLastWord(status: number): boolean {
  return status >= 400 && !isTransientStatus(status);
}

/**
 * Facts for an error about this exchange. Nothing of a login's answer is repeated, because any part
 * of it may hold a token. A login that fails, however far it got, leaves the call that needed it
 * unsent.
 */
function factsOf(exchange: Exchange, context: AnswerContext): ErrorFacts & AnswerFacts {
  const { headers, phase, body, status = 0 } = exchange;
  const { kind, now, redact, target } = context;
  return {
    endpoint: target.name,
    phase: kind === "token" ? "none" : phase,
    redact,
    status,
    contentType: first(headers, "content-type"),
    retryAfterMs: readRetryAfter(headers, now),
    excerpt: kind === "token" ? undefined : excerptOf(body, redact),
  };
}

/** The start of the body as text, redacted before it is cut so that no half of a secret remains. */
function excerptOf(body: Uint8Array, redact: Redact): string {
  const text = redact(new TextDecoder().decode(body));
  const start = Buffer.from(text).subarray(0, EXCERPT_BYTES).toString();
  // A character that is cut in two decodes to a replacement character that is longer than the
  // removed bytes.
  return start.replace(/\uFFFD{1,3}$/u, "");
}

/**
 * Reads `message` and `message_tr`, within `data` or beside it, or a text in one of the other
 * places that services commonly use: the specification shows no error answer (section Errors).
 */
function readLocalized(json: unknown): Partial<Localized> | undefined {
  const outer = isFields(json) ? json : {};
  const errors: unknown = outer["errors"];
  const candidates: readonly unknown[] = [
    outer["data"],
    outer,
    outer["error"],
    Array.isArray(errors) ? errors[0] : errors,
  ];
  const read = (name: string): string | undefined =>
    firstText(candidates.map((candidate) => (isFields(candidate) ? candidate[name] : undefined)));
  const plain = typeof outer["error"] === "string" ? outer["error"] : undefined;
  return toLocalized(read("message") ?? firstText([plain]), read("message_tr"));
}

/** The message in both languages; `undefined` when the marketplace gave none. */
export function toLocalized(
  en: string | null | undefined,
  tr: string | null | undefined,
): Partial<Localized> | undefined {
  return en || tr ? { ...(tr && { tr }), ...(en && { en }) } : undefined;
}

/** Reads a refusal that is one line of text; a page is ignored. */
function readPlain({ body }: Exchange, json: unknown): Partial<Localized> | undefined {
  if (json !== undefined) return undefined;
  const text = new TextDecoder().decode(body).trim();
  return text.startsWith("<") ? undefined : toLocalized(firstText([text]), undefined);
}

function firstText(values: readonly unknown[]): string | undefined {
  const text = values.find((value) => typeof value === "string" && value.trim() !== "");
  return typeof text === "string" ? text.trim().slice(0, MESSAGE_LENGTH) : undefined;
}

/**
 * How long an answer asks to wait, in milliseconds from `now` on; `undefined` where it does not
 * say.
 */
export function readRetryAfter(headers: WireHeaders, now: number): number | undefined {
  return parseRetryAfter(first(headers, "retry-after"), now);
}

function first(headers: WireHeaders, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** The parsed JSON text; `undefined` when the bytes are not JSON or not UTF-8. */
function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    return undefined;
  }
}
