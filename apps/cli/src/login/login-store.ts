/**
 * The login that `catalog login` stores: address, key and store in a file that only its owner can
 * read, the secret in the system's keyring, or in the same file where there is no keyring.
 */

import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";

import { canonicalAddress } from "@catalog/client/market-address";
import { UsageError } from "@catalog/console";

import { isPrivate, replacePrivateFile } from "../settings/private-file.ts";
import type { Keyring } from "./keyring.ts";
// `import type` loads nothing at run time, unlike `import { type … }`.
import type { LoginFile } from "./login-schema.ts";

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
  /** Reads the secret; throws `UsageError` when the keyring does not return it. */
  readSecret(): Promise<string>;
}

export interface LoginStore {
  /** Path of the file, which may not exist. */
  readonly path: string;
  /** Throws `UsageError` when others can read the file, or when it is invalid. */
  read(): Promise<StoredLogin | undefined>;
  /** Replaces the stored login. With `savedIn` `file`, does not use the keyring. */
  write(
    login: LoginAddress & { readonly clientSecret: string },
    savedIn: SecretLocation,
  ): Promise<SecretLocation>;
  /** Removes the login; returns whether there was one. */
  forget(): Promise<boolean>;
}

export interface LoginStoreOptions {
  readonly folder: string;
  readonly keyring: Keyring;
  /** Required owner of the file; `undefined` where the system has no owners. */
  readonly ownerId: number | undefined;
}

export function createLoginStore(options: LoginStoreOptions): LoginStore {
  const { folder, keyring } = options;
  const path = join(folder, "login.json");

  const forget = async (): Promise<boolean> => {
    const found = await readLoginFile(path);
    await rm(path, { force: true });
    if (found.kind === "login" && found.login.clientSecret === undefined) {
      await forgetSecret(keyring, found.login);
    }
    return found.kind !== "missing";
  };

  return {
    path,
    forget,
    async read() {
      const found = await readLoginFile(path);
      if (found.kind === "missing") return undefined;
      await assertPrivate(path, options);
      if (found.kind === "broken") throw brokenFile(path);
      const { clientSecret, ...login } = found.login;
      return {
        ...login,
        savedIn: clientSecret === undefined ? "keyring" : "file",
        readSecret: async () => clientSecret ?? (await readSecret(keyring, login)),
      };
    },
    async write({ baseUrl, clientKey, storeId, clientSecret }, savedIn) {
      const login = { baseUrl, clientKey, storeId };
      const kept = savedIn === "keyring" && (await keepSecret(keyring, login, clientSecret));
      await replacePrivateFile(path, JSON.stringify(kept ? login : { ...login, clientSecret }));
      return kept ? "keyring" : "file";
    },
  };
}

const accountOf = ({ baseUrl, clientKey }: LoginAddress): string =>
  `${clientKey} ${canonicalAddress(baseUrl)}`;

/** Earlier versions stored the account under the address as it was typed. */
function accountsOf(login: LoginAddress): readonly [string, ...string[]] {
  const [account, typed] = [accountOf(login), `${login.clientKey} ${login.baseUrl}`];
  return account === typed ? [account] : [account, typed];
}

/** Stores the secret and reads it again, as some keyrings accept a secret and do not store it. */
async function keepSecret(keyring: Keyring, login: LoginAddress, secret: string): Promise<boolean> {
  try {
    await keyring.write(accountOf(login), secret);
    return (await keyring.read(accountOf(login))) === secret;
  } catch {
    // There is no keyring, or it is locked; the caller learns it from the returned location.
    return false;
  }
}

async function readSecret(keyring: Keyring, login: LoginAddress): Promise<string> {
  let reason: unknown;
  try {
    for (const account of accountsOf(login)) {
      const secret = await keyring.read(account);
      if (secret !== undefined) return secret;
    }
  } catch (error) {
    reason = error;
  }
  const detail = reason instanceof Error ? ` (${reason.message})` : "";
  throw new UsageError({
    tr: `Kayıtlı oturumun gizli anahtarı sistem anahtarlığından okunamadı${detail}. "catalog login" ile yeniden kaydedin ya da CATALOG_CLIENT_SECRET değişkenini verin.`,
    en: `The secret of the stored login cannot be read from the system's keyring${detail}. Store it again with "catalog login", or set CATALOG_CLIENT_SECRET.`,
  });
}

async function forgetSecret(keyring: Keyring, login: LoginAddress): Promise<void> {
  try {
    const [account, ...earlier] = accountsOf(login);
    await keyring.forget(account);
    for (const old of earlier)
      if ((await keyring.read(old)) !== undefined) await keyring.forget(old);
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
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    return { kind: isMissing ? "missing" : "broken" };
  }
  try {
    const { loginSchema } = await import("./login-schema.ts");
    const parsed = loginSchema.safeParse(JSON.parse(text));
    return parsed.success ? { kind: "login", login: parsed.data } : { kind: "broken" };
  } catch {
    // Invalid JSON: the file was edited by hand.
    return { kind: "broken" };
  }
}

async function assertPrivate(path: string, { folder, ownerId }: LoginStoreOptions): Promise<void> {
  for (const savedIn of [folder, path]) {
    if (await isPrivate(savedIn, ownerId)) continue;
    throw new UsageError({
      tr: `${savedIn} başkalarına açık ya da size ait değil; içindeki oturum kullanılmadı. Düzeltmek için: chmod 700 "${folder}" && chmod 600 "${path}". Sonra gizli anahtarı yenileyin, çünkü okunmuş olabilir.`,
      en: `${savedIn} is open to others or is not yours; the login in it was not used. To correct it: chmod 700 "${folder}" && chmod 600 "${path}". Then renew the secret, since it may have been read.`,
    });
  }
}

function brokenFile(path: string): UsageError {
  return new UsageError({
    tr: `${path} dosyası anlaşılamadı. "catalog login" ile yeniden kaydedin.`,
    en: `${path} is not understood. Store the login again with "catalog login".`,
  });
}
