/**
 * Answers of the marketplace: pages, refusals, which are thrown anywhere and sent in one place, and
 * what a personality makes of both. Also whether the sender of a call is still there.
 */

import type { Socket } from "node:net";

import { DEFAULT_PAGE_SIZE, type Endpoint, type Page, type PageQuery } from "@catalog/contract";
import type { Localized } from "@catalog/i18n";
import * as z from "zod";

import type { Behavior } from "../behavior/behavior-settings.ts";
import { pickNumber } from "../catalog/names.ts";

interface RefusalOptions {
  /** HTTP status of the answer. */
  readonly httpStatus: number;
  readonly message: Localized;
  /** `data.status` of the answer. @default false */
  readonly status?: false | "error";
  /** The field of `data` that has `status`. @default "status" */
  readonly says?: "status" | "success";
  readonly headers?: Readonly<Record<string, string>>;
  /** The reason, for personalities that word some refusals differently. @default "other" */
  readonly reason?: RefusalReason;
}

type RefusalReason = "auth" | "hourly-limit" | "wrong-move" | "other";

export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly httpStatus: number;
  readonly status: false | "error";
  readonly says: "status" | "success";
  readonly messageTr: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly reason: RefusalReason;

  constructor(options: RefusalOptions) {
    const { httpStatus, message, status = false, says = "status" } = options;
    const { headers = {}, reason = "other" } = options;
    super(message.en);
    this.httpStatus = httpStatus;
    this.status = status;
    this.says = says;
    this.messageTr = message.tr;
    this.headers = headers;
    this.reason = reason;
  }
}

/** One field of the input and the rule that it breaks. */
export interface FieldProblem {
  readonly field: string;
  readonly message: Localized;
}

/** A refusal that names every wrong field. */
export function createInputRefusal(problems: readonly FieldProblem[]): Refusal {
  const join = (language: keyof Localized): string =>
    problems.map(({ field, message }) => `${field}: ${message[language]}`).join("; ");
  return new Refusal({
    httpStatus: 400,
    message: { en: `Invalid input: ${join("en")}`, tr: `Geçersiz girdi: ${join("tr")}` },
  });
}

/** A refusal for a missing thing that the path or the body names. */
export function createMissingRefusal(what: Localized): Refusal {
  return new Refusal({
    httpStatus: 404,
    message: { en: `${what.en} not found`, tr: `${what.tr} bulunamadı` },
  });
}

/** Parses input by its schema; throws a refusal that names the fields in both languages. */
export function parseInput<Input>(schema: z.ZodType<Input>, raw: unknown): Input {
  const english = schema.safeParse(raw);
  if (english.success) return english.data;
  const turkish = schema.safeParse(raw, { error: z.locales.tr().localeError });
  throw createInputRefusal(
    english.error.issues.map((issue, index) => ({
      field: issue.path.join(".") || "body",
      message: {
        en: issue.message,
        tr: turkish.error?.issues[index]?.message ?? issue.message,
      },
    })),
  );
}

const STATUS_MESSAGES_TR: Readonly<Record<number, string>> = {
  400: "İstek okunamadı",
  413: "İstek gövdesi çok büyük",
  415: "İstek gövdesi JSON olmalı",
  500: "Beklenmeyen bir hata oluştu",
};

/**
 * Turns an error into a refusal. The server's own errors have an HTTP status; any other error is a
 * bug of the sandbox.
 */
export function toRefusal(error: unknown, fallbackStatus = 500): Refusal {
  if (error instanceof Refusal) return error;
  const en = error instanceof Error ? error.message : String(error);
  const httpStatus =
    error instanceof Error && "statusCode" in error && typeof error.statusCode === "number"
      ? error.statusCode
      : fallbackStatus;
  const message: Localized = { en, tr: STATUS_MESSAGES_TR[httpStatus] ?? "İstek geçersiz" };
  return new Refusal({ httpStatus, message });
}

/** Items of which a part is read; every array is one. */
export interface Items<Item> {
  readonly length: number;
  slice(start: number, end: number): readonly Item[];
}

