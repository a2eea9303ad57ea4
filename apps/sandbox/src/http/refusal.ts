/**
 * A refusal by the marketplace, thrown anywhere and turned into an answer in one place; a page of a
 * listing; and whether the sender of a call is still there.
 */

import type { Socket } from "node:net";

import { DEFAULT_PAGE_SIZE, type Page, type PageQuery } from "@catalog/contract";
import * as z from "zod";

/** A text for people, in both languages of the marketplace. */
export interface Message {
  readonly en: string;
  readonly tr: string;
}

interface RefusalOptions {
  /** HTTP status of the answer. */
  readonly httpStatus: number;
  readonly message: Message;
  /** `data.status` of the answer. @default false */
  readonly status?: false | "error";
  readonly headers?: Readonly<Record<string, string>>;
  /** The reason, for personalities that word some refusals differently. @default "other" */
  readonly reason?: RefusalReason;
}

type RefusalReason = "auth" | "hourly-limit" | "other";

export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly httpStatus: number;
  readonly status: false | "error";
  readonly messageTr: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly reason: RefusalReason;

  constructor(options: RefusalOptions) {
    const { httpStatus, message, status = false, headers = {}, reason = "other" } = options;
    super(message.en);
    this.httpStatus = httpStatus;
    this.status = status;
    this.messageTr = message.tr;
    this.headers = headers;
    this.reason = reason;
  }
}

/** One field of the input and the rule that it breaks. */
export interface FieldProblem {
  readonly field: string;
  readonly message: Message;
}

/** A refusal that names every wrong field. */
export function createInputRefusal(problems: readonly FieldProblem[]): Refusal {
  const join = (language: keyof Message): string =>
    problems.map(({ field, message }) => `${field}: ${message[language]}`).join("; ");
  return new Refusal({
    httpStatus: 400,
    message: { en: `Invalid input: ${join("en")}`, tr: `Geçersiz girdi: ${join("tr")}` },
  });
}

/** A refusal for a missing thing that the path or the body names. */
export function createMissingRefusal(what: Message): Refusal {
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
  const message: Message = { en, tr: STATUS_MESSAGES_TR[httpStatus] ?? "İstek geçersiz" };
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
