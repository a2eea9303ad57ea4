/** Runs `catalog worker`, and says what it does for people or as lines of JSON. */

import { join } from "node:path";

import type { Connection, FoundStore } from "@catalog/connection";
import {
  EXIT,
  type Flags,
  isListenError,
  ORIGIN_VARIABLE,
  printJson,
  UsageError,
  readFlag,
} from "@catalog/console";
import { wrapText } from "@catalog/console/wrap-text";
import { formatDateTime, type Lang, type Localized } from "@catalog/i18n";
import { nameOfFeed } from "@catalog/importer/feed-name";
import {
  createStartCommand,
  createStoreMetrics,
  runWork,
  serveMetrics,
  type WorkEvent,
} from "@catalog/jobs";

import type { CommandContext } from "../../context.ts";
import { WORK_KINDS, type WorkerParts } from "./index.ts";

/** Pieces of work at a time, unless a person sets another number. */
const MAX_COMMANDS = 4;

/** Works until the command is stopped; what it has started stops with it. */
export async function runWorkerCommand(
  context: CommandContext,
  flags: Flags,
  parts: WorkerParts,
): Promise<number> {
  const { lang, terminal, json, clock, stop } = context;
  const given = readFlag.words(flags, "kinds", WORK_KINDS);
  // What was promised for a time is done by every worker, whatever else it does.
  const kinds = new Set([...(given.size === 0 ? WORK_KINDS : given), "period"] as const);
  const maxCommands = readFlag.count(flags, "max-commands") ?? MAX_COMMANDS;
  const port = readFlag.port(flags, "metrics");
  const home = await parts.readHome();
  await using opened = new AsyncDisposableStack();
  const open = async (found: FoundStore | undefined): Promise<Connection> =>
    await context.openConnection(found === undefined ? {} : { given: found.environment });
  const {
    isNamed,
    found: [own, ...others],
  } = await findServed(context, flags, parts);
  const first = opened.use(await open(own));
  const known = new Map([[own, first]]);
  if (port !== undefined) {
    for (const found of others) known.set(found, opened.use(await open(found)));
    opened.use(await openMetrics(context, [...known.values()], port));
  }
  /** The stores of which alerts are told, as they are opened. */
  const watched: Connection[] = [];
  const stores = [own, ...others].map((found) => {
    const connection = known.get(found);
    const store = connection ?? readAddress(found);
    return {
      baseUrl: store.baseUrl,
      storeId: store.storeId,
      startCommand: createStartCommand({
        program: parts.program,
        cwd: parts.cwd,
        // The settings of a store are in the environment of its commands only, and name the store
        // whichever is the default by then.
        env: () => ({ ...parts.env, ...found?.environment, [ORIGIN_VARIABLE]: "schedule" }),
        folder: () => join(home, "worker"),
        isAwaited: true,
      }),
      onEvent: createTeller(context, isNamed ? { ...store, name: found?.name } : undefined),
      async open() {
        const tools = connection === undefined ? await open(found) : keepOpen(connection);
        watched.push(tools);
        return tools;
      },
    };
  });
  const alerts = await context.openAlerts?.();
  const shared = first.memory.jobs.isShared ? await alerts?.listStores(first, stores) : undefined;
  opened.use(alerts?.watch(() => shared ?? watched));
  const rest = { kinds, lang, clock, stop, maxCommands, stopsCommands: true } as const;
  await runWork(first, stores, { command: "catalog worker", ...rest });
  if (!json) terminal.err(`${WORKER_TEXTS[lang].ended}\n`);
  return EXIT.done;
}

/** The stores of the list, or of the settings; each is named where there is a list or several. */
async function findServed(
  context: CommandContext,
  flags: Flags,
  { readStores }: Pick<WorkerParts, "readStores">,
): Promise<{ readonly found: readonly FoundStore[]; readonly isNamed: boolean }> {
  const list = readFlag.text(flags, "stores");
  if (list !== undefined) return { found: await readStores(list), isNamed: true };
  const found = await context.findStores("all");
  if (found.length > 1) tellStores(context, found);
  return { found, isNamed: found.length > 1 };
}

const readAddress = (found: FoundStore | undefined): Pick<Connection, "baseUrl" | "storeId"> => ({
  baseUrl: found?.environment["CATALOG_BASE_URL"] ?? "",
  storeId: found?.environment["CATALOG_STORE_ID"] ?? "",
});

