/** Opens the store of the settings for a command, and tells people until when and why it waits. */

import type { Versions } from "@catalog/client";
import {
  type Connection,
  type ConnectionOverrides,
  type FoundStore,
  openConnection,
} from "@catalog/connection";
import { type Flags, readOrigin, type Terminal, UsageError, readFlag } from "@catalog/console";
import { endpoints, type Version } from "@catalog/contract";
import { formatTime } from "@catalog/exporter/timestamps";
import type { Lang, Localized } from "@catalog/i18n";

import type { Command } from "./context.ts";
import type { ProgramOptions } from "./program.ts";
import { chooseLogin, readLoginSettings, STORE_VARIABLE } from "./settings/choose-store.ts";
import type { Config } from "./settings/config-schema.ts";
import type { ConfigCheck } from "./settings/config-trust.ts";
import { isSameStore, type LoginStore, type StoredLogin } from "./settings/login-store.ts";
import { parseStoreNames } from "./settings/server-stores.ts";
import {
  type Environment,
  findSettings,
  NEEDED_SETTINGS,
  resolveMarkFolder,
  resolveSettings,
} from "./settings/settings.ts";
import { FIRST_NAME } from "./settings/store-names.ts";
import type { OpenedTracing } from "./tracing.ts";

/** How long work waits for a database that is away, in milliseconds. */
const WAIT_MS = 30_000;
const LONG_WAIT_MS = 600_000;

const toWaitMs = ({ isPatient = false }: Command): number => (isPatient ? LONG_WAIT_MS : WAIT_MS);

/** The command that opens the store. */
export interface OpeningSession {
  readonly gate: ConfigCheck;
  readonly lang: Lang;
  readonly command: Command;
  readonly flags: Flags;
  readonly tracing: OpenedTracing | null;
  /** Takes the id of the run that the command works on. */
  readonly onRun: (runId: string) => void;
  /** Asks which of several stores is meant. @default nobody can be asked */
  readonly ask: ((stores: readonly StoredLogin[]) => Promise<StoredLogin | undefined>) | undefined;
}

/** Opens the store of the settings; `overrides` are those of the command. */
export async function openConnectionOf(
  { clock, random, env, logins, terminal, user, person, stop }: ProgramOptions,
  { gate, lang, command, flags, tracing, onRun, ask }: OpeningSession,
  overrides: ConnectionOverrides,
): Promise<Connection> {
  const { given, origin = readOrigin(env), ...rest } = overrides;
  // A command that brings its own store needs no configuration file.
  const isGiven = NEEDED_SETTINGS.every((name) => given?.[name]);
  const config = isGiven ? gate.config : await gate.open();
  // A name is that of the environment's store, and not of one that the command brings.
  const all = given === undefined ? env : { ...env, [STORE_VARIABLE]: "", ...given };
  const login = logins && (await readLoginSettings({ env: all, config, ask }, logins));
  const { clientKey, clientSecret, ...settings } = resolveSettings(all, config, login);
  const readNames = await openStoreNames({ all, given, logins });
  const connection = await openConnection({
    ...settings,
    ...rest,
    markFolder: resolveMarkFolder(all, settings.home, process.platform),
    command: `catalog ${command.name}`,
    credentials: { clientKey, clientSecret },
    clock,
    random,
    concurrency: rest.concurrency ?? settings.concurrency,
    requestsPerHour: rest.requestsPerHour ?? settings.requestsPerHour,
    priceUnit: rest.priceUnit ?? settings.priceUnit,
    versions: rest.versions ?? resolveVersions(all, config),
    databaseWait: {
      maxMs: settings.databaseWaitMs ?? toWaitMs(command),
      stop,
      onOutage: (outage) => tellOutage({ terminal, lang }, outage?.untilMs),
    },
    onRun,
    maker: { origin, user: user ?? null, person, store: findName(readNames(), settings) },
    tracing: tracing ?? undefined,
    namedStores: readNames,
    lockWait: readLockWait(flags, { terminal, lang, stop }),
  });
  createWaitNotices({ waits: connection.meters.waits, terminal, lang });
  return connection;
}

