/**
 * A list of stores that a person writes, for containers and workers: names and settings in one file, the
 * secrets in files of their own. Where `CATALOG_STORES` names one, its stores take the place of those
 * that `catalog login` stores.
 */

import { dirname, resolve } from "node:path";

import type { FoundStore } from "@catalog/connection";
import { resolveLoginReference, UsageError } from "@catalog/console";
import * as z from "zod";

import { STORE_VARIABLE } from "./choose-store.ts";
import { isStoreName, type ListedLogin, listedLoginsSchema, readText } from "./file-schemas.ts";
import type { LoginStore, StoredLogin } from "./login-store.ts";
import { isPrivate } from "./private-files.ts";
import { FILED_SETTINGS, fileVariableOf, readSecretFile } from "./secret-files.ts";
import { findNamed } from "./store-names.ts";

/** Names a list of stores. */
export const LIST_VARIABLE = "CATALOG_STORES";

const text = z.string().trim().min(1);

/** A store has its secret in the list, or in a file of its own. */
const listSchema = z
  .array(
    z
      .strictObject({
        name: z.string().refine(isStoreName).optional(),
        baseUrl: text,
        clientKey: text,
        storeId: text,
        clientSecret: text.optional(),
        clientSecretFile: text.optional(),
        feedLogins: listedLoginsSchema.optional(),
      })
      .refine(
        (store) => (store.clientSecret === undefined) !== (store.clientSecretFile === undefined),
        {
          message: "clientSecret | clientSecretFile",
        },
      ),
  )
  .min(1)
  .refine((stores) => stores.every((store) => !store.name || isFirst(stores, store)), {
    message: "name",
  });

/** Whether no store before it has a name that means the same. */
function isFirst(
  stores: readonly { readonly name?: string | undefined }[],
  store: { readonly name?: string | undefined },
): boolean {
  const named = stores.flatMap(({ name }, at) => (name === undefined ? [] : [{ name, at }]));
  return findNamed(named, store.name ?? "")?.at === stores.indexOf(store);
}

type ListedStore = z.infer<typeof listSchema>[number];

interface ReadList {
  readonly path: string;
  readonly stores: readonly ListedStore[];
}

/** Throws {@link UsageError} where the list cannot be read, is none, or shows a secret to others. */
async function readList(path: string, ownerId: number | undefined): Promise<ReadList> {
  const stores = parseList(path, await readText(path));
  if (stores.some(({ clientSecret }) => clientSecret !== undefined)) {
    await assertPrivate(path, ownerId);
  }
  return { path, stores };
}

/**
 * Reads a list, with the variables of each store. Throws {@link UsageError} where a file cannot be
 * read, is no such list, or shows a secret to others.
 */
export async function readStoreList(
  path: string,
  ownerId: number | undefined,
): Promise<readonly FoundStore[]> {
  const list = await readList(path, ownerId);
  return await Promise.all(
    list.stores.map(async (store) => ({
      name: store.name,
      environment: await toEnvironment(store, { path, ownerId }),
    })),
  );
}

/** Reads the stores of a list as stored logins, which only the person who wrote it changes. */
export function createListedLogins(path: string, ownerId: number | undefined): LoginStore {
  const refuse = async (): Promise<never> => {
    throw new UsageError({
      tr: `Mağazalar ${LIST_VARIABLE} ile verilen “${path}” dosyasında; bu dosyayı düzenleyin ya da ${LIST_VARIABLE} değişkenini kaldırın.`,
      en: `The stores are in "${path}", which ${LIST_VARIABLE} names; edit that file, or unset ${LIST_VARIABLE}.`,
    });
  };
  return {
    path,
    async read() {
      const { stores } = await readList(path, ownerId);
      return {
        defaultName: undefined,
        stores: stores.map((store) => toLogin(store, { path, ownerId })),
      };
    },
    write: refuse,
    setDefault: refuse,
    rename: refuse,
    forget: refuse,
  };
}

interface ListPlace {
  readonly path: string;
  readonly ownerId: number | undefined;
}

const toLogin = (store: ListedStore, place: ListPlace): StoredLogin => ({
  name: store.name ?? store.storeId,
  baseUrl: store.baseUrl,
  clientKey: store.clientKey,
  storeId: store.storeId,
  path: place.path,
  owner: "list",
  savedIn: "file",
  feedLogins: toFeedLogins(store, place.path),
  readSecret: async () => await readSecret(store, place),
});

function parseList(path: string, content: string): readonly ListedStore[] {
  const parsed = listSchema.safeParse(parseJson(content));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue === undefined ? "" : ` (${issue.path.join(".") || "[]"}: ${issue.message})`;
  throw new UsageError({
    tr: `“${path}” bir mağaza listesi değil${place}. Her mağaza için baseUrl, clientKey, storeId ve clientSecretFile (ya da clientSecret) yazın.`,
    en: `"${path}" is no list of stores${place}. Give baseUrl, clientKey, storeId and clientSecretFile (or clientSecret) for each store.`,
  });
}

function parseJson(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return undefined;
  }
}

async function toEnvironment(
  store: ListedStore,
  place: ListPlace,
): Promise<Record<string, string>> {
  const feedLogins = toFeedLogins(store, place.path);
  return {
    // The files and the name of the environment are those of another store.
    ...Object.fromEntries(FILED_SETTINGS.slice(0, 2).map((name) => [fileVariableOf(name), ""])),
    [STORE_VARIABLE]: "",
    [LIST_VARIABLE]: place.path,
    CATALOG_BASE_URL: store.baseUrl,
    CATALOG_CLIENT_KEY: store.clientKey,
    CATALOG_CLIENT_SECRET: await readSecret(store, place),
    CATALOG_STORE_ID: store.storeId,
    ...(feedLogins !== undefined && { CATALOG_FEED_LOGINS: feedLogins }),
  };
}

/** Files are found from the folder of the list, from wherever a command is started. */
function toFeedLogins({ feedLogins }: ListedStore, path: string): string | undefined {
  const toListed = ({ auth, ...login }: ListedLogin): ListedLogin => ({
    ...login,
    auth: resolveLoginReference(auth, (file) => resolve(dirname(path), file)),
  });
  return feedLogins && JSON.stringify(feedLogins.map(toListed));
}

async function readSecret(
  { clientSecret, clientSecretFile = "" }: ListedStore,
  { path, ownerId }: ListPlace,
): Promise<string> {
  if (clientSecret !== undefined) return clientSecret;
  const file = resolve(dirname(path), clientSecretFile);
  const secret = readSecretFile(file, "clientSecretFile");
  await assertPrivate(file, ownerId);
  return secret;
}

async function assertPrivate(path: string, ownerId: number | undefined): Promise<void> {
  if (await isPrivate(path, ownerId)) return;
  throw new UsageError({
    tr: `“${path}” gizli bir anahtar içeriyor ama başkaları da okuyabiliyor. Yalnız size açın: chmod 600 ${path}`,
    en: `"${path}" holds a secret and others can read it. Keep it to yourself: chmod 600 ${path}`,
  });
}
