/**
 * Which of the stored logins a command uses. A store that is named is that store or none: settings of
 * another one beside the name are refused. Where several could be meant, a person is asked, and
 * nothing is guessed.
 */

import { canonicalAddress, canonicalStoreId } from "@catalog/client/market-address";
import { UsageError } from "@catalog/console";
import type { Localized } from "@catalog/i18n";

import type { Config } from "./config-schema.ts";
import type { LoginStore, StoredLogin, StoredLogins } from "./login-store.ts";
import { type Environment, findSettings, type LoginSettings } from "./settings.ts";
import { findNamed, unknownStore } from "./store-names.ts";

/** Names the store; the flag `--store` sets it for this process. */
export const STORE_VARIABLE = "CATALOG_STORE";

/** Why a login is used: its name was given, ids were, it is the default, the only one, or a person chose it. */
export type ChoiceReason = "flag" | "environment" | "config" | "ids" | "default" | "only" | "asked";

interface ChosenLogin {
  readonly login: StoredLogin;
  readonly by: ChoiceReason;
}

interface ChooseOptions {
  readonly env: Environment;
  readonly config: Config;
  /** Asks a person, who may cancel. @default nobody can be asked */
  readonly ask?: ((stores: readonly StoredLogin[]) => Promise<StoredLogin | undefined>) | undefined;
}

/**
 * Chooses the stored login, without its secret. `undefined` where none is stored, or where none is
 * needed because environment and configuration file have all settings. Throws {@link UsageError} for
 * an unknown name, for settings of another store, and where it is not clear which store is meant.
 */
export async function chooseLogin(
  { env, config, ask }: ChooseOptions,
  logins: Pick<LoginStore, "read">,
): Promise<ChosenLogin | undefined> {
  const found = findSettings({ env, config });
  const sources = Object.values(found).map(({ source }) => source);
  const given = env[STORE_VARIABLE];
  // The environment is stronger than the name in a configuration file.
  const isOverruled = sources.every((source) => source === "environment");
  const name = given || (isOverruled ? undefined : config.store);
  if (name) {
    const { stores } = await logins.read();
    const login = findNamed(stores, name);
    if (login === undefined) throw unknownStore(name, namesOf(stores));
    assertSameStore(login, { env, config, isGiven: Boolean(given) });
    return { login, by: given ? toNameSource(env) : "config" };
  }
  if (!sources.includes("nowhere")) return undefined;
  const stored = await logins.read();
  const choice = chooseUnnamed(stored, { env, config });
  if (choice !== undefined || stored.stores.length === 0) return choice;
  const asked = await ask?.(stored.stores);
  if (asked === undefined) throw unclearStore(namesOf(stored.stores));
  return { login: asked, by: "asked" };
}

const namesOf = (stores: readonly StoredLogin[]): readonly string[] =>
  stores.map(({ name }) => name);

/** Set for this process where the name was given as a flag. */
const BY_FLAG = "CATALOG_STORE_BY_FLAG";

const toNameSource = (env: Environment): ChoiceReason => (env[BY_FLAG] ? "flag" : "environment");

/** The environment in which a store is named by the flag `--store`, which is stronger than the variable. */
export function withStoreFlag(env: Environment, words: readonly string[]): Environment {
  const given = words.flatMap((word, at) =>
    word === "--store" ? (words[at + 1] ?? []) : (/^--store=(.*)$/u.exec(word)?.[1] ?? []),
  );
  const name = given.at(-1);
  return name === undefined ? env : { ...env, [STORE_VARIABLE]: name, [BY_FLAG]: "1" };
}

