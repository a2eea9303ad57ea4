/**
 * The logins of feeds that `catalog feed login` stores: for which addresses, as whom, and the secret
 * in the system's keyring, or in the same private file where there is no keyring. A home that is
 * named keeps its own and uses those of the user beside them. Scripts name the variable or the file
 * of a login instead; nothing but that name is ever stored or printed.
 */

import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { parseLoginReference, UsageError } from "@catalog/console";
import { type Localized, LocalizedError } from "@catalog/i18n";
import { type DownloadLogin, type FindLogin, loginRules } from "@catalog/images/download-login";

import {
  type FeedLoginEntry,
  feedLoginsSchema,
  listedLoginsSchema,
  readText,
} from "./file-schemas.ts";
import {
  assertPrivate,
  forgetSecret,
  keepSecret,
  type LoginStoreOptions,
  readSecret,
  type SecretLocation,
} from "./login-store.ts";
import { replacePrivateFile } from "./private-files.ts";
import type { Environment } from "./settings.ts";

/** A stored login without its secret. */
export interface ListedFeedLogin {
  /** The beginning of the addresses that it is for. */
  readonly scope: string;
  readonly kind: DownloadLogin["kind"];
  /** The user, or the name of the header. */
  readonly name: string | undefined;
  /** Fingerprint by which an SFTP server is known. */
  readonly hostKey: string | undefined;
  /** Path of the private key of an SFTP user. */
  readonly keyFile: string | undefined;
  readonly savedIn: SecretLocation;
  /** The file that names it. */
  readonly path: string;
}

/** Stores logins by the server and folder of an address. */
export interface FeedLoginStore {
  /** Path of the file that is written, which may not exist. */
  readonly path: string;
  /** All logins, the longest scopes first. Throws `UsageError` for a file that others can read. */
  list(): Promise<readonly ListedFeedLogin[]>;
  /** The login with the longest scope. Throws `UsageError` where its secret cannot be read. */
  find: FindLogin;
  /** The fingerprint that was confirmed for an address; reads no secret. */
  findHostKey(address: string): Promise<string | undefined>;
  /** Replaces the login of the address's server and folder. */
  write(address: string, login: DownloadLogin, savedIn: SecretLocation): Promise<ListedFeedLogin>;
  /** Removes the login that an address would use; `undefined` where there is none. */
  forget(address: string): Promise<ListedFeedLogin | undefined>;
}

const FILE = "feed-logins.json";

export function createFeedLoginStore(options: LoginStoreOptions): FeedLoginStore {
  const { home, folder, keyring, ownerId } = options;
  const user: Place = { path: join(folder, FILE), folder, isHome: false, ownerId };
  const own: Place =
    home === undefined ? user : { path: join(home, FILE), folder: home, isHome: true, ownerId };
  const places = home === undefined ? [user] : [own, user];
  const readAll = async (): Promise<readonly PlacedEntry[]> => {
    const all: PlacedEntry[] = [];
    for (const place of places) {
      for (const entry of await readEntries(place)) all.push({ entry, place });
    }
    // Of equal scopes the home's own stays first.
    return all.toSorted((a, b) => b.entry.scope.length - a.entry.scope.length);
  };
  const findEntry = async (address: string): Promise<PlacedEntry | undefined> =>
    (await readAll()).find(({ entry }) => loginRules.isInScope(entry.scope, address));

  return {
    path: own.path,
    list: async () => (await readAll()).map(toListed),
    async find(address) {
      const found = await findEntry(address);
      if (found === undefined) return undefined;
      const { kind, name, secret, account, scope, ...server } = found.entry;
      const read = async (named: string): Promise<string> =>
        await readSecret(keyring, named, {
          tr: `Girişi yeniden saklayın: catalog feed login ${scope}`,
          en: `Store the login again: catalog feed login ${scope}`,
        });
      // A private key without a passphrase has no secret.
      const known = secret ?? (account === undefined ? "" : await read(account));
      return toLogin({ kind, name, secret: known, ...server });
    },
    findHostKey: async (address) => (await findEntry(address))?.entry.hostKey,
    async write(address, login, savedIn) {
      const scope = toScope(address);
      const entries = await readEntries(own);
      const others = entries.filter((entry) => entry.scope !== scope);
      const { kind, secret } = login;
      const account = own.isHome ? `feed ${scope} ${own.folder}` : `feed ${scope}`;
      const isKept =
        secret !== "" && savedIn === "keyring" && (await keepSecret(keyring, account, secret));
      const kept = isKept ? { account } : secret === "" ? {} : { secret };
      const server = {
        ...("hostKey" in login && { hostKey: login.hostKey }),
        ...("keyFile" in login && { keyFile: login.keyFile }),
      };
      const entry: FeedLoginEntry = { scope, kind, name: nameOfLogin(login), ...server, ...kept };
      await writeEntries(own, [...others, entry]);
      // An account of another name is that of a home of which this one may be a copy.
      const hasAccount = entries.some((old) => old.scope === scope && old.account === account);
      if (hasAccount && !isKept) await forgetSecret(keyring, account);
      return toListed({ entry, place: own });
    },
    async forget(address) {
      const found = await findEntry(address);
      if (found === undefined) return undefined;
      const { entry, place } = found;
      const entries = await readEntries(place);
      await writeEntries(
        place,
        entries.filter(({ scope }) => scope !== entry.scope),
      );
      if (entry.account !== undefined) await forgetSecret(keyring, entry.account);
      return toListed(found);
    },
  };
}

