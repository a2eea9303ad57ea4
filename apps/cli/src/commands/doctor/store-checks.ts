/** The checks of `catalog doctor` that need the store: whether the marketplace answers, accepts the
 * login and lists the products, whether clocks agree, what waits, and how large the database is. */

import { ApiError, PermissionError } from "@catalog/client/errors";
import { describeNetworkCode } from "@catalog/client/network-reason";
import type { Clock } from "@catalog/clock";
import { type Connection, listRunPeriods, MAX_CLOCK_DRIFT_MS } from "@catalog/connection";
import { EXIT } from "@catalog/console";
import type { Version } from "@catalog/contract";
import { SIZE_KINDS, type SizeKind } from "@catalog/database";
import { formatTime } from "@catalog/exporter/timestamps";
import { formatBytes, formatNumber, type Lang, type Localized } from "@catalog/i18n";
import type { Alerts } from "@catalog/jobs";
import { listHeldRuns } from "@catalog/report";

import { describeFailure } from "../../failure.ts";
import { type Check, same } from "./local-checks.ts";

interface ReachOptions {
  readonly baseUrl: string;
  readonly fetch: typeof fetch;
  readonly clock: Clock;
  readonly stop: AbortSignal;
}

const MAX_WAIT_MS = 10_000;

const ADDRESS: Localized = { tr: "Bağlantı", en: "Connection" };
const CLOCK: Localized = { tr: "Saat", en: "Clock" };

/** Any answer is enough: the token call shows whether it is the marketplace. */
export async function checkReach(options: ReachOptions): Promise<readonly Check[]> {
  const { baseUrl, clock, stop } = options;
  const startedAt = clock.now();
  const signal = AbortSignal.any([stop, AbortSignal.timeout(MAX_WAIT_MS)]);
  try {
    const { headers } = await options.fetch(baseUrl, {
      method: "HEAD",
      redirect: "manual",
      signal,
    });
    const endedAt = clock.now();
    const tookMs = endedAt - startedAt;
    const found = { tr: `${tookMs} ms içinde yanıt verdi`, en: `answered in ${tookMs} ms` };
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
    found: { tr: `ulaşılamadı (${reason.tr})`, en: `not reached (${reason.en})` },
    fix: {
      tr: "Adresi, internet bağlantısını ve varsa vekil sunucuyu ya da güvenlik duvarını kontrol edin.",
      en: "Check the address, the connection, and any proxy or firewall.",
    },
    exit: EXIT.stopped,
  };
}

const BAD_PORT: Localized = { tr: "bu bağlantı noktasına izin verilmiyor", en: "port not allowed" };

const UNKNOWN: Localized = { tr: "bilinmeyen neden", en: "unknown reason" };

/** The cause of the error says more than `fetch failed`. Its code follows, for a search. */
function reasonOf(error: unknown): Localized {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return same(String(cause));
  if (cause.name === "TimeoutError") {
    const seconds = MAX_WAIT_MS / 1000;
    return { tr: `${seconds} saniyede yanıt gelmedi`, en: `no answer within ${seconds} s` };
  }
  if (cause.message === "bad port") return BAD_PORT;
  const code = "code" in cause ? cause.code : undefined;
  return typeof code === "string" && code !== "" ? describeNetworkCode(code) : UNKNOWN;
}

function checkClock(date: string | null, nowMs: number): Check {
  const theirs = Date.parse(date ?? "");
  if (Number.isNaN(theirs)) return skipped("clock", CLOCK);
  const seconds = Math.round((nowMs - theirs) / 1000);
  const isOff = Math.abs(nowMs - theirs) > MAX_CLOCK_DRIFT_MS;
  return {
    name: "clock",
    state: isOff ? "warn" : "ok",
    label: CLOCK,
    found: {
      tr: `pazaryerinin saatinden ${seconds} sn farklı`,
      en: `differs from the marketplace's by ${seconds} s`,
    },
    fix: {
      tr: "Bilgisayarın saatini internetten eşitleyin; yoksa oturumların süresi yanlış hesaplanır.",
      en: "Let the machine set its clock from the network, or logins are thought to last too long or too short.",
    },
  };
}

const TOKEN: Localized = { tr: "Oturum", en: "Login" };
const PERMISSION: Localized = { tr: "Mağaza izni", en: "Store permission" };

/** Lists products with another version prefix than the one in use, and returns the outcome. */
type ListWith = (version: Version) => Promise<"there" | "missing">;

interface AccessOptions {
  readonly login: () => Promise<void>;
  /** Lists products once and returns their number. */
  readonly countProducts: () => Promise<number>;
  readonly stop: AbortSignal;
  /** Prefixes of the product calls, the one in use first. */
  readonly versions: readonly Version[];
  readonly listWith: ListWith;
}