function chooseUnnamed(
  { stores, defaultName }: StoredLogins,
  { env, config }: ChooseOptions,
): ChosenLogin | undefined {
  const [only, ...others] = stores;
  if (only === undefined) return undefined;
  if (others.length === 0) return { login: only, by: "only" };
  const { CATALOG_BASE_URL: address, CATALOG_STORE_ID: id } = findSettings({ env, config });
  const fits = stores.filter(
    ({ baseUrl, storeId }) =>
      (address.value === "" || canonicalAddress(address.value) === canonicalAddress(baseUrl)) &&
      (id.value === "" || canonicalStoreId(id.value) === canonicalStoreId(storeId)),
  );
  const [fit, ...more] = fits;
  const isNamed = address.value !== "" || id.value !== "";
  if (isNamed && fit !== undefined && more.length === 0) return { login: fit, by: "ids" };
  // A key may open a store that no login names.
  const candidates = fits.length > 0 ? fits : stores;
  const standard = candidates.find(({ name }) => name === defaultName);
  return standard && { login: standard, by: "default" };
}

interface OtherSettings extends Omit<ChooseOptions, "ask"> {
  /** Whether the name is stronger than the configuration file. */
  readonly isGiven: boolean;
}

/** Throws where a setting says that another store is meant. */
function assertSameStore(login: StoredLogin, { env, config, isGiven }: OtherSettings): void {
  const found = findSettings({ env, config });
  const compared = [
    ["CATALOG_BASE_URL", "baseUrl", canonicalAddress, login.baseUrl],
    ["CATALOG_STORE_ID", "storeId", canonicalStoreId, login.storeId],
  ] as const;
  for (const [name, key, toCanonical, stored] of compared) {
    const { value, source } = found[name];
    if (source === "nowhere" || toCanonical(value) === toCanonical(stored)) continue;
    const where = source === "environment" ? name : `catalog.config (${key})`;
    const named = isGiven ? (env[BY_FLAG] ? "--store" : STORE_VARIABLE) : "catalog.config (store)";
    throw new UsageError(contradiction({ login, named, where, stored }));
  }
}

interface Contradiction {
  readonly login: StoredLogin;
  /** What names the store. */
  readonly named: string;
  /** What says otherwise. */
  readonly where: string;
  /** The value that the store has. */
  readonly stored: string;
}

const contradiction = ({ login: { name }, named, where, stored }: Contradiction): Localized => ({
  tr: `${named} “${name}” diyor, ama ${where} başka bir mağazaya ait (“${name}” için: ${stored}). Hangisi istendiği belli değil, hiçbir şey yapılmadı. Birini kaldırın.`,
  en: `${named} says “${name}”, but ${where} is that of another store (of “${name}”: ${stored}). It is not clear which one is meant, and nothing was done. Remove one of them.`,
});

/** The error of a command that would have to guess. */
export function unclearStore(names: readonly string[]): UsageError {
  const list = names.join(", ");
  const [first = ""] = names;
  return new UsageError({
    tr: `Birden çok mağaza var ve hangisi istendiği belli değil: ${list}. Adını verin: --store ${first} (ya da CATALOG_STORE=${first}). Varsayılanı seçmek için: catalog login --store ${first} --default`,
    en: `There are several stores, and it is not clear which one is meant: ${list}. Name it: --store ${first} (or CATALOG_STORE=${first}). To set a default: catalog login --store ${first} --default`,
  });
}

/**
 * The settings of the stored login that a command uses. The keyring is read only for a missing secret,
 * so that it cannot fail without need.
 */
export async function readLoginSettings(
  options: ChooseOptions,
  logins: Pick<LoginStore, "read">,
): Promise<(LoginSettings & Pick<StoredLogin, "name">) | undefined> {
  const chosen = await chooseLogin(options, logins);
  if (chosen === undefined) return undefined;
  const { name, baseUrl, clientKey, storeId } = chosen.login;
  const login = { name, baseUrl, clientKey, storeId };
  // A placeholder secret tells whether the stored one would be used.
  const trial = findSettings({ ...options, login: { ...login, clientSecret: "?" } });
  if (trial.CATALOG_CLIENT_SECRET.source !== "login") return login;
  return { ...login, clientSecret: await chosen.login.readSecret() };
}