/** The addresses that a login is for. Throws `UsageError` for an address that cannot have one. */
export function toScope(address: string): string {
  try {
    return loginRules.scopeOf(address);
  } catch (error) {
    if (!(error instanceof LocalizedError)) throw error;
    throw new UsageError(error.localized, { cause: error });
  }
}

interface Place {
  readonly path: string;
  readonly folder: string;
  readonly isHome: boolean;
  readonly ownerId: number | undefined;
}

interface PlacedEntry {
  readonly entry: FeedLoginEntry;
  readonly place: Place;
}

const toListed = ({ entry, place }: PlacedEntry): ListedFeedLogin => ({
  scope: entry.scope,
  kind: entry.kind,
  name: entry.name,
  hostKey: entry.hostKey,
  keyFile: entry.keyFile,
  savedIn: entry.account === undefined ? "file" : "keyring",
  path: place.path,
});

async function readEntries(place: Place): Promise<readonly FeedLoginEntry[]> {
  let text: string;
  try {
    text = await readFile(place.path, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT" || code === "ENOTDIR") return [];
    throw error;
  }
  await assertPrivate(place.path, place);
  const parsed = feedLoginsSchema.safeParse(parseJson(text));
  if (parsed.success) return parsed.data.logins;
  throw new UsageError({
    tr: `${place.path} dosyası anlaşılamadı. Silin ve girişleri "catalog feed login" ile yeniden saklayın.`,
    en: `${place.path} is not understood. Remove it, and store the logins again with "catalog feed login".`,
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function writeEntries(place: Place, logins: readonly FeedLoginEntry[]): Promise<void> {
  const text = JSON.stringify({ logins }, undefined, 2);
  await replacePrivateFile(place.path, text, { isFolderKept: place.isHome });
}

/** The user, or the name of the header. */
const nameOfLogin = (login: DownloadLogin): string | undefined =>
  "user" in login ? login.user : "name" in login ? login.name : undefined;

/** The parts of a login. */
export interface LoginParts {
  readonly kind: DownloadLogin["kind"];
  /** The user, or the name of the header. */
  readonly name?: string | undefined;
  readonly secret: string;
  readonly keyFile?: string | undefined;
  readonly hostKey?: string | undefined;
}

/** Puts a login together. Throws `UsageError` for one that cannot be sent. */
export function toLogin(parts: LoginParts): DownloadLogin {
  const login = joinLogin(parts);
  if (loginRules.isSendable(login)) return login;
  throw new UsageError({
    tr: "Bu giriş gönderilemez: kullanıcı adı, parola, anahtar ve başlık adı boş olamaz; kullanıcı adında iki nokta, gizli bilgide satır sonu olamaz.",
    en: "This login cannot be sent: user, password, key and name of the header must not be empty; a user has no colon, and a secret no line break.",
  });
}

function joinLogin({ kind, name = "", secret, keyFile = "", hostKey }: LoginParts): DownloadLogin {
  const known = hostKey === undefined ? {} : { hostKey };
  if (kind === "bearer") return { kind, secret };
  if (kind === "header") return { kind, name, secret };
  if (kind === "key") return { kind, user: name, secret, keyFile, ...known };
  return { kind, user: name, secret, ...known };
}

/* Logins that are named and not stored. */

interface NamedLoginOptions {
  readonly env: Environment;
  /** Makes a path absolute. */
  readonly resolve: (path: string) => string;
}

/** A login that is not stored, but named. */
interface NamedLogin {
  readonly reference: string;
  /** Fingerprint by which an SFTP server is known. */
  readonly hostKey: string | undefined;
}

/** Reads a login from the variable or the file that a reference names. Throws `UsageError`. */
async function readNamedLogin(
  { reference, hostKey }: NamedLogin,
  { env, resolve }: NamedLoginOptions,
): Promise<DownloadLogin> {
  const { kind, name, source, place } = parseLoginReference(reference);
  if (kind === "key") return toLogin({ kind, name, secret: "", keyFile: resolve(place), hostKey });
  const text = source === "env" ? (env[place] ?? "") : await readText(resolve(place));
  if (text.trim() === "") throw new UsageError(missing(source, place));
  const secret = text.replace(/\r?\n$/u, "");
  if (kind !== "basic") return toLogin({ kind, name, secret: secret.trim() });
  const colon = secret.indexOf(":");
  if (colon < 1) throw new UsageError(noPair(place));
  const user = secret.slice(0, colon);
  return toLogin({ kind, name: user, secret: secret.slice(colon + 1), hostKey });
}

const missing = (source: string, place: string): Localized =>
  source === "env"
    ? {
        tr: `Beslemenin girişi için adı verilen ${place} değişkeni tanımlı değil ya da boş.`,
        en: `The variable ${place}, which is named for the login of the feed, is not set or empty.`,
      }
    : {
        tr: `Beslemenin girişi için adı verilen “${place}” dosyası boş.`,
        en: `The file "${place}", which is named for the login of the feed, is empty.`,
      };

const noPair = (place: string): Localized => ({
  tr: `${place} içinde kullanıcı:parola biçiminde bir giriş yok.`,
  en: `${place} has no login of the form user:password in it.`,
});

/** Logins that a list of stores names, `[{ address, auth }]`. */
const LISTED_VARIABLE = "CATALOG_FEED_LOGINS";

interface FeedLoginsOptions extends NamedLoginOptions {
  readonly stored: Pick<FeedLoginStore, "find" | "findHostKey">;
}

/**
 * Finds the login of an address: the one that is named on the command line, one of the environment's
 * list, or a stored one. Throws `UsageError` for a name that cannot be read.
 */
export async function openFeedLogins(
  named: { readonly reference: string | undefined; readonly hostKey: string | undefined },
  options: FeedLoginsOptions,
): Promise<FindLogin> {
  const { stored } = options;
  const readNamed = async (login: NamedLogin, address: string): Promise<DownloadLogin> => {
    // A server that was confirmed is known, whoever logs in.
    const hostKey = login.hostKey ?? (await stored.findHostKey(address));
    return await readNamedLogin({ ...login, hostKey }, options);
  };
  const { reference, hostKey } = named;
  if (reference !== undefined) {
    // A mistake is reported at once; a secret that is renewed while a schedule runs is read anew.
    await readNamedLogin({ reference, hostKey }, options);
    return async (address) => await readNamed({ reference, hostKey }, address);
  }
  const listed = readListed(options.env[LISTED_VARIABLE] ?? "");
  return async (address) => {
    const found = listed
      .toSorted((a, b) => b.scope.length - a.scope.length)
      .find(({ scope }) => loginRules.isInScope(scope, address));
    if (found !== undefined) return await readNamed(found.login, address);
    const login = await stored.find(address);
    if (login === undefined || hostKey === undefined || !("user" in login)) return login;
    return { ...login, hostKey };
  };
}

interface ListedScope {
  readonly scope: string;
  readonly login: NamedLogin;
}

function readListed(text: string): readonly ListedScope[] {
  if (text === "") return [];
  const parsed = listedLoginsSchema.safeParse(parseJson(text));
  if (!parsed.success) {
    throw new UsageError({
      tr: `${LISTED_VARIABLE} anlaşılamadı. Şöyle yazın: [{"address":"https://…/","auth":"basic:env:DEĞİŞKEN"}]`,
      en: `${LISTED_VARIABLE} is not understood. Write it like [{"address":"https://…/","auth":"basic:env:NAME"}]`,
    });
  }
  return parsed.data.map(({ address, auth, hostKey }) => ({
    scope: toScope(address),
    login: { reference: auth, hostKey },
  }));
}
