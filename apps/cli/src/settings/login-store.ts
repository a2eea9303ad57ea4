/**
 * The login that `catalog login` stores: address, key and store in a file that only its owner can
 * read, the secret in the system's keyring, or in the same file where there is no keyring. A home
 * that is named keeps a login of its own, and uses that of the user while it has none.
 */

import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";

import { canonicalAddress } from "@catalog/client/market-address";
import { UsageError } from "@catalog/console";
import type { Localized } from "@catalog/i18n";
import type { AsyncEntry } from "@napi-rs/keyring";

import type { LoginFile } from "./file-schemas.ts";
import { isPrivate, replacePrivateFile } from "./private-files.ts";

/** Where the secret is stored. */
export type SecretLocation = "keyring" | "file";

/** The stored login without the secret. */
export interface LoginAddress {
  readonly baseUrl: string;
  readonly clientKey: string;
  readonly storeId: string;
}

/** A stored login. */
export interface StoredLogin extends LoginAddress {
  readonly savedIn: SecretLocation;
  /** The file that it was read from. */
  readonly path: string;
  /** Whether the named home keeps it, or the user, for all homes without their own. */
  readonly owner: "home" | "user";
  /** Reads the secret; throws `UsageError` when the keyring does not return it. */
  readSecret(): Promise<string>;
}

export interface LoginStore {
  /** Path of the file that is written, which may not exist. */
  readonly path: string;
  /** Throws `UsageError` when others can read the file, or when it is invalid. */
  read(): Promise<StoredLogin | undefined>;
  /** Replaces the login at `path`. With `savedIn` `file`, does not use the keyring. */
  write(
    login: LoginAddress & { readonly clientSecret: string },
    savedIn: SecretLocation,
  ): Promise<SecretLocation>;
  /** Removes the login at `path`, and no other one; returns whether there was one. */
  forget(): Promise<boolean>;
}

export interface LoginStoreOptions {
  /** Folder of the user's login, which is made private. */
  readonly folder: string;
  /**
   * Absolute path of a home that keeps a login of its own, in `login.json`. The folder's permissions
   * are left as they are. @default the login is that of the user
   */
  readonly home?: string | undefined;
  readonly keyring: Keyring;
  /** Required owner of the file; `undefined` where the system has no owners. */
  readonly ownerId: number | undefined;
}

export function createLoginStore({ home, folder, ...options }: LoginStoreOptions): LoginStore {
  const user = createFileStore({ ...options, folder, isHome: false });
  if (home === undefined) return user;
  const own = createFileStore({ ...options, folder: home, isHome: true });
  return { ...own, read: async () => (await own.read()) ?? (await user.read()) };
}

interface FileStoreOptions extends Pick<LoginStoreOptions, "keyring" | "ownerId"> {
  readonly folder: string;
  /** Whether the folder is a home, whose entry in the keyring no other home shares. */
  readonly isHome: boolean;
}

function createFileStore(options: FileStoreOptions): LoginStore {
  const { folder, isHome, keyring } = options;
  const path = join(folder, FILE);

  return {
    path,
    async forget() {
      const found = await readLoginFile(path);
      await rm(path, { force: true });
      if (found.kind === "login" && found.login.clientSecret === undefined) {
        await forgetSecret(keyring, accountOf(found.login));
      }
      return found.kind !== "missing";
    },
    async read() {
      const found = await readLoginFile(path);
      if (found.kind === "missing") return undefined;
      await assertPrivate(path, options);
      if (found.kind === "broken") throw brokenFile(path);
      const { baseUrl, clientKey, storeId, clientSecret } = found.login;
      return {
        baseUrl,
        clientKey,
        storeId,
        path,
        owner: isHome ? "home" : "user",
        savedIn: clientSecret === undefined ? "keyring" : "file",
        readSecret: async () => clientSecret ?? (await readSecret(keyring, accountOf(found.login))),
      };
    },
    async write({ baseUrl, clientKey, storeId, clientSecret }, savedIn) {
      const login = { baseUrl, clientKey, storeId };
      const account = isHome ? `${toAccount(login)} ${folder}` : undefined;
      const named = { ...login, account };
      const kept =
        savedIn === "keyring" && (await keepSecret(keyring, accountOf(named), clientSecret));
      const text = JSON.stringify(kept ? named : { ...login, clientSecret });
      await replacePrivateFile(path, text, { isFolderKept: isHome });
      return kept ? "keyring" : "file";
    },
  };
}

const FILE = "login.json";

/** A login, and its account in the keyring where that is not the one of its address. */
type NamedLogin = LoginAddress & Pick<LoginFile, "account">;

const toAccount = ({ baseUrl, clientKey }: LoginAddress): string =>
  `${clientKey} ${canonicalAddress(baseUrl)}`;

const accountOf = (login: NamedLogin): string => login.account ?? toAccount(login);

