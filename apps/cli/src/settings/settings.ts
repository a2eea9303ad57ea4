/** Settings from flags, environment, the configuration file and the stored login, in order of
 * precedence. */

import { isAbsolute, join, relative, resolve } from "node:path";

import { canonicalAddress } from "@catalog/client/market-address";
import { UsageError } from "@catalog/console";
import type { Lang, Localized } from "@catalog/i18n";
import type { GuardLimits } from "@catalog/runs";
import envPaths from "env-paths";

import type { Config } from "./config-schema.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Settings {
  readonly baseUrl: string;
  readonly clientKey: string;
  readonly clientSecret: string;
  readonly storeId: string;
  readonly home: string;
  /** Address of a PostgreSQL database; `undefined` for the file of the home. */
  readonly databaseUrl: string | undefined;
  readonly concurrency: number | "auto" | undefined;
  readonly requestsPerHour: number | undefined;
  readonly guardLimits: Partial<GuardLimits> | undefined;
  readonly priceUnit: "minor" | "major" | undefined;
  /** How long rows of runs are kept that are over, in days. */
  readonly keepDays: number | undefined;
  /** How long work waits for a database that is away. @default as the command does */
  readonly databaseWaitMs: number | undefined;
}

/** `--lang`, `CATALOG_LANG`, the configuration file, then the system's language; else Turkish. */
export function resolveLang(argv: readonly string[], env: Environment, config: Config = {}): Lang {
  const flag = argv
    .map((word, index) => (word === "--lang" ? argv[index + 1] : /^--lang=(.*)$/u.exec(word)?.[1]))
    .find((value) => value !== undefined);
  const asked = [flag, env["CATALOG_LANG"], config.lang].find((value) => isLang(value));
  if (isLang(asked)) return asked;
  const system = env["LC_ALL"] || env["LC_MESSAGES"] || env["LANG"] || "";
  return system.startsWith("en") ? "en" : "tr";
}

/** Throws {@link UsageError} for a `CATALOG_LANG` in which nothing is written. */
export function assertLang({ CATALOG_LANG: text }: Environment): void {
  if (!text || isLang(text)) return;
  throw new UsageError({
    tr: `CATALOG_LANG "${text}" anlaşılamadı. tr ya da en verin.`,
    en: `CATALOG_LANG "${text}" is not understood. Give tr or en.`,
  });
}

const isLang = (text: string | undefined): text is Lang => text === "tr" || text === "en";

/** The settings that a store needs, by the names of their environment variables. */
export const NEEDED_SETTINGS = [
  "CATALOG_BASE_URL",
  "CATALOG_CLIENT_KEY",
  "CATALOG_CLIENT_SECRET",
  "CATALOG_STORE_ID",
] as const;

export type SettingName = (typeof NEEDED_SETTINGS)[number];

/** Source of a value, in order of precedence. */
export type SettingSource = "environment" | "config" | "login" | "nowhere";

/** A setting; its value is empty where it has no source. */
export interface FoundSetting {
  readonly value: string;
  readonly source: SettingSource;
  /** Address of a stored secret that is kept back, as it is for another address or key. */
  readonly keptFor?: string | undefined;
}

/** A stored login; without its secret where that was not read. */
export interface LoginSettings {
  readonly baseUrl: string;
  readonly clientKey: string;
  readonly storeId: string;
  readonly clientSecret?: string | undefined;
}

export interface SettingSources {
  readonly env: Environment;
  readonly config: Config;
  readonly login?: LoginSettings | undefined;
}

/** Finds each setting and its source. */
export function findSettings({
  env,
  config,
  login,
}: SettingSources): Readonly<Record<SettingName, FoundSetting>> {
  const find = (name: SettingName, configured?: string, stored?: string): FoundSetting => {
    const given = env[name];
    if (given) return { value: given, source: "environment" };
    if (configured) return { value: configured, source: "config" };
    return stored ? { value: stored, source: "login" } : { value: "", source: "nowhere" };
  };
  const baseUrl = find("CATALOG_BASE_URL", config.baseUrl, login?.baseUrl);
  const clientKey = find("CATALOG_CLIENT_KEY", config.clientKey, login?.clientKey);
  const isOwn = isLoginOf(login, baseUrl.value, clientKey.value);
  const secret = find("CATALOG_CLIENT_SECRET", undefined, isOwn ? login?.clientSecret : undefined);
  return {
    CATALOG_BASE_URL: baseUrl,
    CATALOG_CLIENT_KEY: clientKey,
    CATALOG_CLIENT_SECRET: isOwn ? secret : keepBack(secret, login),
    CATALOG_STORE_ID: find("CATALOG_STORE_ID", config.storeId, login?.storeId),
  };
}

