/**
 * The stores that `catalog login` keeps, each under a name: address, key and id in a file that only its
 * owner can read, the secret in the system's keyring, or in the same file where there is no keyring.
 * A home that is named keeps stores of its own, and uses those of the user while it has none.
 */

import { readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";

import { canonicalAddress, canonicalStoreId } from "@catalog/client/market-address";
import { UsageError } from "@catalog/console";
import type { Localized } from "@catalog/i18n";
import type { AsyncEntry } from "@napi-rs/keyring";

import type { LoginFile, StoreEntry } from "./file-schemas.ts";
import { changePrivateFile, isPrivate, replacePrivateFile } from "./private-files.ts";
import { findNamed, parseStoreName, unknownStore } from "./store-names.ts";

/** Where the secret is stored. */
export type SecretLocation = "keyring" | "file";

/** A stored login without its name and its secret. */
export interface LoginAddress {
  readonly baseUrl: string;
  readonly clientKey: string;
  readonly storeId: string;
}

/** A stored login. */
export interface StoredLogin extends LoginAddress {
  /** As it was typed; no other store of the same file has one that means the same. */
  readonly name: string;
  readonly savedIn: SecretLocation;
  /** The file that it was read from. */
  readonly path: string;
  /** Whether the named home keeps it, the user, for all homes without their own, or a list of stores. */
  readonly owner: "home" | "user" | "list";
  /** Logins of its feeds, as the variable `CATALOG_FEED_LOGINS` has them; only in a list. */
  readonly feedLogins?: string | undefined;
  /** Reads the secret; throws `UsageError` when the keyring does not return it. */
  readSecret(): Promise<string>;
}

/** All stored logins of a file, in the order in which they were stored. */
export interface StoredLogins {
  readonly stores: readonly StoredLogin[];
  /** Name of the store that is meant where none is named. */
  readonly defaultName: string | undefined;
}

export interface LoginStore {
  /** Path of the file that is written, which may not exist. */
  readonly path: string;
  /** Throws `UsageError` when others can read the file, or when it is invalid. */
  read(): Promise<StoredLogins>;
  /**
   * Stores a login under a name, and replaces the one that had it. The first login becomes the default.
   * With `savedIn` `file`, does not use the keyring. A file that cannot be used is set aside.
   */
  write(
    name: string,
    login: LoginAddress & { readonly clientSecret: string },
    savedIn: SecretLocation,
  ): Promise<SecretLocation>;
  /** Makes a store the default. Throws `UsageError` for a name that the file does not have. */
  setDefault(name: string): Promise<void>;
  /** Renames a store. Throws `UsageError` for an unknown old name, or a new one that is taken. */
  rename(name: string, newName: string): Promise<void>;
  /** Removes a store of the file, or without a name all of them; returns whether there was one. */
  forget(name?: string): Promise<boolean>;
}

export interface LoginStoreOptions {
  /** Folder of the user's logins, which is made private. */
  readonly folder: string;
  /**
   * Absolute path of a home that keeps logins of its own, in `login.json`. The folder's permissions
   * are left as they are. @default the logins are those of the user
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
  return {
    ...own,
    async read() {
      const found = await own.read();
      return found.stores.length > 0 ? found : await user.read();
    },
  };
}

/** Whether two stores are the same, whatever key opens them. */
export const isSameStore = (
  one: Pick<LoginAddress, "baseUrl" | "storeId">,
  other: Pick<LoginAddress, "baseUrl" | "storeId">,
): boolean =>
  canonicalAddress(one.baseUrl) === canonicalAddress(other.baseUrl) &&
  canonicalStoreId(one.storeId) === canonicalStoreId(other.storeId);

interface FileStoreOptions extends Pick<LoginStoreOptions, "keyring" | "ownerId"> {
  readonly folder: string;
  /** Whether the folder is a home, whose entries in the keyring no other home shares. */
  readonly isHome: boolean;
}

function createFileStore(options: FileStoreOptions): LoginStore {
  const { folder, isHome, keyring } = options;
  const path = join(folder, FILE);
  const { readUsable, readKnown, save } = openLoginFile(path, options);

  const write: LoginStore["write"] = async (typed, login, savedIn) => {
    const { baseUrl, clientKey, storeId, clientSecret } = login;
    const name = parseStoreName(typed);
    const { default: defaultName, stores } = await readUsable().catch(async (error: unknown) => {
      if (!(error instanceof UsageError)) throw error;
      await rename(path, `${path}.old`);
      return NO_LOGINS;
    });
    const old = findNamed(stores, name);
    const address = { name: old?.name ?? name, baseUrl, clientKey, storeId };
    const named = isHome ? { ...address, account: `${toAccount(address)} ${folder}` } : address;
    const isKept =
      savedIn === "keyring" && (await keepSecret(keyring, accountOf(named), clientSecret));
    const entry = isKept ? named : { ...address, clientSecret };
    const kept = old === undefined ? [...stores, entry] : stores.with(stores.indexOf(old), entry);
    await save({
      default: defaultName ?? (stores.length === 0 ? name : undefined),
      stores: kept,
    });
    return isKept ? "keyring" : "file";
  };
  const renameStore: LoginStore["rename"] = async (name, typed) => {
    const newName = parseStoreName(typed);
    const { file, entry } = await readKnown(name);
    const taken = findNamed(file.stores, newName);
    if (taken !== undefined && taken !== entry) throw takenName(taken.name);
    await save({
      default: file.default === entry.name ? newName : file.default,
      stores: file.stores.with(file.stores.indexOf(entry), { ...entry, name: newName }),
    });
  };
  const forget: LoginStore["forget"] = async (name) => {
    const found = await readLoginFile(path);
    if (found.kind === "missing") return false;
    if (found.kind === "broken") {
      if (name !== undefined) throw brokenFile(path);
      await rm(path, { force: true });
      return true;
    }
    const { default: defaultName, stores } = found.file;
    const entry = name === undefined ? undefined : findNamed(stores, name);
    if (name !== undefined && entry === undefined) return false;
    const rest = entry === undefined ? [] : stores.filter((store) => store !== entry);
    const isLeft = rest.some((store) => store.name === defaultName);
    await save({ default: isLeft ? defaultName : undefined, stores: rest });
    await forgetSecrets(keyring, entry === undefined ? stores : [entry], rest);
    return true;
  };
  const change = <Result>(act: () => Promise<Result>): Promise<Result> =>
    changePrivateFile(path, act);

  return {
    path,
    async read() {
      const { default: defaultName, stores } = await readUsable();
      return {
        defaultName: findNamed(stores, defaultName ?? "")?.name,
        stores: stores.map((entry) => toStoredLogin(entry, path, options)),
      };
    },
    write: (name, login, savedIn) => change(() => write(name, login, savedIn)),
    setDefault: (name) =>
      change(async () => {
        const { file, entry } = await readKnown(name);
        await save({ ...file, default: entry.name });
      }),
    rename: (name, newName) => change(() => renameStore(name, newName)),
    async forget(name) {
      // Where there is no file, there need be no folder for a lock either.
      const { kind } = await readLoginFile(path);
      return kind === "missing" ? false : await change(() => forget(name));
    },
  };
}

interface OpenLoginFile {
  /** Throws for a file that cannot be used: what others may have written must not be passed on. */
  readonly readUsable: () => Promise<LoginFile>;
  /** Throws for a name that the file does not have. */
  readonly readKnown: (name: string) => Promise<{
    readonly file: LoginFile;
    readonly entry: StoreEntry;
  }>;
  readonly save: (file: LoginFile) => Promise<void>;
}

function openLoginFile(path: string, options: FileStoreOptions): OpenLoginFile {
  const readUsable = async (): Promise<LoginFile> => {
    const found = await readLoginFile(path);
    if (found.kind === "missing") return NO_LOGINS;
    await assertPrivate(path, options);
    if (found.kind === "broken") throw brokenFile(path);
    return found.file;
  };
  return {
    readUsable,
    async readKnown(name) {
      const file = await readUsable();
      const entry = findNamed(file.stores, name);
      if (entry !== undefined) return { file, entry };
      throw unknownStore(
        name,
        file.stores.map((store) => store.name),
      );
    },
    async save(file) {
      if (file.stores.length === 0) await rm(path, { force: true });
      else {
        const isFolderKept = options.isHome;
        await replacePrivateFile(path, JSON.stringify(file), { isFolderKept });
      }
    },
  };
}

const toStoredLogin = (
  entry: StoreEntry,
  path: string,
  { isHome, keyring }: FileStoreOptions,
): StoredLogin => ({
  name: entry.name,
  baseUrl: entry.baseUrl,
  clientKey: entry.clientKey,
  storeId: entry.storeId,
  path,
  owner: isHome ? "home" : "user",
  savedIn: entry.clientSecret === undefined ? "keyring" : "file",
  readSecret: async () => entry.clientSecret ?? (await readSecret(keyring, accountOf(entry))),
});

/** Forgets what is in the keyring. Stores of the same application have one secret, which `rest` may use. */
async function forgetSecrets(
  keyring: Keyring,
  gone: readonly StoreEntry[],
  rest: readonly StoreEntry[],
): Promise<void> {
  const used = new Set(rest.map((store) => accountOf(store)));
  const stored = gone.filter(({ clientSecret }) => clientSecret === undefined);
  for (const account of new Set(stored.map((store) => accountOf(store)))) {
    if (!used.has(account)) await forgetSecret(keyring, account);
  }
}

const FILE = "login.json";

const NO_LOGINS: LoginFile = { stores: [] };

const takenName = (name: string): UsageError =>
  new UsageError({
    tr: `“${name}” adında bir mağaza zaten var. Başka bir ad verin; listesi: catalog login --list`,
    en: `There already is a store “${name}”. Give another name; to list them: catalog login --list`,
  });

const toAccount = ({ baseUrl, clientKey }: Omit<LoginAddress, "storeId">): string =>
  `${clientKey} ${canonicalAddress(baseUrl)}`;

/** The account of the secret in the keyring: that of its address unless it has one of its own. */
const accountOf = (
  entry: Pick<StoreEntry, "baseUrl" | "clientKey"> & { readonly account?: string | undefined },
): string => entry.account ?? toAccount(entry);

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
  | { readonly kind: "logins"; readonly file: LoginFile };

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
    const { loginFileSchema } = await import("./file-schemas.ts");
    const parsed = loginFileSchema.safeParse(JSON.parse(text));
    return parsed.success ? { kind: "logins", file: parsed.data } : { kind: "broken" };
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
