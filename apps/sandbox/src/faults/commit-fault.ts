/** Carries out a call with the faults of the plan. */

import type { Socket } from "node:net";

import type { Clock } from "@catalog/clock";
import type { Localized } from "@catalog/i18n";
import type { FastifyReply } from "fastify";

import { Refusal, watchSender } from "../http/answers.ts";
import type { Fault, FaultKind } from "./fault.ts";

/** An authorized call before its answer. */
interface FaultyCall {
  /** Name of the endpoint, such as "product.add". */
  readonly name: string;
  readonly reply: FastifyReply;
  /** Carries out the call and returns the body of the answer; throws refusals. */
  readonly answer: () => unknown;
  /** Ends the token of the call, and throws the refusal of a call with it. */
  readonly refuseToken: () => void;
}

export interface FaultTime {
  readonly clock: Clock;
  /** Aborts all waits. */
  readonly closing: AbortSignal;
}

const DEFAULT_MS = 1000;
const DEFAULT_STATUS = 503;
const DEFAULT_REFUSED_STATUS = 422;

const PAGE =
  "<!doctype html><html><head><title>Bakım</title></head><body>Bakımdayız.</body></html>";

/**
 * Answers the call with its faults: every latency is waited for, then the first other fault
 * decides. Returns the body of the answer, or the reply after writing to it directly.
 */
export async function answerWithFaults(
  faults: readonly Fault[],
  call: FaultyCall,
  time: FaultTime,
): Promise<unknown> {
  for (const { kind, ms = DEFAULT_MS } of faults) {
    if (kind === "latency") await time.clock.sleep(ms, time.closing);
  }
  const fault = faults.find(({ kind }) => kind !== "latency");
  return fault === undefined ? call.answer() : COMMITS[fault.kind](call, fault, time);
}

type Commit = (call: FaultyCall, fault: Fault, time: FaultTime) => unknown;

const COMMITS: Readonly<Record<FaultKind, Commit>> = {
  latency: ({ answer }) => answer(),
  "too-many": (_, { ms }) => refuse(createTooManyRefusal(ms)),
  "token-refused": ({ refuseToken }) => refuseToken(),
  "error-before": (_, fault) => refuse(createOutage(fault)),
  "error-after": ({ answer }, fault) => {
    carryOut(answer);
    return refuse(createOutage(fault));
  },
  "refused-after": ({ answer, name }, fault) => {
    carryOut(answer);
    return refuse(createLateRefusal(name, fault));
  },
  "reset-before": ({ reply }) => resetConnection(reply),
  "reset-after": ({ answer, reply }) => {
    carryOut(answer);
    return resetConnection(reply);
  },
  "truncated-with-length": truncate,
  "truncated-without-length": truncate,
  html: ({ answer, reply }) => {
    carryOut(answer);
    return reply.type("text/html; charset=utf-8").send(PAGE);
  },
  never: ({ reply }) => {
    const { socket } = reply.raw;
    if (socket !== null) watchSender(socket, () => socket.destroy());
    return reply.hijack();
  },
  "late-effect": applyLate,
};

function refuse(refusal: Refusal): never {
  throw refusal;
}