/** Returns the requested page; one after the last is empty and has the right total. */
export function toPage<Item>(items: Items<Item>, query: PageQuery): Page<Item> {
  const { limit = DEFAULT_PAGE_SIZE, page = 1 } = query;
  const start = (page - 1) * limit;
  return { total: items.length, result: items.slice(start, start + limit) };
}

/**
 * Calls back once when the sender is gone, at once where it is already, and returns a function that
 * ends the watch. The server keeps half-open connections, so only the end of the sender's half
 * shows that it is gone.
 */
export function watchSender(socket: Socket, onGone: () => void): () => void {
  if (socket.destroyed || socket.readableEnded) {
    onGone();
    return () => undefined;
  }
  const stop = (): void => {
    for (const event of ["end", "close"]) socket.off(event, tell);
  };
  const tell = (): void => {
    stop();
    onGone();
  };
  for (const event of ["end", "close"]) socket.on(event, tell);
  return stop;
}

/** One checked call and the function that answers it. */
interface AnsweredCall {
  /** Group and name in the table, such as "product.list". */
  readonly name: string;
  readonly endpoint: Pick<Endpoint<unknown, unknown>, "paging">;
  readonly input: unknown;
  /** Answers the input; may be called again with another page. */
  readonly answer: (input: unknown) => unknown;
}

type Fields = Readonly<Record<string, unknown>>;

/** Answers the call by this personality; throws refusals as handlers do. */
export function shapeAnswer(call: AnsweredCall, behavior: Behavior): unknown {
  const data = answerPage(call, behavior);
  if (!isFields(data)) return data;
  if (call.name === "product.search" && behavior["product-search"] === "nonsense")
    return shapeNonsense(data, call.input);
  if (call.name === "token.create") return shapeToken(data, behavior["expires-at"]);
  if (!isPage(data)) return data;
  const isShaped = behavior.prices !== "minor" || behavior.images !== "strings";
  const shapesItems = isShaped && call.name.startsWith("product.");
  return shapePage(data, shapesItems ? (item) => shapeProduct(item, behavior) : keep, behavior);
}

/** A search that answers nonsense has another shape most of the time. */
function shapeNonsense(data: Fields, input: unknown): Fields {
  const shapes = [
    data,
    { total: "çok", result: { first: data["result"] } },
    { total: 3, result: [7, null, { id: [], title: { tr: "Tava" }, category_id: 12 }] },
  ];
  return shapes[pickNumber(shapes.length, "shape", JSON.stringify(input))] ?? data;
}

/** Number of elements that `total=too-high` adds to the total. */
const PHANTOMS = 7;

function shapePage(
  data: PageFields,
  shapeItem: (item: unknown) => unknown,
  behavior: Behavior,
): Fields {
  const totals = {
    right: data.total,
    "this-page": data.result.length,
    "too-high": data.total + PHANTOMS,
    zero: 0,
    half: Math.floor(data.total / 2),
    text: String(data.total),
  };
  return { ...data, total: totals[behavior.total], result: data.result.map(shapeItem) };
}

const keep = (item: unknown): unknown => item;

const CAP = 20;

/** Answers a page; past the end of the listing the personality decides, except for page 1. */
function answerPage(call: AnsweredCall, behavior: Behavior): unknown {
  const { endpoint, answer } = call;
  const cap = behavior["page-cap"];
  const input = cap === "20" ? withCap(call) : call.input;
  const data = answer(input);
  const { paging } = endpoint;
  if (paging === undefined || !isFields(input) || !isFields(data) || !isPage(data)) return data;
  const limit = numberOr(input["limit"], paging.defaultSize);
  const page = numberOr(input["page"], 1);
  const last = Math.max(1, Math.ceil(data.total / limit));
  const past = page > last ? behavior["page-past-end"] : "empty";
  if (past === "error") throw createMissingRefusal({ en: "Page", tr: "Sayfa" });
  const shown = past === "empty" ? data : answer({ ...input, page: last });
  return cap === "20-of-asked" ? cutOff(shown) : shown;
}

const cutOff = (data: unknown): unknown =>
  isFields(data) && isPage(data) ? { ...data, result: data.result.slice(0, CAP) } : data;

