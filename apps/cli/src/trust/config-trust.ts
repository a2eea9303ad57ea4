/**
 * Decides whether a configuration file may be used. A file in a folder that a person merely opened
 * must not decide where the secret is sent, which program is run or which guard holds a row, so a
 * file that decides anything is used only after a person has confirmed it by path and content.
 */

import { canonicalAddress, canonicalStoreId } from "@catalog/client/market-address";

import type { LoginStore } from "../login/login-store.ts";
import {
  type ConfigFile,
  findConfigFile,
  type FindConfigOptions,
} from "../settings/config-file.ts";
import {
  type Config,
  type Environment,
  findSettings,
  type LoginSettings,
  type SettingName,
} from "../settings/settings.ts";
import type { TrustStore } from "./trust-store.ts";

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

export interface FindUsableOptions extends ConfigLocations {
  readonly cwd: string;
  readonly env: Environment;
  /** The stored login. @default none */
  readonly logins?: Pick<LoginStore, "read"> | undefined;
}

/** Finds the file of the working folder, and the settings of it that may be used. */
export async function findUsableConfig(options: FindUsableOptions): Promise<FoundConfig> {
  const file = await findConfigFile(options.cwd, options);
  if (file === undefined) return { trust: "none", config: {}, decides: [] };
  const login = await orNone(async () => options.logins?.read());
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
  home: "CATALOG_HOME",
  databaseUrl: "CATALOG_DATABASE_URL",
  requestsPerHour: "CATALOG_REQUESTS_PER_HOUR",
  keepDays: "CATALOG_KEEP_DAYS",
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
