/** Runs `catalog stores`. Credentials come from the settings, and are never printed. */

import { EXIT, type Flags, printJson, readFlag, UsageError } from "@catalog/console";
import type { Lang, Localized } from "@catalog/i18n";
import { type StoreCredentials, type Team, TeamError, type TeamStore } from "@catalog/team";

import type { CommandContext } from "../../context.ts";
import { openTeamOf, readSecretKeys, TERMINAL } from "../../open-team.ts";
import { readLoginSettings } from "../../settings/choose-store.ts";
import type { Config } from "../../settings/config-schema.ts";
import { findUsableConfig } from "../../settings/config-trust.ts";
import { resolveSettings } from "../../settings/settings.ts";
import type { StoresParts } from "./index.ts";

/** Returns the exit code. */
export async function runStoresCommand(
  context: CommandContext,
  parts: StoresParts,
  flags: Flags,
): Promise<number> {
  const action = readFlag.text(flags, "action");
  const name = readFlag.text(flags, "name");
  if (action === "add" && name === undefined) throw new UsageError(USES.noName);
  if (action !== "add" && name !== undefined) throw new UsageError(USES.needless(name));
  // Nothing is asked of the marketplace for what could not be kept.
  if (action !== "list" && readSecretKeys(parts.env).length === 0) throw noKey();
  const { env } = parts;
  const { config } = await findUsableConfig({ ...parts.configLocations, ...parts });
  const credentials =
    action === "add" ? await readCredentials(context, { ...parts, config }) : undefined;
  const session = { ...context, command: "catalog stores" };
  await using team = await openTeamOf({ env, config }, session);
  if (action === "rotate") return await rotate(context, team);
  if (credentials === undefined) return await list(context, team);
  return await add(context, team, { name: name ?? "", ...credentials });
}

async function list({ terminal, json, lang }: CommandContext, team: Team): Promise<number> {
  const stores = await team.stores.list();
  const exit = EXIT.done;
  if (json) {
    printJson(terminal, {
      command: "stores",
      action: "list",
      stores: stores.map(toDocument),
      exit,
    });
  } else if (stores.length === 0) terminal.out(`${TEXTS[lang].none}\n`);
  else for (const store of stores) terminal.out(`${toLine(store)}\n`);
  return exit;
}

async function add(
  { terminal, json, lang }: CommandContext,
  team: Team,
  given: { readonly name: string } & StoreCredentials,
): Promise<number> {
  const isNew = (await team.stores.find(given.name)) === undefined;
  const store = await team.stores.save(given, TERMINAL);
  const exit = EXIT.done;
  if (json) {
    const document = { store: toDocument(store), new: isNew };
    printJson(terminal, { command: "stores", action: "add", ...document, exit });
  } else terminal.out(`${TEXTS[lang].saved(isNew)}\n${toLine(store)}\n`);
  return exit;
}

async function rotate({ terminal, json, lang }: CommandContext, team: Team): Promise<number> {
  const rotated = await team.stores.rotate(TERMINAL);
  const exit = EXIT.done;
  if (json) printJson(terminal, { command: "stores", action: "rotate", rotated, exit });
  else terminal.out(`${TEXTS[lang].rotated(rotated)}\n`);
  return exit;
}

const toDocument = ({ id, name, baseUrl, storeId }: TeamStore): object => ({
  id,
  name,
  base_url: baseUrl,
  store_id: storeId,
});

const toLine = ({ name, baseUrl, storeId }: TeamStore): string => `${name}  ${storeId}  ${baseUrl}`;

/** A person waits for the answer. */
const IMPATIENT = { patienceMs: 5_000, retries: 1, timeoutMs: 10_000 } as const;

/** The credentials of the settings, once the marketplace has accepted them. */
async function readCredentials(
  context: CommandContext,
  { env, logins, config }: StoresParts & { readonly config: Config },
): Promise<StoreCredentials> {
  const login = await readLoginSettings({ env, config }, logins);
  const { baseUrl, clientKey, clientSecret, storeId } = resolveSettings(env, config, login);
  const given = {
    CATALOG_BASE_URL: baseUrl,
    CATALOG_CLIENT_KEY: clientKey,
    CATALOG_CLIENT_SECRET: clientSecret,
    CATALOG_STORE_ID: storeId,
  };
  const { stop } = context;
  await using connection = await context.openConnection({ given, freshToken: true, ...IMPATIENT });
  await connection.client.login({ signal: stop });
  await connection.client.product.list({ limit: 1 }, { signal: stop });
  return { baseUrl, clientKey, clientSecret, storeId };
}

const noKey = (): TeamError => new TeamError("E_KEY_MISSING", USES.noKey);

const USES = {
  noName: {
    tr: "Mağazanın sunucudaki adını da yazın: catalog stores add AD",
    en: "Give the store's name on the server, too: catalog stores add NAME",
  },
  needless: (name: string): Localized => ({
    tr: `“${name}” burada verilmez; ad yalnız add içindir.`,
    en: `“${name}” does not go here; a name is for add only.`,
  }),
  noKey: {
    tr: "Mağaza bilgilerini şifreleyecek anahtar yok. CATALOG_SECRET_KEY ya da CATALOG_SECRET_KEY_FILE verin. Yeni anahtar: openssl rand -base64 32",
    en: "There is no key to encrypt the stores' credentials with. Give CATALOG_SECRET_KEY or CATALOG_SECRET_KEY_FILE. To make a key: openssl rand -base64 32",
  },
} as const;

interface StoresTexts {
  readonly none: string;
  readonly saved: (isNew: boolean) => string;
  readonly rotated: (count: number) => string;
}

const TEXTS: Readonly<Record<Lang, StoresTexts>> = {
  tr: {
    none: "Sunucunun henüz mağazası yok. Eklemek için: catalog stores add AD",
    saved: (isNew) =>
      isNew ? "Mağaza eklendi; bilgileri şifreli:" : "Mağazanın bilgileri yenilendi:",
    rotated: (count) =>
      count === 0
        ? "Bütün bilgiler zaten ilk anahtarla şifreli. Eski anahtarlar kaldırılabilir."
        : `${count} mağazanın bilgileri ilk anahtarla yeniden şifrelendi. Eski anahtarlar kaldırılabilir.`,
  },
  en: {
    none: "The server has no stores yet. To add one: catalog stores add NAME",
    saved: (isNew) =>
      isNew
        ? "The store was added; its credentials are encrypted:"
        : "The store's credentials were renewed:",
    rotated: (count) =>
      count === 0
        ? "All credentials are encrypted with the first key already. The old keys can go."
        : `The credentials of ${count} stores were encrypted anew with the first key. The old keys can go.`,
  },
};
