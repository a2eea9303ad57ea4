/** The private files of the program, which are loaded where there is one: the stored logins and the
 * confirmations of configuration files. */

import { readFile } from "node:fs/promises";

import { UsageError } from "@catalog/console";
import { describeFileError, isFileError } from "@catalog/i18n";
import * as z from "zod";

import { findNamed, FIRST_NAME, parseStoreName } from "./store-names.ts";

/** A store in the file of logins. */
export interface StoreEntry {
  readonly name: string;
  readonly baseUrl: string;
  readonly clientKey: string;
  readonly storeId: string;
  /** Stored here only where there is no keyring. */
  readonly clientSecret?: string | undefined;
  /** Account of the secret in the keyring; only in the file of a home, which may be moved. */
  readonly account?: string | undefined;
}

/** The contents of the file of logins. */
export interface LoginFile {
  /** Name of the store that is meant where none is named. */
  readonly default?: string | undefined;
  readonly stores: readonly StoreEntry[];
}

const loginFields = {
  baseUrl: z.string().min(1),
  clientKey: z.string().min(1),
  storeId: z.string().min(1),
  clientSecret: z.string().min(1).optional(),
  account: z.string().min(1).optional(),
} as const;

export const isStoreName = (name: string): boolean => {
  try {
    return parseStoreName(name) === name;
  } catch {
    return false;
  }
};

/** Version 1.0.0-rc.1 stored one login without a name. */
const oneLogin = z
  .object(loginFields)
  .transform((login) => ({ default: FIRST_NAME, stores: [{ name: FIRST_NAME, ...login }] }));

export const loginFileSchema: z.ZodType<LoginFile> = z.union([
  z.object({
    default: z.string().optional(),
    stores: z
      .array(z.object({ name: z.string().refine(isStoreName), ...loginFields }))
      .refine((stores) => stores.every((store) => findNamed(stores, store.name) === store)),
  }),
  oneLogin,
]);

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