/** Carries out the call without an answer; a call that would be refused has no effect. */
function carryOut(answer: FaultyCall["answer"]): void {
  try {
    answer();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
}

const TOO_MANY: Localized = { en: "Too many requests", tr: "Çok fazla istek" };

function createTooManyRefusal(ms: number | undefined): Refusal {
  return new Refusal({ httpStatus: 429, headers: toRetryAfter(ms), message: TOO_MANY });
}

const toRetryAfter = (ms: number | undefined): Readonly<Record<string, string>> =>
  ms === undefined ? {} : { "retry-after": String(Math.ceil(ms / 1000)) };

/** Texts of a refusal after the effect that are the same for every endpoint, by status. */
const LATE_MESSAGES: Readonly<Record<number, Localized>> = {
  401: { en: "The access token is not valid", tr: "Erişim anahtarı geçerli değil" },
  403: { en: "No permission for this call", tr: "Bu çağrı için yetki yok" },
  404: { en: "Not found", tr: "Bulunamadı" },
  429: TOO_MANY,
};

const OK = 200;
const CONFLICT = 409;

/** Texts of other refusals by the group of the endpoint: of a conflict, and of any other status. */
const LATE_GROUP_MESSAGES: Readonly<Record<string, readonly [Localized, Localized]>> = {
  product: [
    { en: "The product code is already in use", tr: "Ürün kodu zaten kullanılıyor" },
    { en: "The product was not accepted", tr: "Ürün kabul edilmedi" },
  ],
  question: [
    { en: "The question has been answered", tr: "Soru daha önce yanıtlandı" },
    { en: "The answer was not accepted", tr: "Yanıt kabul edilmedi" },
  ],
  order: [
    { en: "The package has another status", tr: "Paketin durumu uygun değil" },
    { en: "The package was not changed", tr: "Paket değiştirilmedi" },
  ],
  shipping: [
    { en: "The package has a shipping code", tr: "Paketin kargo kodu var" },
    { en: "No shipping code was generated", tr: "Kargo kodu oluşturulmadı" },
  ],
};
const OTHER_GROUP_MESSAGES: readonly [Localized, Localized] = [
  { en: "It is already there", tr: "Zaten var" },
  { en: "The call was not accepted", tr: "Çağrı kabul edilmedi" },
];

/** Groups whose answers with 200 have `success` instead of `status`. */
const SUCCESS_GROUPS: ReadonlySet<string> = new Set(["question", "shippingTemplate"]);

function createLateRefusal(name: string, { status = DEFAULT_REFUSED_STATUS, ms }: Fault): Refusal {
  const [group = ""] = name.split(".");
  const [conflict, other] = LATE_GROUP_MESSAGES[group] ?? OTHER_GROUP_MESSAGES;
  const message = LATE_MESSAGES[status] ?? (status === CONFLICT ? conflict : other);
  return new Refusal({
    httpStatus: status,
    headers: toRetryAfter(ms),
    message,
    says: status === OK && SUCCESS_GROUPS.has(group) ? "success" : "status",
  });
}

function createOutage({ status = DEFAULT_STATUS }: Fault): Refusal {
  const message = { en: "The service is not available", tr: "Hizmet kullanılamıyor" };
  return new Refusal({ httpStatus: status, message });
}

/** Resets the connection (TCP RST) instead of closing it. */
function resetConnection(reply: FastifyReply): FastifyReply {
  reply.hijack();
  reply.raw.socket?.resetAndDestroy();
  return reply;
}

function truncate({ reply, answer }: FaultyCall, { kind }: Fault): FastifyReply {
  const body = Buffer.from(JSON.stringify(answer()));
  const half = body.subarray(0, Math.ceil(body.length / 2));
  reply.hijack();
  const { raw } = reply;
  raw.setHeader("content-type", "application/json; charset=utf-8");
  raw.setHeader("connection", "close");
  if (kind === "truncated-without-length") {
    // Without length and chunks, the end of the connection is the end of the body.
    raw.useChunkedEncodingByDefault = false;
    raw.removeHeader("transfer-encoding");
    raw.end(half);
    return reply;
  }
  raw.setHeader("content-length", body.length);
  raw.write(half, () => raw.socket?.destroySoon());
  return reply;
}

async function applyLate(
  { reply, answer }: FaultyCall,
  { ms = DEFAULT_MS }: Fault,
  { clock, closing }: FaultTime,
): Promise<FastifyReply> {
  reply.hijack();
  const { socket } = reply.raw;
  if (socket !== null) await senderGone(socket);
  // The effect is not applied if the sandbox has closed meanwhile.
  try {
    await clock.sleep(ms, closing);
  } catch (error) {
    if (!closing.aborted) throw error;
    return reply;
  }
  carryOut(answer);
  return reply;
}

async function senderGone(socket: Socket): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  watchSender(socket, resolve);
  await promise;
  socket.destroy();
}