/** Says which stores are served. */
function tellStores(
  { terminal, lang, json, quiet }: CommandContext,
  stores: readonly FoundStore[],
): void {
  if (json || quiet) return;
  const names = stores.map((found) => found.name ?? readAddress(found).storeId);
  const text = terminal.shown(WORKER_TEXTS[lang].stores(names.join(", ")));
  terminal.err(`${wrapText(text, { columns: terminal.columns - 1, indent: 2 })}\n`);
}

/** A store of several. */
interface ToldStore extends Pick<Connection, "storeId"> {
  readonly name: string | undefined;
}

/** The connection for a user that does not close it. */
const keepOpen = (connection: Connection): Connection => ({
  ...connection,
  [Symbol.asyncDispose]: async () => undefined,
});

/** Listens on the port and reports the address. Throws {@link UsageError} where it cannot be used. */
async function openMetrics(
  { terminal, lang, json, quiet, clock }: CommandContext,
  stores: readonly Connection[],
  port: number,
): Promise<AsyncDisposable> {
  const texts = WORKER_TEXTS[lang];
  const metrics = createStoreMetrics({ clock, stores });
  const onError = (error: unknown): void => {
    const reason = error instanceof Error ? error.message : String(error);
    terminal.err(`${terminal.shown(texts.noMetrics(reason))}\n`);
  };
  const served = await serveMetrics({ metrics, port, onError }).catch((error: unknown) => {
    throw isListenError(error) ? new UsageError(takenPort(port), { cause: error }) : error;
  });
  if (json) printJson(terminal, { command: "worker", event: "metrics", url: served.url });
  else if (!quiet) terminal.err(`${texts.metrics(served.url)}\n`);
  return served;
}

/** Tells each event, and a wait only when it is another one than before; `store` is named if given. */
function createTeller(
  { terminal, lang, json, quiet }: CommandContext,
  store: ToldStore | undefined,
): (event: WorkEvent) => void {
  const texts = WORKER_TEXTS[lang];
  let waiting: string | undefined;
  return (event) => {
    const named =
      store === undefined ? {} : { store: store.storeId, store_name: store.name ?? null };
    const document = { command: "worker", event: event.event, ...named, ...toDocument(event) };
    const text = JSON.stringify(document);
    if (event.event === "waiting" && text === waiting) return;
    if (!("job" in event)) waiting = event.event === "waiting" ? text : undefined;
    if (json) printJson(terminal, document);
    else if (!quiet || event.event === "ended") {
      const line = describe(event, texts);
      const shown = terminal.shown(
        store === undefined ? line : `${store.name ?? store.storeId}: ${line}`,
      );
      terminal.err(`${wrapText(shown, { columns: terminal.columns - 1, indent: 2 })}\n`);
    }
  };
}

const toIso = (ms: number): string => new Date(ms).toISOString();

function toDocument(event: WorkEvent): Readonly<Record<string, unknown>> {
  if ("job" in event) {
    const { kind, key: run } = event.job;
    if (event.event === "started") return { kind, run, pid: event.pid ?? null };
    const { exit, code, message } = event.result;
    return { kind, run, exit, code, message, retried: event.isRetried };
  }
  if (event.event === "leading" || event.event === "following") return {};
  if (event.event === "waiting") {
    const { next } = event;
    return {
      schedule: next?.schedule.id ?? null,
      next: next === undefined ? null : toIso(next.atMs),
    };
  }
  const { schedule, atMs } = event;
  const started = { schedule: schedule.id, feed: nameOfFeed(schedule.feed), due: toIso(atMs) };
  if (event.event === "started") return { ...started, pid: event.pid ?? null };
  const { exit, run, code, message } = event.result;
  return { ...started, exit, run, code, message, retried: event.isRetried };
}

function describe(event: WorkEvent, texts: WorkerTexts): string {
  if ("job" in event) {
    return event.event === "started" ? texts.sending(event.job.key) : texts.sent(event);
  }
  if (event.event === "leading") return texts.leading;
  if (event.event === "following") return texts.following;
  if (event.event === "started") return texts.started(nameOfFeed(event.schedule.feed));
  if (event.event === "ended") return texts.synced(event);
  const { next } = event;
  if (next === undefined) return texts.nothing;
  return texts.waiting(next.atMs, nameOfFeed(next.schedule.feed));
}

type EndedSync = Extract<WorkEvent, { readonly event: "ended"; readonly schedule: unknown }>;

type EndedJob = Extract<WorkEvent, { readonly event: "ended"; readonly job: unknown }>;