type NamedLogin = Pick<StoredLogin, "name" | "baseUrl" | "storeId">;

const findName = (
  stores: readonly NamedLogin[],
  place: Pick<NamedLogin, "baseUrl" | "storeId">,
): string | undefined => stores.find((store) => isSameStore(store, place))?.name;

interface NameSources {
  /** All variables. */
  readonly all: Environment;
  /** Those that the command brings, which change while its store is open. */
  readonly given: ConnectionOverrides["given"];
  readonly logins: Pick<LoginStore, "read"> | undefined;
}

/** Reads the names of stores; those of a server come and go. */
async function openStoreNames({
  all,
  given,
  logins,
}: NameSources): Promise<() => readonly NamedLogin[]> {
  const told = parseStoreNames(all);
  if (told !== undefined) return () => parseStoreNames(given ?? {}) ?? told;
  const listed = await listNames(await openNames(given, logins));
  return () => listed;
}

/** A store of a list has its name there. */
async function openNames(
  given: ConnectionOverrides["given"],
  logins: Pick<LoginStore, "read"> | undefined,
): Promise<Pick<LoginStore, "read"> | undefined> {
  const path = given?.["CATALOG_STORES"];
  if (!path) return logins;
  const { createListedLogins } = await import("./settings/store-list.ts");
  return createListedLogins(path, process.getuid?.());
}

/**
 * Names that are shown; a single login that nobody has named is known by its id. A file that cannot be
 * used is reported where its login is needed.
 */
async function listNames(
  logins: Pick<LoginStore, "read"> | undefined,
): Promise<readonly NamedLogin[]> {
  try {
    const stores = (await logins?.read())?.stores ?? [];
    const [first] = stores;
    return stores.length === 1 && first?.name === FIRST_NAME ? [] : stores;
  } catch {
    return [];
  }
}

/** Finds stores by the settings, as {@link openConnectionOf} finds the one that it opens. */
export async function findStoresOf(
  { env, logins }: Pick<ProgramOptions, "env" | "logins">,
  { gate: { config }, ask }: Pick<OpeningSession, "gate" | "ask">,
  scope: "one" | "all",
): Promise<readonly FoundStore[]> {
  if (scope === "all" && logins !== undefined && !isStoreNamed(env, config)) {
    const { stores } = await logins.read();
    if (stores.length > 0) return stores.map(toFoundStore);
  }
  const login = logins && (await chooseLogin({ env, config, ask }, logins))?.login;
  // A login that is used for its store has a secret; whether it can be read is seen later.
  const found = findSettings({ env, config, login: login && { ...login, clientSecret: "?" } });
  if (Object.values(found).some(({ source }) => source === "nowhere")) return [];
  const { CATALOG_BASE_URL: address, CATALOG_STORE_ID: id } = found;
  const place = { baseUrl: address.value, storeId: id.value };
  const known = login && isSameStore(login, place) ? login : undefined;
  return [toFoundStore({ name: "", ...known, ...place })];
}

/** Whether the settings mean one store, by its name or its id. */
const isStoreNamed = (env: Environment, { store, storeId }: Config): boolean =>
  [env[STORE_VARIABLE], env["CATALOG_STORE_ID"], store, storeId].some(Boolean);

const toFoundStore = ({
  name,
  baseUrl,
  storeId,
  feedLogins,
}: Pick<StoredLogin, "name" | "baseUrl" | "storeId" | "feedLogins">): FoundStore => ({
  name: name === "" ? undefined : name,
  environment: {
    [STORE_VARIABLE]: "",
    CATALOG_BASE_URL: baseUrl,
    CATALOG_STORE_ID: storeId,
    ...(feedLogins !== undefined && { CATALOG_FEED_LOGINS: feedLogins }),
  },
});