/** A stored secret goes to the address that it was stored for, whatever a project's file says. */
const isLoginOf = (login: LoginSettings | undefined, baseUrl: string, clientKey: string): boolean =>
  canonicalAddress(baseUrl) === canonicalAddress(login?.baseUrl ?? "") &&
  clientKey === login?.clientKey;

const keepBack = (secret: FoundSetting, login: LoginSettings | undefined): FoundSetting =>
  secret.source !== "nowhere" || login === undefined
    ? secret
    : { ...secret, keptFor: login.baseUrl };

/** Folder of the database and the token. */
export function resolveHome(env: Environment, config: Config): string {
  return env["CATALOG_HOME"] || config.home || envPaths("catalog-toolkit", { suffix: "" }).data;
}

/**
 * Whether to ask for newer versions, and where: `false`, or the address of another registry than that
 * of the installation; `undefined` where nothing is set. Nobody is there to read the answer in CI.
 */
export function resolveUpdates(env: Environment, config: Config): string | false | undefined {
  const isQuiet = [env["CI"], env["NO_UPDATE_NOTIFIER"]].some((text) => text && text !== "false");
  const asked = env["CATALOG_UPDATES"] || config.updates;
  if (isQuiet || asked === "off") return false;
  if (asked === undefined || !URL.canParse(asked)) return undefined;
  let address = asked;
  while (address.endsWith("/")) address = address.slice(0, -1);
  return address;
}

/**
 * Address of a PostgreSQL database; `undefined` for the file of the home. An empty variable chooses
 * the file, too. Throws {@link UsageError} for another kind of address.
 */