/** Checks the token, one listing with it, and the listing's version prefix. */
export async function checkAccess(options: AccessOptions): Promise<readonly Check[]> {
  const { stop, versions } = options;
  try {
    await options.login();
  } catch (error) {
    stop.throwIfAborted();
    return [failed("token", TOKEN, error), ...skipListing()];
  }
  const token: Check = { name: "token", state: "ok", label: TOKEN, found: ACCEPTED };
  try {
    const total = await options.countProducts();
    const found = { tr: `${total} onaylı ürün`, en: `${total} approved products` };
    const permission: Check = { name: "permission", state: "ok", label: PERMISSION, found };
    return [token, workingVersion(versions), permission];
  } catch (error) {
    stop.throwIfAborted();
    if (isMissing(error)) return [token, ...(await checkVersion(options, error))];
    const answered = error instanceof ApiError || error instanceof PermissionError;
    const version = answered ? workingVersion(versions) : skipped("api_version", VERSION);
    return [token, version, failed("permission", PERMISSION, error)];
  }
}

/** Whether an address does not exist, as with a wrong version prefix. */
function isMissing(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}

const VERSION: Localized = { tr: "Sürüm öneki", en: "Version prefix" };

const workingVersion = ([used = "v1.1"]: readonly Version[]): Check => ({
  name: "api_version",
  state: "ok",
  label: VERSION,
  found: same(`/${used}`),
});

/** Checks whether another prefix works where the one in use does not exist. */
async function checkVersion(
  { versions, listWith, stop }: AccessOptions,
  error: unknown,
): Promise<readonly Check[]> {
  const [used = "", ...others] = versions;
  for (const other of others) {
    const found = await listWith(other);
    stop.throwIfAborted();
    if (found === "there") return [wrongVersion(used, other), skipped("permission", PERMISSION)];
  }
  return [skipped("api_version", VERSION), failed("permission", PERMISSION, error)];
}

function wrongVersion(used: string, other: Version): Check {
  return {
    name: "api_version",
    state: "fail",
    label: VERSION,
    found: { tr: `/${used} yok, /${other} çalışıyor`, en: `no /${used}, but /${other} works` },
    fix: {
      tr: `CATALOG_API_VERSION=${other} verin ya da catalog.config dosyasına {"versions": {"product": "${other}"}} yazın.`,
      en: `Set CATALOG_API_VERSION=${other}, or write {"versions": {"product": "${other}"}} into the catalog.config file.`,
    },
    exit: EXIT.usage,
  };
}

const skipListing = (): readonly Check[] => [
  skipped("api_version", VERSION),
  skipped("permission", PERMISSION),
];

/** The checks of the login, skipped where there is no client. */
export function skipAccess(): readonly Check[] {
  return [skipped("token", TOKEN), ...skipListing()];
}

/** The checks of the connection, skipped where there is no address. */
export function skipReach(): readonly Check[] {
  return [skipped("connection", ADDRESS), skipped("clock", CLOCK)];
}

const ACCEPTED: Localized = { tr: "kabul edildi", en: "accepted" };

function failed(name: string, label: Localized, error: unknown): Check {
  const { exit, text: tr } = describeFailure(error, "tr", false);
  const { text: en } = describeFailure(error, "en", false);
  const found = { tr: "alınamadı", en: "refused" };
  return { name, state: "fail", label, found, fix: { tr, en }, exit };
}

function skipped(name: string, label: Localized): Check {
  return { name, state: "skip", label, found: { tr: "bakılamadı", en: "could not be checked" } };
}

const MINUTE_MS = 60_000;

const LABEL: Localized = { tr: "İstek molası", en: "Call pause" };

/** A pause makes every command wait, so it is a failure; a learned limit is not. */
export async function checkPause(
  pacing: Pick<Connection["meters"]["pacing"], "pause" | "callsPerHour">,
  nowMs: number,
): Promise<Check> {
  const pause = await pacing.pause();
  if (pause === undefined) {
    const limit = await pacing.callsPerHour();
    const found =
      limit === undefined
        ? { tr: "yok", en: "none" }
        : { tr: `yok; saatte en çok ${limit} istek`, en: `none; at most ${limit} calls an hour` };
    return { name: "pause", state: "ok", label: LABEL, found };
  }
  const until = formatTime(pause.untilMs + MINUTE_MS - 1);
  const since = formatTime(Math.min(pause.sinceMs, nowMs));
  const times = pause.refusals;
  return {
    name: "pause",
    state: "fail",
    label: LABEL,
    found: {
      tr: `saat ${until} sonrasına kadar; pazaryeri saat ${since} sonrasında ${times} kez çok fazla istek geldiğini söyledi`,
      en: `until after ${until}; since ${since} the marketplace has said ${times === 1 ? "once" : `${times} times`} that there were too many calls`,
    },
    fix: {
      tr: "O saate kadar bekleyin; saat yanlışsa ya da pazaryeri yanlış söylediyse beklemeyi kaldırın: catalog doctor --fix",
      en: "Wait until then; if the clock or the marketplace is wrong about it, end the wait with: catalog doctor --fix",
    },
    exit: EXIT.stopped,
  };
}