/** A question for a person, who answers it once for the whole command; `undefined` without one. */
export function askOnce({
  terminal,
  lang,
  canAsk,
}: Pick<WaitNoticesOptions, "lang"> & {
  readonly terminal: Terminal;
  readonly canAsk: boolean;
}): OpeningSession["ask"] {
  const { choose } = terminal;
  if (!canAsk || choose === undefined) return undefined;
  let answer: Promise<string | undefined> | undefined;
  return async (stores) => {
    const choices = stores.map(({ name, storeId, baseUrl }) => ({
      value: name,
      label: `${name}  (${storeId}, ${baseUrl})`,
    }));
    answer ??= choose(WHICH_STORE[lang], choices);
    const name = await answer;
    return stores.find((store) => store.name === name);
  };
}

const WHICH_STORE: Localized = { tr: "Hangi mağaza?", en: "Which store?" };

/** How long `--wait` waits for the store; `undefined` without the flag. */
function readLockWait(
  flags: Flags,
  { terminal, lang, stop }: Pick<ProgramOptions, "terminal" | "stop"> & { readonly lang: Lang },
): Parameters<typeof openConnection>[0]["lockWait"] {
  const maxMs = readFlag.duration(flags, "wait");
  return maxMs === undefined
    ? undefined
    : {
        maxMs,
        stop,
        onWait: (busy) => terminal.err(`${describeLockWait(busy[lang], lang)}\n`),
      };
}

/** The first sentence names the holder; the advice after it is for those who do not wait. */
function describeLockWait(busy: string, lang: Lang): string {
  const [holder = busy] = busy.split(/(?<=\.) /u);
  return lang === "tr"
    ? `${holder} Bitmesi bekleniyor; vazgeçmek için Ctrl-C.`
    : `${holder} Waiting until it ends; Ctrl-C gives up.`;
}

const MINUTE_MS = 60_000;

const TEXTS = {
  refused: (time) => ({
    tr: `Pazaryeri çok fazla istek geldiğini söyledi: saat ${time} sonrasına kadar bekleniyor, sonra sürecek. Durdurmak için Ctrl-C; beklemeyi kaldırmak için: catalog doctor --fix`,
    en: `The marketplace said that there were too many calls: waiting until after ${time}, then it goes on. Ctrl-C stops; to end the wait: catalog doctor --fix`,
  }),
  quota: (time) => ({
    tr: `Saatlik istek sınırı doldu: saat ${time} sonrasına kadar bekleniyor, sonra sürecek. Durdurmak için Ctrl-C.`,
    en: `The hourly limit of calls is used up: waiting until after ${time}, then it goes on. Ctrl-C stops.`,
  }),
  retry: (time) => ({
    tr: `Pazaryeri bir isteği yanıtlayamadı: saat ${time} sonrasına kadar beklenip yeniden denenecek. Durdurmak için Ctrl-C.`,
    en: `The marketplace could not answer a call: waiting until after ${time}, then it is made again. Ctrl-C stops.`,
  }),
} as const satisfies Readonly<Record<string, (time: string) => Localized>>;

interface WaitNoticesOptions {
  readonly waits: Pick<Connection["meters"]["waits"], "listen">;
  readonly terminal: Pick<Terminal, "err" | "redraw" | "isTerminal">;
  readonly lang: Lang;
}

/** Writes a line on stderr at the start of each wait, until it is disposed of. */
export function createWaitNotices({ waits, terminal, lang }: WaitNoticesOptions): Disposable {
  let told = "";
  return waits.listen(({ untilMs, reason }) => {
    // A repeated line is skipped: several calls wait for the same slot, and one wait may consist of
    // short ones.
    const line = TEXTS[reason](formatTime(untilMs + MINUTE_MS - 1))[lang];
    if (line === told) return;
    told = line;
    // Clears a line of progress.
    if (terminal.isTerminal) terminal.redraw("");
    terminal.err(`${line}\n`);
  });
}