/** Stores the secret and reads it again, as some keyrings accept a secret and do not store it. */
export async function keepSecret(
  keyring: Keyring,
  account: string,
  secret: string,
): Promise<boolean> {
  try {
    await keyring.write(account, secret);
    return (await keyring.read(account)) === secret;
  } catch {
    // There is no keyring, or it is locked; the caller learns it from the returned location.
    return false;
  }
}

const RENEW_LOGIN: Localized = {
  tr: `"catalog login" ile yeniden kaydedin ya da CATALOG_CLIENT_SECRET değişkenini verin`,
  en: `Store it again with "catalog login", or set CATALOG_CLIENT_SECRET`,
};

/** Reads a secret. Throws {@link UsageError}, which says how to renew it. */
export async function readSecret(
  keyring: Keyring,
  account: string,
  renew: Localized = RENEW_LOGIN,
): Promise<string> {
  let reason: unknown;
  try {
    const secret = await keyring.read(account);
    if (secret !== undefined) return secret;
  } catch (error) {
    reason = error;
  }
  const detail = reason instanceof Error ? ` (${reason.message})` : "";
  throw new UsageError({
    tr: `Kayıtlı oturumun gizli anahtarı sistem anahtarlığından okunamadı${detail}. ${renew.tr}.`,
    en: `The secret of the stored login cannot be read from the system's keyring${detail}. ${renew.en}.`,
  });
}

export async function forgetSecret(keyring: Keyring, account: string): Promise<void> {
  try {
    await keyring.forget(account);
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    throw new UsageError({
      tr: `Gizli anahtar sistem anahtarlığından silinemedi (${detail}). "catalog-toolkit" kaydını anahtarlıktan kendiniz silin.`,
      en: `The secret cannot be removed from the system's keyring (${detail}). Remove the entry "catalog-toolkit" there yourself.`,
    });
  }
}

type FoundFile =
  | { readonly kind: "missing" }
  | { readonly kind: "broken" }
  | { readonly kind: "login"; readonly login: LoginFile };

async function readLoginFile(path: string): Promise<FoundFile> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    // A home that is no folder is refused by the database, with its own advice.
    return { kind: code === "ENOENT" || code === "ENOTDIR" ? "missing" : "broken" };
  }
  try {
    const { loginSchema } = await import("./file-schemas.ts");
    const parsed = loginSchema.safeParse(JSON.parse(text));
    return parsed.success ? { kind: "login", login: parsed.data } : { kind: "broken" };
  } catch {
    // Invalid JSON: the file was edited by hand.
    return { kind: "broken" };
  }
}

/** Throws {@link UsageError} where others can read the logins of a folder. */
export async function assertPrivate(
  path: string,
  { folder, isHome, ownerId }: Pick<FileStoreOptions, "folder" | "isHome" | "ownerId">,
): Promise<void> {
  // A home may be a link or a volume that others may list; the file in it is private by itself.
  for (const place of isHome ? [path] : [folder, path]) {
    if (await isPrivate(place, ownerId)) continue;
    const fix = `${isHome ? "" : `chmod 700 "${folder}" && `}chmod 600 "${path}"`;
    throw new UsageError({
      tr: `${place} başkalarına açık ya da size ait değil; içindeki oturum kullanılmadı. Düzeltmek için: ${fix}. Sonra gizli anahtarı yenileyin, çünkü okunmuş olabilir.`,
      en: `${place} is open to others or is not yours; the login in it was not used. To correct it: ${fix}. Then renew the secret, since it may have been read.`,
    });
  }
}

function brokenFile(path: string): UsageError {
  return new UsageError({
    tr: `${path} dosyası anlaşılamadı. "catalog login" ile yeniden kaydedin.`,
    en: `${path} is not understood. Store the login again with "catalog login".`,
  });
}

/* The operating system's keyring, where there is one. */

const SERVICE = "catalog-toolkit";

/** Stores one secret for each account. Every method rejects where the system has no keyring. */
export interface Keyring {
  /** The secret; `undefined` when the account has none. */
  read(account: string): Promise<string | undefined>;
  write(account: string, secret: string): Promise<void>;
  forget(account: string): Promise<void>;
}

/** Opens Credential Manager, Keychain or Secret Service; the library is loaded at the first use. */
export function createSystemKeyring(): Keyring {
  return {
    read: async (account) => (await (await open(account)).getPassword()) ?? undefined,
    write: async (account, secret) => (await open(account)).setPassword(secret),
    forget: async (account) => void (await (await open(account)).deletePassword()),
  };
}

async function open(account: string): Promise<AsyncEntry> {
  const keyring = await import("@napi-rs/keyring");
  // Without this, Linux falls back to the kernel's keyring, which is empty after a restart.
  return new keyring.AsyncEntry(SERVICE, account, { linux: { store: "secret-service" } });
}
