/** Decides whether a configuration file may be used. A file in a folder that a person merely opened
 * must not decide where the secret is sent, which program is run or which guard holds a row, so a
 * file that decides anything is used only after a person has confirmed it by path and content.
 * Confirmations are stored beside the login, outside every project, where only the person can write. */

import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";

import { canonicalAddress, canonicalStoreId } from "@catalog/client/market-address";
import type { Clock } from "@catalog/clock";
import { type Terminal, UsageError } from "@catalog/console";
import type { Lang } from "@catalog/i18n";

import { chooseLogin } from "./choose-store.ts";
import { type ConfigFile, findConfigFile, type FindConfigOptions } from "./config-file.ts";
import type { Config } from "./config-schema.ts";
import type { TrustedFile } from "./file-schemas.ts";
import type { LoginStore } from "./login-store.ts";
import { isPrivate, replacePrivateFile } from "./private-files.ts";
import {
  type Environment,
  findSettings,
  type LoginSettings,
  type SettingName,
} from "./settings.ts";

/** `harmless` decides nothing; `changed` was confirmed with another content. */
export type Trust = "none" | "trusted" | "harmless" | "changed" | "unknown";

export interface FoundConfig {
  readonly trust: Trust;
  /** The settings that may be used; empty unless the file is trusted or harmless. */
  readonly config: Config;
  /** The file; `undefined` where there is none. */
  readonly file?: ConfigFile | undefined;
  /** Names of the settings by which the file decides anything. */
  readonly decides: readonly string[];
}

/** Where a configuration file is searched for, and where confirmations are stored. */
export interface ConfigLocations extends FindConfigOptions {
  readonly trusted: TrustStore;
}

interface FindUsableOptions extends ConfigLocations {
  readonly cwd: string;
  readonly env: Environment;
  /** The stored logins. @default none */
  readonly logins?: Pick<LoginStore, "read"> | undefined;
}

/** Finds the file of the working folder, and the settings of it that may be used. */
export async function findUsableConfig(options: FindUsableOptions): Promise<FoundConfig> {
  const file = await findConfigFile(options.cwd, options);
  if (file === undefined) return { trust: "none", config: {}, decides: [] };
  const { env, logins } = options;
  const login = await orNone(
    async () => logins && (await chooseLogin({ env, config: {} }, logins))?.login,
  );
  const decides = listDecisions(file.config, { env: options.env, login });
  const trust = await judgeConfig(file, decides, options.trusted);
  const isUsable = trust === "trusted" || trust === "harmless";
  return { trust, file, decides, config: isUsable ? file.config : {} };
}

async function judgeConfig(
  file: ConfigFile,
  decides: readonly string[],
  trusted: Pick<TrustStore, "list">,
): Promise<Trust> {
  // Unreadable confirmations confirm nothing; `catalog trust` explains the error.
  const files = (await orNone(() => trusted.list())) ?? [];
  const known = files.find(({ path }) => path === file.path);
  if (known?.sha256 === file.sha256) return "trusted";
  if (decides.length === 0 && !file.isForeign) return "harmless";
  return known === undefined ? "unknown" : "changed";
}

interface OtherSettings {
  readonly env: Environment;
  readonly login?: LoginSettings | undefined;
}

const CONNECTION = [
  ["baseUrl", "CATALOG_BASE_URL"],
  ["clientKey", "CATALOG_CLIENT_KEY"],
  ["storeId", "CATALOG_STORE_ID"],
] as const satisfies readonly (readonly [keyof Config, SettingName])[];

/** Normal forms in which equal settings compare equal. */
const COMPARED = {
  CATALOG_BASE_URL: canonicalAddress,
  CATALOG_CLIENT_KEY: (key: string) => key,
  CATALOG_STORE_ID: canonicalStoreId,
} as const;

/** The variable that overrides each setting, so that the setting decides nothing. */
const OVERRULED: Readonly<Record<string, string>> = {
  store: "CATALOG_STORE",
  home: "CATALOG_HOME",
  databaseUrl: "CATALOG_DATABASE_URL",
  requestsPerHour: "CATALOG_REQUESTS_PER_HOUR",
  keepDays: "CATALOG_KEEP_DAYS",
  updates: "CATALOG_UPDATES",
};

/** The language changes only texts. */
const WORDING = "lang";

/** Settings that would differ without the file. */
export function listDecisions(config: Config, { env, login }: OtherSettings): readonly string[] {
  const without = findSettings({ env, config: {}, login });
  const withIt = findSettings({ env, config, login });
  const same = new Set<string>(
    CONNECTION.filter(
      ([, name]) => COMPARED[name](withIt[name].value) === COMPARED[name](without[name].value),
    ).map(([key]) => key),
  );
  return Object.entries(config)
    .filter(([key, value]) => value !== undefined && key !== WORDING && !same.has(key))
    .map(([key]) => key)
    .filter((key) => !env[OVERRULED[key] ?? ""]);
}