const OUTAGE_TEXTS = {
  away: (time: string): Localized => ({
    tr: `Veritabanı şu an kullanılamıyor (kapalı, kilitli ya da disk dolu): yeni bir şey gönderilmiyor; saat ${time} sonrasına kadar bekleniyor, geri gelince kaldığı yerden sürecek.`,
    en: `The database cannot be used right now (away, locked, or its disk is full): nothing new is sent; waiting until after ${time}, and going on as soon as it is back.`,
  }),
  back: { tr: "Veritabanı geri geldi; sürüyor.", en: "The database is back; going on." },
};

/** Says that the database is away, or without a time that it is back. */
function tellOutage(
  { terminal, lang }: Omit<WaitNoticesOptions, "waits">,
  untilMs: number | undefined,
): void {
  const text =
    untilMs === undefined
      ? OUTAGE_TEXTS.back
      : OUTAGE_TEXTS.away(formatTime(untilMs + MINUTE_MS - 1));
  if (terminal.isTerminal) terminal.redraw("");
  terminal.err(`${text[lang]}\n`);
}

/** Prefixes that the specification names for each resource. */
const PREFIXES: ReadonlyMap<string, readonly Version[]> = new Map(
  Object.entries(endpoints)
    .filter(([resource]) => resource !== "token")
    .map(([resource, rows]) => [resource, versionsOf(rows)]),
);

function versionsOf(rows: object): readonly Version[] {
  const all = Object.values(rows).flatMap(
    ({ versions }: { readonly versions: readonly Version[] }) => versions,
  );
  return [...new Set(all)];
}

/** All prefixes in the specification. */
const KNOWN: readonly Version[] = [...new Set([...PREFIXES.values()].flat())].toSorted();

/**
 * `CATALOG_API_VERSION` applies to every resource that has this prefix; the configuration file
 * names single resources. Throws {@link UsageError} for a prefix that is not in the specification.
 */
export function resolveVersions(env: Environment, { versions = {} }: Config): Versions {
  const named = Object.entries(versions).map(
    ([resource, text]) => [resource, readVersion(resource, text)] as const,
  );
  const wanted = env["CATALOG_API_VERSION"];
  const forAll = wanted ? readVersion(undefined, wanted) : undefined;
  const common = [...PREFIXES].flatMap(([resource, prefixes]) =>
    forAll !== undefined && prefixes.includes(forAll) ? [[resource, forAll] as const] : [],
  );
  return Object.fromEntries([...named, ...common]);
}

/** Prefixes of a resource, the one in use first. */
export function listVersions(resource: "product", versions: Versions): readonly Version[] {
  const prefixes = PREFIXES.get(resource) ?? [];
  const used = versions[resource] ?? prefixes[0];
  return prefixes.toSorted((a, b) => Number(b === used) - Number(a === used));
}

function readVersion(resource: string | undefined, text: string): Version {
  const choices = resource === undefined ? KNOWN : PREFIXES.get(resource);
  if (choices === undefined) throw unknownResource(resource ?? "");
  const found = choices.find((version) => version === text);
  if (found !== undefined) return found;
  const setting = resource === undefined ? "CATALOG_API_VERSION" : `versions.${resource}`;
  const list = choices.join(", ");
  throw new UsageError({
    tr: `${setting} "${text}" olamaz; olabilecekler: ${list}.`,
    en: `${setting} cannot be "${text}"; it can be: ${list}.`,
  });
}

function unknownResource(name: string): UsageError {
  const list = [...PREFIXES.keys()].join(", ");
  return new UsageError({
    tr: `catalog.config dosyasındaki versions içinde "${name}" tanınmıyor; olabilecekler: ${list}.`,
    en: `versions in the catalog.config file does not know "${name}"; it can name: ${list}.`,
  });
}