interface WorkerTexts {
  readonly stores: (names: string) => string;
  readonly leading: string;
  readonly following: string;
  readonly nothing: string;
  readonly waiting: (atMs: number, feed: string) => string;
  readonly started: (feed: string) => string;
  readonly synced: (sync: EndedSync) => string;
  readonly sending: (run: string) => string;
  readonly sent: (job: EndedJob) => string;
  readonly ended: string;
  readonly metrics: (url: string) => string;
  readonly noMetrics: (reason: string) => string;
}

const takenPort = (port: number): Localized => ({
  tr: `${port} numaralı port kullanılamıyor; --metrics ile başka bir port verin.`,
  en: `Port ${port} cannot be used; give another one with --metrics.`,
});

const time = (atMs: number, lang: Lang): string =>
  formatDateTime(atMs, lang, { dateStyle: "short", timeStyle: "short" });

const TAKEN: ReadonlySet<number> = new Set([0, 5]);

const WORKER_TEXTS: Readonly<Record<Lang, WorkerTexts>> = {
  tr: {
    stores: (names) => `Mağazalar: ${names}. Yalnız biri için: --store AD`,
    leading: "Eşitlemeler zamanı gelince yapılacak. Durdurmak için Ctrl-C.",
    following:
      "Eşitlemeleri şu an başka bir program yapıyor (örneğin açık sayfa); o kapanınca buradan sürecek.",
    nothing:
      "Zamanlanmış eşitleme yok; sayfadaki Eşitleme bölümünden ekleyin. Listesi: catalog schedule list",
    waiting: (atMs, feed) => `Sıradaki: ${time(atMs, "tr")}, ${feed}`,
    started: (feed) => `Eşitleniyor: ${feed}`,
    synced: ({ schedule, result, isRetried }) => {
      const feed = nameOfFeed(schedule.feed);
      const run = result.run === null ? "" : ` Ayrıntı: catalog runs ${result.run}`;
      if (TAKEN.has(result.exit)) return `Eşitlendi: ${feed}.${run}`;
      const again = isRetried ? " Birazdan yeniden denenecek." : "";
      return `Eşitlenemedi: ${feed}. ${result.message ?? `Çıkış kodu ${result.exit}.`}${again}${run}`;
    },
    sending: (run) => `Gönderiliyor: ${run}`,
    sent: ({ job, result, isRetried }) => {
      const details = `Ayrıntı: catalog runs ${job.key}`;
      if (TAKEN.has(result.exit)) return `Gönderildi: ${job.key}. ${details}`;
      const again = isRetried ? " Birazdan yeniden denenecek." : "";
      return `Gönderim bitmedi: ${job.key}. ${result.message ?? `Çıkış kodu ${result.exit}.`}${again} ${details}`;
    },
    ended: "Durduruldu.",
    metrics: (url) => `Ölçümler: ${url}`,
    noMetrics: (reason) => `Ölçümler okunamadı: ${reason}`,
  },
  en: {
    stores: (names) => `Stores: ${names}. For one of them only: --store NAME`,
    leading: "Running syncs on schedule. Press Ctrl-C to stop.",
    following:
      "Another program runs the syncs now (such as the open page); this one takes over when it ends.",
    nothing:
      "No sync is scheduled; add one on the page, under Sync. To list them: catalog schedule list",
    waiting: (atMs, feed) => `Next: ${time(atMs, "en")}, ${feed}`,
    started: (feed) => `Syncing: ${feed}`,
    synced: ({ schedule, result, isRetried }) => {
      const feed = nameOfFeed(schedule.feed);
      const run = result.run === null ? "" : ` Details: catalog runs ${result.run}`;
      if (TAKEN.has(result.exit)) return `Synced: ${feed}.${run}`;
      const again = isRetried ? " It is tried again soon." : "";
      return `Not synced: ${feed}. ${result.message ?? `Exit code ${result.exit}.`}${again}${run}`;
    },
    sending: (run) => `Sending: ${run}`,
    sent: ({ job, result, isRetried }) => {
      const details = `Details: catalog runs ${job.key}`;
      if (TAKEN.has(result.exit)) return `Sent: ${job.key}. ${details}`;
      const again = isRetried ? " It is tried again soon." : "";
      return `Not wholly sent: ${job.key}. ${result.message ?? `Exit code ${result.exit}.`}${again} ${details}`;
    },
    ended: "Stopped.",
    metrics: (url) => `Metrics: ${url}`,
    noMetrics: (reason) => `The metrics cannot be read: ${reason}`,
  },
};
