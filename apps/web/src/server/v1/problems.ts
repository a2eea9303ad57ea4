/** Failures as programs read them: problem details of RFC 9457, with the stable code. */

import { STATUS_CODES } from "node:http";

import type { Lang } from "@catalog/i18n";
import type { FastifyInstance, FastifyRequest } from "fastify";

import type { Problem } from "../../api/session.ts";
import { type DescribeError, describeFailure } from "../failures.ts";
import { RequestError } from "../site.ts";
import type { ProblemDocument } from "./schemas.ts";

/** English, unless a program asks for Turkish. */
export const langOf = ({ headers }: FastifyRequest): Lang =>
  /^\s*tr\b/iu.test(headers["accept-language"] ?? "") ? "tr" : "en";

/** After so long, a place that is taken may be free. */
const BUSY_SECONDS = 5;

interface AnswersOptions {
  readonly describeError: DescribeError;
  readonly onBug: (error: unknown) => void;
  /** Notes what a program was not allowed to do. @default it is not noted */
  readonly onRefused?: (request: FastifyRequest, code: string) => Promise<void>;
}

/** Has the failures of a scope answered so, and no answer of it kept by a cache. */
export function addProblemAnswers(
  app: FastifyInstance,
  { describeError, onBug, onRefused }: AnswersOptions,
): void {
  app.addHook("onSend", async (_request, reply) => {
    if (!reply.hasHeader("cache-control")) reply.header("cache-control", "no-store");
  });
  app.setErrorHandler(async (error: unknown, request, reply) => {
    const { isBug, status, problem } = describeFailure(error, langOf(request), describeError);
    if (isBug) onBug(error);
    if (status === 401) reply.header("www-authenticate", "Bearer");
    // What the client still sends of a refused body is not read.
    if (status === 413) reply.header("connection", "close");
    if (status === 429 && !reply.hasHeader("retry-after"))
      reply.header("retry-after", BUSY_SECONDS);
    if (status === 403) await onRefused?.(request, problem.code);
    await reply
      .status(status)
      .type("application/problem+json")
      .send(JSON.stringify(toProblemDocument(status, problem)));
  });
}

const toProblemDocument = (status: number, { code, message }: Problem): ProblemDocument => ({
  type: "about:blank",
  title: STATUS_CODES[status] ?? String(status),
  status,
  detail: message,
  code,
});

export const noKey = (): RequestError =>
  new RequestError(401, "E_KEY", {
    tr: "Anahtar yok, geçersiz ya da sona ermiş. Authorization: Bearer ctk_… gönderin; anahtarı yönetici Ayarlar'da oluşturur.",
    en: "There is no key, or it is wrong or has ended. Send Authorization: Bearer ctk_…; an administrator makes keys in the settings.",
  });

export const noRole = (): RequestError =>
  new RequestError(403, "E_ROLE", {
    tr: "Bu anahtarın bu mağazadaki rolü buna yetmiyor.",
    en: "The role of this key in this store is not enough for that.",
  });

export const noStore = (): RequestError =>
  new RequestError(404, "E_STORE_UNKNOWN", {
    tr: "Bu anahtarın böyle bir mağazası yok.",
    en: "This key has no such store.",
  });

export const nothingHere = (): RequestError =>
  new RequestError(404, "E_NOT_FOUND", {
    tr: "Bu adreste bir şey yok; adresler /v1/docs sayfasında.",
    en: "There is nothing at this address; /v1/docs has the addresses.",
  });

export const bodyType = (): RequestError =>
  new RequestError(415, "E_BODY_TYPE", {
    tr: "Gövde JSON olmalı (Content-Type: application/json).",
    en: "The body must be JSON (Content-Type: application/json).",
  });

export const badRepeatKey = (): RequestError =>
  new RequestError(400, "E_IDEMPOTENCY_KEY", {
    tr: "Idempotency-Key 1 ile 200 arasında, boşluksuz ASCII karakter olmalı.",
    en: "An Idempotency-Key has 1 to 200 ASCII characters without blanks.",
  });

export const tooOften = (): RequestError =>
  new RequestError(429, "E_TOO_MANY_REQUESTS", {
    tr: "Bu anahtarla çok sık istek geldi. Retry-After kadar saniye bekleyip yeniden deneyin.",
    en: "This key has sent too many requests. Wait for the seconds of Retry-After and try again.",
  });

export const rowsRefused = (
  refused: readonly { readonly row: number; readonly message: string }[],
): RequestError => {
  const rows = refused.map(({ row }) => row).join(", ");
  return new RequestError(409, "E_ROWS_REFUSED", {
    tr: `Bu satırlar gönderilemez (${rows}): ${refused[0]?.message ?? ""} Hiçbir şey gönderilmedi.`,
    en: `These rows cannot be sent (${rows}): ${refused[0]?.message ?? ""} Nothing was sent.`,
  });
};