function withCap({ endpoint, input }: AnsweredCall): unknown {
  if (endpoint.paging === undefined || !isFields(input)) return input;
  const limit = Math.min(CAP, numberOr(input["limit"], endpoint.paging.defaultSize));
  return { ...input, limit };
}

const TURKISH_OFFSET_MS = 3 * 60 * 60 * 1000;

function shapeToken(data: Fields, format: Behavior["expires-at"]): Fields {
  const timestamp = Date.parse(String(data["expires_at"]));
  const formats = {
    iso: data["expires_at"],
    seconds: Math.floor(timestamp / 1000),
    milliseconds: timestamp,
    "local-text": new Date(timestamp + TURKISH_OFFSET_MS)
      .toISOString()
      .slice(0, "2025-06-01T06:00:00".length)
      .replace("T", " "),
  };
  return { ...data, expires_at: formats[format] };
}

function shapeProduct(item: unknown, { prices, images }: Behavior): unknown {
  if (!isFields(item)) return item;
  const shaped = Object.entries(item).map(([name, value]) => {
    if (isMoney(name, item)) return [name, shapePrice(value, prices)];
    if (name === "images" && images === "objects") return [name, toObjects(value)];
    return [name, value];
  });
  return Object.fromEntries(shaped);
}

/**
 * Whether a field is an amount: a discount unless it is a rate, and not a shipping price that the
 * specification gives as text.
 */
function isMoney(name: string, item: Fields): boolean {
  if (name === "discount_value") return item["discount_type"] !== 2;
  return MONEY_FIELDS.has(name);
}

const MONEY_FIELDS: ReadonlySet<string> = new Set([
  "price",
  "paid_price",
  "discount_amount",
  "shipping_price",
]);

function shapePrice(value: unknown, prices: Behavior["prices"]): unknown {
  if (typeof value !== "number" || prices === "minor") return value;
  return prices === "major" ? value / 100 : (value / 100).toFixed(2);
}

function toObjects(images: unknown): unknown {
  return Array.isArray(images) ? images.map((url, index) => ({ url, order: index + 1 })) : images;
}

interface PageFields extends Fields {
  readonly total: number;
  readonly result: readonly unknown[];
}

const isPage = (data: Fields): data is PageFields =>
  typeof data["total"] === "number" && Array.isArray(data["result"]);

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const numberOr = (value: unknown, fallback: number): number =>
  typeof value === "number" ? value : fallback;

/** A refusal as it is sent; "silence" ends the connection without an answer. */
type ShapedRefusal =
  | {
      readonly httpStatus: number;
      readonly headers: Readonly<Record<string, string>>;
      /** A string is sent as it is, anything else as JSON. */
      readonly body: unknown;
    }
  | "silence";

/** Shapes the refusal by this personality. */
export function shapeRefusal(refusal: Refusal, behavior: Behavior): ShapedRefusal {
  const told = httpRefusalOf(refusal, behavior);
  return told === "silence" ? told : { ...told, body: toBody(refusal, behavior["error-body"]) };
}

type HttpRefusal =
  | "silence"
  | { readonly httpStatus: number; readonly headers: Readonly<Record<string, string>> };

function httpRefusalOf({ reason, httpStatus, headers }: Refusal, behavior: Behavior): HttpRefusal {
  const limits = {
    "429-retry-after": { httpStatus, headers },
    "429": { httpStatus, headers: {} },
    "403": { httpStatus: 403, headers: {} },
    silent: "silence",
  } as const;
  if (reason === "hourly-limit") return limits[behavior["hourly-limit"]];
  return {
    httpStatus: reason === "auth" ? Number(behavior["auth-error"]) : httpStatus,
    headers,
  };
}

function toBody(refusal: Refusal, shape: Behavior["error-body"]): unknown {
  const { httpStatus, status, says, message, messageTr: message_tr } = refusal;
  const bodies = {
    data: { data: { [says]: status, message, message_tr } },
    "error-object": { error: { code: `E${httpStatus}`, message, message_tr } },
    "errors-list": { errors: [{ message, message_tr }] },
    text: message,
    empty: "",
  };
  return bodies[shape];
}
