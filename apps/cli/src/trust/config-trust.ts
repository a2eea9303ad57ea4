/**
 * Whether a configuration file that was found may be used. What lies in a folder that somebody
 * opened must not decide where the secret goes, which program runs or which guard holds a row; so a
 * file that decides anything is used once a person has confirmed it, by place and content.
 */

import { canonicalAddress, canonicalStoreId } from "@catalog/client/market-address";

import { type LoginStore } from "../login/login-store.ts";
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
import { type TrustStore } from "./trust-store.ts";

/** `harmless` decides nothing that would be otherwise without it; `changed` was confirmed before. */
export type Trust = "none" | "trusted" | "harmless" | "changed" | "unknown";

export interface FoundConfig {
  readonly trust: Trust;
  /** What may be used; empty unless the file is trusted or harmless. */
  readonly config: Config;
  /** `undefined` where there is none. */
  readonly file?: ConfigFile | undefined;
  /** What the file decides, by the names in it. */
  readonly decides: readonly string[];
}

/** How a configuration file is searched for, and where confirmations are kept. */
export interface ConfigPlaces extends FindConfigOptions {
  readonly trusted: TrustStore;
}

export interface FindUsableOptions extends ConfigPlaces {
  readonly cwd: string;
  readonly env: Environment;
  /** Where a stored login is looked for. @default nowhere */
  readonly logins?: Pick<LoginStore, "read"> | undefined;
}

/** The file of the working folder, and as much of it as may be used. */
export async function findUsableConfig(options: FindUsableOptions): Promise<FoundConfig> {
  const file = await findConfigFile(options.cwd, options);
  if (file === undefined) return { trust: "none", config: {}, decides: [] };
  const login = await orNone(async () => options.logins?.read());
  const decides = listDecisions(file.config, { env: options.env, login });
  const trust = await judge(file, decides, options.trusted);
  const isUsable = trust === "trusted" || trust === "harmless";
  return { trust, file, decides, config: isUsable ? file.config : {} };
}

async function judge(
  file: ConfigFile,
  decides: readonly string[],
  trusted: Pick<TrustStore, "list">,
): Promise<Trust> {
  // Where the confirmations cannot be read, nothing is confirmed; `catalog trust` says why.
  const files = (await orNone(() => trusted.list())) ?? [];
  const known = files.find(({ path }) => path === file.path);
  if (known?.sha256 === file.sha256) return "trusted";
  if (decides.length === 0 && !file.isForeign) return "harmless";
  return known === undefined ? "unknown" : "changed";
}

interface Elsewhere {
  readonly env: Environment;
  readonly login?: LoginSettings | undefined;
}

const CONNECTION = [
  ["baseUrl", "CATALOG_BASE_URL"],
  ["clientKey", "CATALOG_CLIENT_KEY"],
  ["storeId", "CATALOG_STORE_ID"],
] as const satisfies readonly (readonly [keyof Config, SettingName])[];

/** The form in which two of them are the same to the marketplace. */
const COMPARED = {
  CATALOG_BASE_URL: canonicalAddress,
  CATALOG_CLIENT_KEY: (key: string) => key,
  CATALOG_STORE_ID: canonicalStoreId,
} as const;

/** What decides nothing where this variable is set, which is stronger. */
const OVERRULED: Readonly<Record<string, string>> = {
  home: "CATALOG_HOME",
  requestsPerHour: "CATALOG_REQUESTS_PER_HOUR",
};

/** Not where anything goes, but in which words it is said. */
const WORDING = "lang";

/** What would be otherwise without the file. */
export function listDecisions(config: Config, { env, login }: Elsewhere): readonly string[] {
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
    // What is wrong with it is said where it is used.
    return undefined;
  }
}