/** The check, skipped where the database was not opened. */
export function skipPause(): Check {
  const found = { tr: "bakılamadı", en: "could not be checked" };
  return { name: "pause", state: "skip", label: LABEL, found };
}

const HELD: Localized = { tr: "Bekleyen satır", en: "Held rows" };

/** Rows that wait for a person are no failure of the machine; they need attention. */
export async function checkHeld(connection: Pick<Connection, "runs" | "journal">): Promise<Check> {
  const found = await listHeldRuns(connection);
  const rows = found.reduce((sum, { held }) => sum + held, 0);
  const sizes = { rows, runs: found.length };
  const none = { tr: "yok", en: "none" };
  if (rows === 0) return { name: "held", state: "ok", label: HELD, found: none, sizes };
  return {
    name: "held",
    state: "warn",
    label: HELD,
    found: {
      tr: `${formatNumber(found.length, "tr")} çalıştırmada ${formatNumber(rows, "tr")} satır karar bekliyor`,
      en: `${formatNumber(rows, "en")} ${rows === 1 ? "row waits" : "rows wait"} for a decision, in ${formatNumber(found.length, "en")} ${found.length === 1 ? "run" : "runs"}`,
    },
    fix: {
      tr: "Görmek ve karar vermek için: catalog release --waiting",
      en: "To see them and decide: catalog release --waiting",
    },
    sizes,
  };
}

const PERIODS: Localized = { tr: "Zamanlı işler", en: "Timed runs" };

/** Runs that were not sent or taken back at their times, or not wholly. */
export async function checkPeriods(
  connection: Pick<Connection, "runs" | "journal" | "clock" | "memory">,
): Promise<Check> {
  const periods = await listRunPeriods(connection);
  const bad = periods.filter(({ isHealthy }) => !isHealthy);
  const ahead = periods.filter(({ state }) => state === "scheduled" || state === "open").length;
  const sizes = { ahead, unhealthy: bad.length };
  const named = { name: "periods", label: PERIODS, sizes } as const;
  const [worst] = bad;
  if (worst === undefined) {
    const found = { tr: `${ahead} bekliyor`, en: `${ahead} ahead` };
    return { ...named, state: "ok", found };
  }
  return {
    ...named,
    state: "warn",
    found: {
      tr: `${bad.length} gönderim: ${worst.run.id}: ${worst.text.tr}`,
      en: `${bad.length} ${bad.length === 1 ? "run" : "runs"}: ${worst.run.id}: ${worst.text.en}`,
    },
    fix: {
      tr: `catalog worker ya da catalog web çalışıyor mu bakın; ayrıntı için: catalog runs ${worst.run.id}`,
      en: `See whether catalog worker or catalog web is running; details: catalog runs ${worst.run.id}`,
    },
  };
}

const ALERTS: Localized = { tr: "Uyarılar", en: "Alerts" };

/** A channel that does not work is no failure of the machine either. */
export async function checkAlerts(
  connection: Pick<Connection, "memory" | "clock">,
  alerts: Pick<Alerts, "list"> | undefined,
): Promise<Check> {
  const views = (await alerts?.list(connection)) ?? [];
  const broken = views.filter(({ health }) => health === "failing" || health === "stuck");
  const schedules = await connection.memory.schedules.list();
  const named = { name: "alerts", label: ALERTS } as const;
  if (broken.length > 0) {
    const names = broken.map(({ channel }) => channel.name).join(", ");
    return {
      ...named,
      state: "warn",
      found: { tr: `çalışmayan kanal: ${names}`, en: `does not work: ${names}` },
      fix: {
        tr: "Nedeni ve çaresi: catalog alerts list; sonra deneyin: catalog alerts test",
        en: "Why, and what helps: catalog alerts list; then try: catalog alerts test",
      },
    };
  }
  if (views.length > 0 || schedules.length === 0) {
    const tr = views.length === 0 ? "kanal yok" : `${formatNumber(views.length, "tr")} kanal`;
    const count = formatNumber(views.length, "en");
    const en = views.length === 0 ? "no channel" : `${count} channel${views.length > 1 ? "s" : ""}`;
    return { ...named, state: "ok", found: { tr, en } };
  }
  return {
    ...named,
    state: "warn",
    found: {
      tr: "kanal yok: bir eşitleme çalışmadığında kimseye haber verilmez",
      en: "no channel: nobody is told when a sync does not work",
    },
    fix: {
      tr: "Eklemek için: catalog alerts add telegram --chat NUMARA (ya da webhook, slack, email)",
      en: "To add one: catalog alerts add telegram --chat NUMBER (or webhook, slack, email)",
    },
  };
}

