/** Whether the marketplace answers, lets us in and shows the store, and whether clocks agree. */

import { type Client } from "@catalog/client";
import { type Clock } from "@catalog/clock";

import { describeFailure } from "../failure.ts";
import { type Check, type Words } from "./check.ts";

export interface ReachOptions {
  readonly baseUrl: string;
  readonly fetch: typeof fetch;
  readonly clock: Clock;
  readonly stop: AbortSignal;
}

const UNREACHABLE = 6;
const LONGEST_WAIT_MS = 10_000;

/** A token's validity is told by the marketplace's clock and kept by ours. */
const MOST_SKEW_MS = 30_000;

const ADDRESS: Words = { tr: "Bağlantı", en: "Connection" };
const CLOCK: Words = { tr: "Saat", en: "Clock" };

/** Any answer will do: it is the token call that tells whether this is the marketplace. */
export async function checkReach(options: ReachOptions): Promise<readonly Check[]> {
  const { baseUrl, clock, stop } = options;
  const startedAt = clock.now();
  const signal = AbortSignal.any([stop, AbortSignal.timeout(LONGEST_WAIT_MS)]);
  try {
    const { headers } = await options.fetch(baseUrl, {
      method: "HEAD",
      redirect: "manual",
      signal,
    });
    const endedAt = clock.now();
    const tookMs = endedAt - startedAt;
    const found = { tr: `yanıt ${tookMs} ms`, en: `answered in ${tookMs} ms` };
    const reached: Check = { name: "connection", state: "ok", label: ADDRESS, found };
    return [reached, checkClock(headers.get("date"), (startedAt + endedAt) / 2)];
  } catch (error) {
    stop.throwIfAborted();
    return [unreachable(error), skipped("clock", CLOCK)];
  }
}

function unreachable(error: unknown): Check {
  const reason = reasonOf(error);
  return {
    name: "connection",
    state: "fail",
    label: ADDRESS,
    found: { tr: `ulaşılamadı (${reason})`, en: `not reached (${reason})` },
    fix: {
      tr: "Adresi, internet bağlantısını ve varsa vekil sunucuyu ya da güvenlik duvarını kontrol edin.",
      en: "Check the address, the connection, and any proxy or firewall.",
    },
    exit: UNREACHABLE,
  };
}

/** The cause says what `fetch failed` does not. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (cause instanceof Error) {
    return "code" in cause && typeof cause.code === "string" ? cause.code : cause.message;
  }
  return error.name === "TimeoutError" ? `> ${LONGEST_WAIT_MS / 1000} s` : error.message;
}

function checkClock(date: string | null, nowMs: number): Check {
  const theirs = Date.parse(date ?? "");
  if (Number.isNaN(theirs)) return skipped("clock", CLOCK);
  const seconds = Math.round((nowMs - theirs) / 1000);
  const isOff = Math.abs(nowMs - theirs) > MOST_SKEW_MS;
  return {
    name: "clock",
    state: isOff ? "warn" : "ok",
    label: CLOCK,
    found: {
      tr: `pazaryerinin saatinden farkı ${seconds} sn`,
      en: `${seconds} s from the marketplace's`,
    },
    fix: {
      tr: "Bilgisayarın saatini internetten eşitleyin; yoksa oturumların süresi yanlış hesaplanır.",
      en: "Let the machine set its clock from the network, or logins are thought to last too long or too short.",
    },
  };
}

const TOKEN: Words = { tr: "Oturum", en: "Login" };
const PERMISSION: Words = { tr: "Mağaza izni", en: "Store permission" };

/** A token, and one listing with it. */
export async function checkAccess(
  client: Pick<Client, "login" | "product">,
  stop: AbortSignal,
): Promise<readonly Check[]> {
  try {
    await client.login({ signal: stop });
  } catch (error) {
    stop.throwIfAborted();
    return [failed("token", TOKEN, error), skipped("permission", PERMISSION)];
  }
  const token: Check = { name: "token", state: "ok", label: TOKEN, found: ACCEPTED };
  try {
    const { total } = await client.product.list({ limit: 1 }, { signal: stop });
    const found = { tr: `${total} onaylı ürün`, en: `${total} approved products` };
    return [token, { name: "permission", state: "ok", label: PERMISSION, found }];
  } catch (error) {
    stop.throwIfAborted();
    return [token, failed("permission", PERMISSION, error)];
  }
}

/** Nothing can be asked where there is no client. */
export function skipAccess(): readonly Check[] {
  return [skipped("token", TOKEN), skipped("permission", PERMISSION)];
}

/** Nothing can be asked where there is no address. */
export function skipReach(): readonly Check[] {
  return [skipped("connection", ADDRESS), skipped("clock", CLOCK)];
}

const ACCEPTED: Words = { tr: "kabul edildi", en: "accepted" };

function failed(name: string, label: Words, error: unknown): Check {
  const { exit, text: tr } = describeFailure(error, "tr", false);
  const { text: en } = describeFailure(error, "en", false);
  const found = { tr: "alınamadı", en: "refused" };
  return { name, state: "fail", label, found, fix: { tr, en }, exit };
}

function skipped(name: string, label: Words): Check {
  return { name, state: "skip", label, found: { tr: "bakılamadı", en: "could not be checked" } };
}
