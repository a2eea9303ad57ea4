/** The private files of the program, which are loaded where there is one: the stored login, the
 * confirmations of configuration files, and the list of stores that a worker serves. */

import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";

import { resolveLoginReference, UsageError } from "@catalog/console";
import { describeFileError, isFileError } from "@catalog/i18n";
import * as z from "zod";

import { isPrivate } from "./private-files.ts";

/** The contents of the login file. */
export interface LoginFile {
  readonly baseUrl: string;
  readonly clientKey: string;
  readonly storeId: string;
  /** Stored here only where there is no keyring. */
  readonly clientSecret?: string | undefined;
  /** Account of the secret in the keyring; only in the file of a home. */
  readonly account?: string | undefined;
}

export const loginSchema: z.ZodType<LoginFile> = z.object({
  baseUrl: z.string().min(1),
  clientKey: z.string().min(1),
  storeId: z.string().min(1),
  /** Stored here only where there is no keyring. */
  clientSecret: z.string().min(1).optional(),
  /** Stored here only in the file of a home, which may be moved. */
  account: z.string().min(1).optional(),
});

/** A stored login of feeds. */
export interface FeedLoginEntry {
  /** The beginning of the addresses that it is for. */
  readonly scope: string;
  readonly kind: "basic" | "key" | "bearer" | "header";
  /** The user, or the name of the header. */
  readonly name?: string | undefined;
  /** Path of the private key of an SFTP user. */
  readonly keyFile?: string | undefined;
  /** Fingerprint by which an SFTP server is known. */
  readonly hostKey?: string | undefined;
  /** Stored here only where there is no keyring. */
  readonly secret?: string | undefined;
  /** Account of the secret in the keyring. */
  readonly account?: string | undefined;
}

/** The contents of the file with the logins of feeds. */
export const feedLoginsSchema: z.ZodType<{ readonly logins: readonly FeedLoginEntry[] }> = z.object(
  {
    logins: z.array(
      z.object({
        scope: z.string().min(1),
        kind: z.enum(["basic", "key", "bearer", "header"]),
        name: z.string().min(1).optional(),
        keyFile: z.string().min(1).optional(),
        hostKey: z.string().min(1).optional(),
        secret: z.string().min(1).optional(),
        account: z.string().min(1).optional(),
      }),
    ),
  },
);

/** Logins of feeds that are named and not stored. */
export interface ListedLogin {
  readonly address: string;
  /** Where it is, such as `basic:env:NAME`. */
  readonly auth: string;
  /** Fingerprint by which an SFTP server is known. @default the one that was confirmed */
  readonly hostKey?: string | undefined;
}

export const listedLoginsSchema: z.ZodType<readonly ListedLogin[]> = z.array(
  z.strictObject({ address: z.url(), auth: z.string().min(1), hostKey: z.string().optional() }),
);

/** A confirmed configuration file. */
export interface TrustedFile {
  /** Path as in `ConfigFile`. */
  readonly path: string;
  /** SHA-256 of its content, in hexadecimal. */
  readonly sha256: string;
  /** Time of the confirmation, in ISO format. */
  readonly at: string;
}

export const trustSchema: z.ZodType<{ readonly files: readonly TrustedFile[] }> = z.object({
  files: z.array(z.object({ path: z.string(), sha256: z.string(), at: z.string() })),
});

const text = z.string().trim().min(1);

/** A store has its secret in the list, or in a file of its own. */
const listSchema = z
  .array(
    z
      .strictObject({
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
  .min(1);

type ListedStore = z.infer<typeof listSchema>[number];

/**
 * Reads the settings of each store, by the names of their environment variables. Throws
 * {@link UsageError} where a file cannot be read, is no such list, or shows a secret to others.
 */
export async function readStoreList(
  path: string,
  ownerId: number | undefined,
): Promise<readonly Readonly<Record<string, string>>[]> {
  const stores = parseList(path, await readText(path));
  if (stores.some(({ clientSecret }) => clientSecret !== undefined)) {
    await assertPrivate(path, ownerId);
  }
  const folder = dirname(path);
  return await Promise.all(stores.map((store) => toSettings(store, folder, ownerId)));
}

/** Reads a file that a person has named. Throws `UsageError` where that fails. */
export async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (!isFileError(error)) throw error;
    const { tr, en } = describeFileError(error);
    throw new UsageError(
      { tr: `“${path}” okunamadı: ${tr}.`, en: `"${path}" could not be read: ${en}.` },
      { cause: error },
    );
  }
}

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

async function toSettings(
  { baseUrl, clientKey, storeId, clientSecret, clientSecretFile, feedLogins }: ListedStore,
  folder: string,
  ownerId: number | undefined,
): Promise<Readonly<Record<string, string>>> {
  const secret =
    clientSecret ?? (await readSecret(resolve(folder, clientSecretFile ?? ""), ownerId));
  return {
    CATALOG_BASE_URL: baseUrl,
    CATALOG_CLIENT_KEY: clientKey,
    CATALOG_CLIENT_SECRET: secret,
    CATALOG_STORE_ID: storeId,
    ...(feedLogins !== undefined && {
      CATALOG_FEED_LOGINS: JSON.stringify(feedLogins.map((login) => toListed(login, folder))),
    }),
  };
}

/** Files are found from the folder of the list, from wherever a command is started. */
const toListed = ({ auth, ...login }: ListedLogin, folder: string): ListedLogin => ({
  ...login,
  auth: resolveLoginReference(auth, (path) => resolve(folder, path)),
});

async function readSecret(path: string, ownerId: number | undefined): Promise<string> {
  const secret = (await readText(path)).trim();
  await assertPrivate(path, ownerId);
  if (secret !== "") return secret;
  throw new UsageError({ tr: `“${path}” boş.`, en: `"${path}" is empty.` });
}

async function assertPrivate(path: string, ownerId: number | undefined): Promise<void> {
  if (await isPrivate(path, ownerId)) return;
  throw new UsageError({
    tr: `“${path}” gizli bir anahtar içeriyor ama başkaları da okuyabiliyor. Yalnız size açın: chmod 600 ${path}`,
    en: `"${path}" holds a secret and others can read it. Keep it to yourself: chmod 600 ${path}`,
  });
}