type Sizes = Awaited<ReturnType<Connection["storage"]["sizes"]>>;

type PrunePreview = Awaited<ReturnType<Connection["storage"]["previewPrune"]>>;

const STORAGE: Localized = { tr: "Boyut", en: "Size" };

const KINDS: Readonly<Record<SizeKind | "free", Localized>> = {
  runs: { tr: "çalıştırmalar", en: "runs" },
  rows: { tr: "satırlar", en: "rows" },
  cells: { tr: "hücreler", en: "cells" },
  events: { tr: "olaylar", en: "events" },
  archive: { tr: "arşiv", en: "archive" },
  ledger: { tr: "gönderi defteri", en: "ledger" },
  listing: { tr: "mağaza listesi", en: "listing" },
  names: { tr: "adlar", en: "names" },
  exports: { tr: "dışa aktarımlar", en: "exports" },
  drafts: { tr: "taslaklar", en: "drafts" },
  other: { tr: "diğer", en: "other" },
  free: { tr: "boş", en: "free" },
};

/** Less than this is not worth a word. */
const MIN_SHOWN_BYTES = 100_000;

/** So much that can be freed is worth a command. */
const MUCH_BYTES = 100_000_000;

/** Reads the whole database. */
export async function checkStorage({ storage }: Pick<Connection, "storage">): Promise<Check> {
  const sizes = await storage.sizes();
  const due = await storage.previewPrune(storage.keepMs);
  const isMuch = due.bytes > MUCH_BYTES;
  return {
    name: "storage",
    state: isMuch ? "warn" : "ok",
    label: STORAGE,
    found: { tr: describe(sizes, due, "tr"), en: describe(sizes, due, "en") },
    fix: {
      tr: `Yaklaşık ${formatBytes(due.bytes, "tr")} yer açmak için: catalog runs prune`,
      en: `To free about ${formatBytes(due.bytes, "en")}: catalog runs prune`,
    },
    sizes: toDocument(sizes, due),
  };
}

const OLD_ROWS: Readonly<Record<Lang, (rows: string, size: string) => string>> = {
  tr: (rows, size) => `; saklama süresi dolmuş ${rows} satır, ${size}`,
  en: (rows, size) => `; ${rows} rows past their retention, ${size}`,
};

function describe(sizes: Sizes, due: PrunePreview, lang: Lang): string {
  const size = (bytes: number): string => formatBytes(bytes, lang);
  const parts = [...SIZE_KINDS, "free" as const]
    .map((kind) => ({ kind, bytes: kind === "free" ? sizes.freeBytes : sizes.kinds[kind] }))
    .filter(({ bytes }) => bytes >= MIN_SHOWN_BYTES)
    .toSorted((a, b) => b.bytes - a.bytes)
    .map(({ kind, bytes }) => `${KINDS[kind][lang]} ${size(bytes)}`);
  const [home, database] = [size(sizes.homeBytes), size(sizes.fileBytes)];
  const of = parts.length === 0 ? "" : ` (${parts.join(", ")})`;
  const rows = formatNumber(due.rows, lang);
  const old = due.rows === 0 ? "" : OLD_ROWS[lang](rows, size(due.bytes));
  return lang === "tr"
    ? `klasör ${home}; veritabanı ${database}${of}${old}`
    : `folder ${home}; database ${database}${of}${old}`;
}

function toDocument(sizes: Sizes, due: PrunePreview): Readonly<Record<string, number>> {
  const { homeBytes, fileBytes, freeBytes, kinds } = sizes;
  const prunable = { prunable_runs: due.runs, prunable_rows: due.rows, prunable: due.bytes };
  return { home: homeBytes, database: fileBytes, ...kinds, free: freeBytes, ...prunable };
}

/** The check of a database that was not opened. */
export function skipStorage(): Check {
  const found = { tr: "bakılamadı", en: "could not be checked" };
  return { name: "storage", state: "skip", label: STORAGE, found };
}