async function orNone<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch {
    // The error is reported where the setting is used.
    return undefined;
  }
}

export interface ConfigCheck {
  /** The settings that may be used now; empty for an unconfirmed file. */
  readonly config: Config;
  /** Whether the whole file may be used. */
  readonly isOpen: boolean;
  /**
   * Asks for confirmation where a person can answer; throws `UsageError` where the file is not
   * confirmed.
   */
  open(): Promise<Config>;
}

interface ConfigGateOptions {
  readonly found: FoundConfig;
  readonly trusted: Pick<TrustStore, "add">;
  readonly terminal: Terminal;
  readonly clock: Clock;
  readonly lang: Lang;
  /** Whether a person may be asked. */
  readonly canAsk: boolean;
}

export function createConfigCheck(options: ConfigGateOptions): ConfigCheck {
  const { found } = options;
  const { file } = found;
  let isOpen = file === undefined || found.trust === "trusted" || found.trust === "harmless";
  const config = (): Config => (isOpen ? (file?.config ?? {}) : {});
  return {
    get config() {
      return config();
    },
    get isOpen() {
      return isOpen;
    },
    async open() {
      if (!isOpen) await confirm(options);
      isOpen = true;
      return config();
    },
  };
}

/** Another user's file is confirmed with `catalog trust` only. */
async function confirm(options: ConfigGateOptions): Promise<void> {
  const { found, trusted, terminal, clock, lang, canAsk } = options;
  const { file } = found;
  const { formatConfigFile, TRUST_TEXTS, untrustedConfig } =
    await import("../commands/trust/run.ts");
  if (file === undefined || file.isForeign || !canAsk) throw untrustedConfig(found);
  const texts = TRUST_TEXTS[lang];
  terminal.err(formatConfigFile(file, lang));
  if ((await terminal.ask(texts.question, texts)) !== true) throw untrustedConfig(found);
  const { path, sha256 } = file;
  await trusted.add({ path, sha256, at: new Date(clock.now()).toISOString() });
}

export type { TrustedFile };

export interface TrustStore {
  /** Path of the file, which may not exist. */
  readonly path: string;
  /** Throws `UsageError` when others can write the file, or when it is invalid. */
  list(): Promise<readonly TrustedFile[]>;
  /** Adds a confirmation; it replaces an earlier one for the same path. */
  add(file: TrustedFile): Promise<void>;
  /** Removes a confirmation; returns whether there was one. */
  forget(path: string): Promise<boolean>;
}

interface TrustStoreOptions {
  readonly folder: string;
  /** Required owner of the file; `undefined` where the system has no owners. */
  readonly ownerId: number | undefined;
}

export function createTrustStore({ folder, ownerId }: TrustStoreOptions): TrustStore {
  const path = join(folder, "trusted.json");

  const list = async (): Promise<readonly TrustedFile[]> => {
    const text = await readIfThere(path);
    if (text === undefined) return [];
    const paths = [dirname(path), path];
    const isOwn = await Promise.all(paths.map((target) => isPrivate(target, ownerId)));
    if (isOwn.includes(false)) throw unusable(path);
    const { trustSchema } = await import("./file-schemas.ts");
    const parsed = trustSchema.safeParse(parseOr(text));
    if (!parsed.success) throw unusable(path);
    return parsed.data.files;
  };
  const write = async (files: readonly TrustedFile[]): Promise<void> =>
    replacePrivateFile(path, JSON.stringify({ files }, null, 2));

  return {
    path,
    list,
    async add({ path: target, sha256, at }) {
      const others = (await list()).filter((file) => file.path !== target);
      await write([...others, { path: target, sha256, at }]);
    },
    async forget(target) {
      const files = await list();
      const others = files.filter((file) => file.path !== target);
      if (others.length < files.length) await write(others);
      return others.length < files.length;
    },
  };
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw unusable(path);
  }
}

function parseOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Invalid JSON, which the schema then refuses: the file was edited by hand.
    return undefined;
  }
}

function unusable(path: string): UsageError {
  return new UsageError({
    tr: `${path} okunamıyor, bozulmuş ya da başkalarına açık; içindeki onaylar kullanılmadı. Dosyayı silip ayar dosyalarınızı yeniden onaylayın: catalog trust`,
    en: `${path} cannot be read, is broken or is open to others; what it confirms was not used. Delete it and confirm your configuration files again: catalog trust`,
  });
}