export function resolveDatabaseUrl(env: Environment, config: Config): string | undefined {
  const url = env["CATALOG_DATABASE_URL"] ?? config.databaseUrl ?? "";
  if (url === "") return undefined;
  if (/^postgres(?:ql)?:\/\//iu.test(url) && URL.canParse(url)) return url;
  throw new UsageError({
    tr: "CATALOG_DATABASE_URL bir PostgreSQL adresi olmalı, örneğin postgres://kullanici@sunucu/catalog.",
    en: "CATALOG_DATABASE_URL must be an address of PostgreSQL, such as postgres://user@server/catalog.",
  });
}

/** Why a stored secret is not used; without a full stop. */
export const describeKeptSecret = (address: string): Localized => ({
  tr: `Saklanan gizli anahtar ${address} adresi ve o oturumun anahtarı içindir; başka bir adreste ya da başka bir anahtarla kullanılmaz`,
  en: `The stored secret is for ${address} and the key of that login; it is not used for another address or key`,
});

/** Settings of a store. Throws {@link UsageError} that names the missing ones. */
export function resolveSettings(env: Environment, config: Config, login?: LoginSettings): Settings {
  const found = findSettings({ env, config, login });
  const missing = NEEDED_SETTINGS.filter((name) => found[name].source === "nowhere").join(", ");
  if (missing !== "") {
    const { keptFor } = found.CATALOG_CLIENT_SECRET;
    const kept = describeKeptSecret(keptFor ?? "");
    const tell = (text: string): string => (keptFor === undefined ? "" : ` ${text}.`);
    throw new UsageError({
      tr: `Eksik ayar: ${missing}.${tell(kept.tr)} Ortam değişkeni olarak verin ya da "catalog login" ile kaydedin; denemek için "catalog sandbox" yerel bir pazaryeri açar.`,
      en: `Missing settings: ${missing}.${tell(kept.en)} Give them as environment variables or store them with "catalog login"; to try things out, "catalog sandbox" opens a local marketplace.`,
    });
  }
  return {
    baseUrl: found.CATALOG_BASE_URL.value,
    clientKey: found.CATALOG_CLIENT_KEY.value,
    clientSecret: found.CATALOG_CLIENT_SECRET.value,
    storeId: found.CATALOG_STORE_ID.value,
    home: resolveHome(env, config),
    databaseUrl: resolveDatabaseUrl(env, config),
    concurrency: config.concurrency,
    guardLimits: config.guards,
    priceUnit: config.priceUnit,
    requestsPerHour: readCount(env, "CATALOG_REQUESTS_PER_HOUR") ?? config.requestsPerHour,
    keepDays: readCount(env, "CATALOG_KEEP_DAYS") ?? config.keepDays,
    databaseWaitMs: readSeconds(env, "CATALOG_DATABASE_WAIT_SECONDS"),
  };
}

const MEGABYTE = 1024 * 1024;

/** The bytes of uploaded files that a page keeps for each store; `undefined` where nothing is set. */
export function resolveUploadsBytes(env: Environment): number | undefined {
  const megabytes = readCount(env, "CATALOG_UPLOADS_MB");
  return megabytes === undefined ? undefined : megabytes * MEGABYTE;
}

const KEEP_FILES = "CATALOG_KEEP_FILES_DAYS";
const KEEP_FILES_DAYS = 365;

/**
 * For how many days a server keeps the uploads and result files of finished runs of a store: such as
 * `365`, or `365,mutfak=30` where one store keeps them for less.
 */
export function resolveKeepFilesDays(env: Environment): (store: string) => number {
  const parts = (env[KEEP_FILES] ?? "").split(",").map((part) => part.trim());
  const days = new Map<string, number>();
  for (const part of parts.filter((each) => each !== "")) {
    const [, store = "", text = ""] = /^(?:([a-z0-9-]{1,40})=)?(\d{1,6})$/u.exec(part) ?? [];
    if (!(Number(text) >= 1)) throw badKeepFiles(part);
    days.set(store, Number(text));
  }
  return (store) => days.get(store) ?? days.get("") ?? KEEP_FILES_DAYS;
}

const badKeepFiles = (part: string): UsageError =>
  new UsageError({
    tr: `${KEEP_FILES} "${part}" anlaşılamadı. Gün sayısı verin, istenirse mağazalarınkini de: 365,mutfak=30`,
    en: `${KEEP_FILES} "${part}" is not understood. Give a number of days, and those of single stores if you like: 365,kitchen=30`,
  });

function readSeconds(env: Environment, name: string): number | undefined {
  const text = env[name];
  if (!text) return undefined;
  const seconds = Number(text);
  if (Number.isSafeInteger(seconds) && seconds >= 0) return seconds * 1000;
  throw new UsageError({
    tr: `${name} "${text}" anlaşılamadı. Saniye olarak 0 ya da daha büyük bir tam sayı verin.`,
    en: `${name} "${text}" is not understood. Give seconds as a whole number from 0 up.`,
  });
}

function readCount(env: Environment, name: string): number | undefined {
  const text = env[name];
  if (!text) return undefined;
  const count = Number(text);
  if (Number.isSafeInteger(count) && count >= 1) return count;
  throw new UsageError({
    tr: `${name} "${text}" anlaşılamadı. 1 ya da daha büyük bir tam sayı verin.`,
    en: `${name} "${text}" is not understood. Give a whole number from 1 up.`,
  });
}

const NAME = "catalog-toolkit";

/**
 * The folder of the marks that reveal a restored older copy of the home, by the platform's
 * convention; `undefined` where there is no such folder, or where it would be inside the home.
 */
export function resolveMarkFolder(
  env: Environment,
  home: string,
  platform: NodeJS.Platform,
): string | undefined {
  const state = findState(env, platform);
  if (state === undefined || !isAbsolute(state)) return undefined;
  const folder = join(state, NAME, "marks");
  return isInside(folder, home) ? undefined : folder;
}

function findState(env: Environment, platform: NodeJS.Platform): string | undefined {
  if (env["XDG_STATE_HOME"]) return env["XDG_STATE_HOME"];
  if (platform === "win32") {
    return env["LOCALAPPDATA"] && join(env["LOCALAPPDATA"], "State");
  }
  if (!env["HOME"]) return undefined;
  // Outside the default home, and outside folders that are cleared as caches.
  return platform === "darwin"
    ? join(env["HOME"], "Library", "Preferences")
    : join(env["HOME"], ".local", "state");
}

function isInside(folder: string, home: string): boolean {
  const route = relative(resolve(home), folder);
  return route === "" || (!route.startsWith("..") && !isAbsolute(route));
}

/** Parts of Node that print addresses, and the token in them, when they are debugged. */
const TALKATIVE: ReadonlySet<string> = new Set([
  "http",
  "http2",
  "https",
  "fetch",
  "undici",
  "net",
  "tls",
]);

/** Whether Node prints the addresses of calls. */
export function isTalkative(env: Environment): boolean {
  const sections = (env["NODE_DEBUG"] ?? "").toLowerCase().split(",");
  return sections.some((name) => TALKATIVE.has(name.trim()) || name.includes("*"));
}

/** Throws a {@link UsageError} where a call would be printed with its access token. */
export function assertSilent(env: Environment): void {
  if (!isTalkative(env)) return;
  const found = `NODE_DEBUG=${env["NODE_DEBUG"]}`;
  throw new UsageError({
    tr: `${found}: Node istek adreslerini erişim anahtarıyla birlikte yazdırır; hiçbir şey yapılmadı. NODE_DEBUG değişkenini kaldırıp yeniden çalıştırın (unset NODE_DEBUG).`,
    en: `${found}: Node would print the addresses of calls with the access token in them; nothing was done. Unset NODE_DEBUG and run it again (unset NODE_DEBUG).`,
  });
}
