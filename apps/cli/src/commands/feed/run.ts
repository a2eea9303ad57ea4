/** Runs `catalog feed login`, `logout` and `logins`. Prints no secret, and takes none as a flag. */

import { EXIT, type Flags, printJson, readFlag, UsageError } from "@catalog/console";
import { type Lang, type Localized, LocalizedError } from "@catalog/i18n";
import { type DownloadLogin, FetchError, readHostKey, tryLogin } from "@catalog/images";

import type { CommandContext } from "../../context.ts";
import { type ListedFeedLogin, toLogin, toScope } from "../../settings/feed-logins.ts";
import type { FeedParts } from "./index.ts";

/** Returns the exit code. */
export async function runFeedCommand(
  context: CommandContext,
  parts: FeedParts,
  flags: Flags,
): Promise<number> {
  const action = readFlag.text(flags, "action");
  if (action === "logins") return await showLogins(context, parts);
  const address = readFlag.text(flags, "address");
  if (address === undefined) throw new UsageError(TEXTS.noAddress(action ?? ""));
  if (action === "logout") return await logOut(context, parts, address);
  return await logIn(context, parts, { flags, address });
}

interface LoginRequest {
  readonly flags: Flags;
  readonly address: string;
}

async function logIn(
  context: CommandContext,
  parts: FeedParts,
  { flags, address }: LoginRequest,
): Promise<number> {
  const { terminal, lang, json } = context;
  const scope = toScope(address);
  const isChecked = flags["unchecked"] !== true;
  const server = await readServer(context, { flags, address });
  const login = server && (await readLogin(context, parts, { flags, address, ...server }));
  if (login === undefined) {
    terminal.err(`${TEXTS.givenUp[lang]}\n`);
    return EXIT.interrupted;
  }
  const refusal = isChecked ? await findRefusal(context, { flags, address }, login) : undefined;
  if (refusal !== undefined) {
    terminal.err(`${refusal.localized[lang]} ${TEXTS.notStored[lang]}\n`);
    if (json) {
      const error = { code: refusal.code, message: refusal.localized[lang] };
      const document = { command: "feed", action: "login", scope, stored: false, error };
      printJson(terminal, { ...document, exit: EXIT.login });
    }
    return EXIT.login;
  }
  const store = await parts.openFeedLoginStore();
  const wanted = flags["in-file"] === true ? "file" : "keyring";
  const stored = await store.write(address, login, wanted);
  if (stored.savedIn !== wanted && login.secret !== "") {
    terminal.err(`${TEXTS.noKeyring[lang]}\n`);
  }
  if (json) {
    const document = { ...toDocument(stored), stored: true, checked: isChecked, file: stored.path };
    printJson(terminal, { command: "feed", action: "login", ...document, exit: EXIT.done });
    return EXIT.done;
  }
  terminal.outFile(`${TEXTS.stored(isChecked)[lang]}\n${describe(stored, lang)}\n`);
  return EXIT.done;
}

const isSftp = (address: string): boolean => /^sftp:/iu.test(address);
const isFileServer = (address: string): boolean => /^(?:sftp|ftps):/iu.test(address);

/** How a server proves who it is, beyond its certificate. */
interface KnownServer {
  readonly hostKey?: string | undefined;
}

/**
 * The key of an SFTP server, which a person or a flag confirms; `undefined` where the person does not.
 * Throws `UsageError` where the server has another key than the flag says, and where nobody can be
 * asked.
 */
async function readServer(
  { terminal, clock, stop, lang }: CommandContext,
  { flags, address }: LoginRequest,
): Promise<KnownServer | undefined> {
  if (!isSftp(address)) return {};
  const given = readFlag.text(flags, "host-key");
  if (flags["unchecked"] === true) {
    if (given === undefined) throw new UsageError(TEXTS.noHostKey(""));
    return { hostKey: given };
  }
  const allowHosts = readFlag.texts(flags, "allow-host");
  const found = await readHostKey({ address, clock, allowHosts, signal: stop }).catch(toUntried);
  if (given !== undefined) {
    if (given !== found) throw new UsageError(TEXTS.otherHostKey(found));
    return { hostKey: found };
  }
  if (!terminal.canAsk) throw new UsageError(TEXTS.noHostKey(found));
  const isRight = await terminal.ask(TEXTS.askHostKey(found)[lang], TEXTS.yesOrNo[lang]);
  return isRight === true ? { hostKey: found } : undefined;
}

/** The answers of a person, or of flags and the standard input; `undefined` where it is cancelled. */
async function readLogin(
  context: CommandContext,
  parts: FeedParts,
  { flags, address, hostKey }: LoginRequest & KnownServer,
): Promise<DownloadLogin | undefined> {
  const { kind, name: header } = readKind(flags, address);
  const name = header ?? (await readUser(context, parts, { flags, kind }));
  if (name === undefined) return undefined;
  const secret = await readSecret(context, parts, { flags, kind });
  if (secret === undefined) return undefined;
  const file = readFlag.text(flags, "key-file");
  const keyFile = file === undefined ? undefined : context.resolve(file);
  return toLogin({ kind, name: name.trim(), secret, hostKey, keyFile });
}

interface AskedPart {
  readonly flags: Flags;
  readonly kind: DownloadLogin["kind"];
}

/** The user; empty for a login without one, `undefined` where the question is cancelled. */
async function readUser(
  { terminal, lang }: CommandContext,
  { prompts }: FeedParts,
  { flags, kind }: AskedPart,
): Promise<string | undefined> {
  if (kind !== "basic" && kind !== "key") return "";
  const given = readFlag.text(flags, "user");
  if (given !== undefined) return given;
  if (flags["secret-stdin"] === true || !terminal.canAsk) throw new UsageError(TEXTS.noUser);
  return await prompts.ask(TEXTS.user[lang], "", () => undefined);
}

async function readSecret(
  { terminal, lang }: CommandContext,
  { prompts, readInput }: FeedParts,
  { flags, kind }: AskedPart,
): Promise<string | undefined> {
  if (flags["secret-stdin"] === true) return await readGivenSecret(readInput);
  if (terminal.canAsk) return await prompts.askSecret(TEXTS.secret[kind][lang]);
  // A private key may have no passphrase.
  if (kind === "key") return "";
  throw new UsageError(TEXTS.needsTerminal);
}

function readKind(
  flags: Flags,
  address: string,
): Pick<Parameters<typeof toLogin>[0], "kind" | "name"> {
  const text = readFlag.text(flags, "auth") ?? "basic";
  const isKey = readFlag.text(flags, "key-file") !== undefined;
  if (isKey && !isSftp(address)) throw new UsageError(TEXTS.keyOfSftp);
  if (isKey) return { kind: "key" };
  if (text === "basic") return { kind: text };
  const header = /^header:(.+)$/u.exec(text)?.[1];
  if (text !== "bearer" && header === undefined) throw new UsageError(TEXTS.badKind);
  if (isFileServer(address)) throw new UsageError(TEXTS.passwordOnly);
  return header === undefined ? { kind: "bearer" } : { kind: "header", name: header };
}

async function readGivenSecret(readInput: FeedParts["readInput"]): Promise<string> {
  const input = await readInput();
  // A terminal would show the typed secret.
  if (input === undefined) throw new UsageError(TEXTS.secretFromTerminal);
  return input.replace(/\r?\n$/u, "");
}

/**
 * Tries the address with the login; `undefined` where the server lets it in. Throws `UsageError` where
 * the server cannot be asked.
 */
async function findRefusal(
  { clock, stop }: CommandContext,
  { flags, address }: LoginRequest,
  login: DownloadLogin,
): Promise<FetchError | undefined> {
  try {
    const allowHosts = readFlag.texts(flags, "allow-host");
    await tryLogin({ address, login, clock, allowHosts, signal: stop });
    return undefined;
  } catch (error) {
    if (error instanceof FetchError && REFUSALS.has(error.code)) return error;
    return toUntried(error);
  }
}

const REFUSALS: ReadonlySet<string> = new Set(["E_FETCH_LOGIN_REFUSED", "E_FETCH_KEY_FILE"]);

/** Throws what a person can do where the server could not be asked. */
function toUntried(error: unknown): never {
  if (!(error instanceof LocalizedError)) throw error;
  const { tr, en } = error.localized;
  const untried = { tr: `${tr} ${TEXTS.notTried.tr}`, en: `${en} ${TEXTS.notTried.en}` };
  throw new UsageError(untried, { cause: error });
}

async function logOut(
  { terminal, lang, json }: CommandContext,
  parts: FeedParts,
  address: string,
): Promise<number> {
  const forgotten = await (await parts.openFeedLoginStore()).forget(address);
  if (json) {
    const scope = forgotten?.scope ?? toScope(address);
    const document = { scope, forgotten: forgotten !== undefined };
    printJson(terminal, { command: "feed", action: "logout", ...document, exit: EXIT.done });
  } else if (forgotten === undefined) terminal.out(`${TEXTS.noLogin[lang]}\n`);
  else terminal.out(`${TEXTS.forgotten(forgotten.scope)[lang]}\n`);
  return EXIT.done;
}

async function showLogins(
  { terminal, lang, json }: CommandContext,
  parts: FeedParts,
): Promise<number> {
  const logins = await (await parts.openFeedLoginStore()).list();
  if (json) {
    const documents = logins.map((login) => ({ ...toDocument(login), file: login.path }));
    printJson(terminal, { command: "feed", action: "logins", logins: documents, exit: EXIT.done });
  } else if (logins.length === 0) terminal.out(`${TEXTS.none[lang]}\n`);
  else for (const login of logins) terminal.outFile(`${describe(login, lang)}\n`);
  return EXIT.done;
}

const toDocument = ({ scope, kind, name, hostKey, savedIn }: ListedFeedLogin): object => ({
  scope,
  auth: kind === "header" ? `header:${name}` : kind,
  user: kind === "basic" || kind === "key" ? (name ?? null) : null,
  ...(hostKey !== undefined && { host_key: hostKey }),
  secret_in: savedIn,
});

function describe(login: ListedFeedLogin, lang: Lang): string {
  const { scope, kind, name, keyFile, savedIn, path } = login;
  const as = kind === "bearer" ? "bearer" : `${kind} ${name}`;
  const who = keyFile === undefined ? as : `${as} ${keyFile}`;
  const place = savedIn === "file" ? path : TEXTS.inKeyring[lang];
  return `${scope}…  ${who}  (${place})`;
}

const TEXTS = {
  noAddress: (action: string): Localized => ({
    tr: `Adresi de yazın: catalog feed ${action} https://…`,
    en: `Give the address too: catalog feed ${action} https://…`,
  }),
  badKind: {
    tr: "--auth anlaşılamadı. basic, bearer ya da header:ADI yazın; gizli bilgiyi buraya yazmayın.",
    en: "--auth is not understood. Give basic, bearer or header:NAME, and no secret here.",
  },
  user: { tr: "Kullanıcı adı", en: "User name" },
  secret: {
    basic: { tr: "Parola", en: "Password" },
    bearer: { tr: "Anahtar", en: "Token" },
    header: { tr: "Anahtar", en: "Key" },
    key: {
      tr: "SSH anahtarının parolası (yoksa boş bırakın)",
      en: "Passphrase of the SSH key (leave it empty if it has none)",
    },
  },
  keyOfSftp: {
    tr: "--key-file yalnız sftp:// adresleri içindir.",
    en: "--key-file is for addresses that begin with sftp:// only.",
  },
  passwordOnly: {
    tr: "sftp ve ftps adreslerine kullanıcı adı ve parolayla (--auth basic), sftp adreslerine --key-file ile de girilir.",
    en: "An sftp or ftps address is opened with user and password (--auth basic), that of sftp with --key-file, too.",
  },
  yesOrNo: { tr: { yes: "Evet", no: "Hayır" }, en: { yes: "Yes", no: "No" } },
  askHostKey: (key: string): Localized => ({
    tr: `Sunucunun anahtarı: ${key}. Sunucunun sahibinin bildirdiği anahtar bu mu?`,
    en: `The server's key: ${key}. Is this the key that the owner of the server has told you?`,
  }),
  otherHostKey: (key: string): Localized => ({
    tr: `Sunucunun anahtarı --host-key ile verilen değil: ${key}. Hiçbir şey gönderilmedi, hiçbir şey saklanmadı.`,
    en: `The server's key is not the one of --host-key: ${key}. Nothing was sent, and nothing was stored.`,
  }),
  noHostKey: (key: string): Localized => ({
    tr: `Sunucunun anahtarını sahibine sorun ve --host-key ile verin${key === "" ? "" : ` (şimdi gösterdiği: ${key})`}.`,
    en: `Ask the owner of the server for its key, and give it with --host-key${key === "" ? "" : ` (it now shows: ${key})`}.`,
  }),
  noUser: {
    tr: "Kullanıcı adını --user ile verin.",
    en: "Give the user name with --user.",
  },
  needsTerminal: {
    tr: "Soru sorulabilecek bir terminal yok. Parolayı ya da anahtarı --secret-stdin ile standart girdiden verin.",
    en: "There is no terminal to ask on. Give the password or key on standard input with --secret-stdin.",
  },
  secretFromTerminal: {
    tr: "--secret-stdin bir dosyadan ya da başka bir komuttan okur; terminalde yazılanı gösterirdi. Terminalde bu seçeneği kullanmayın.",
    en: "--secret-stdin reads from a file or another command; a terminal would show what is typed. Leave it out on a terminal.",
  },
  givenUp: { tr: "Vazgeçildi; hiçbir şey saklanmadı.", en: "Given up; nothing was stored." },
  notStored: { tr: "Hiçbir şey saklanmadı.", en: "Nothing was stored." },
  notTried: {
    tr: "Giriş denenemedi ve saklanmadı; denemeden saklamak için --unchecked ekleyin.",
    en: "The login could not be tried and was not stored; add --unchecked to store it untried.",
  },
  noKeyring: {
    tr: "Uyarı: sistem anahtarlığı kullanılamıyor; giriş yalnızca sizin okuyabildiğiniz, aşağıda adı geçen dosyada.",
    en: "Warning: the system's keyring cannot be used; the login is in the file named below, which only you can read.",
  },
  stored: (isChecked: boolean): Localized =>
    isChecked
      ? {
          tr: "Tamam: adres açıldı, giriş saklandı.",
          en: "Done: the address opens, and the login is stored.",
        }
      : { tr: "Giriş denenmeden saklandı.", en: "The login is stored; it was not tried." },
  forgotten: (scope: string): Localized => ({
    tr: `Saklanan giriş silindi: ${scope}`,
    en: `The stored login is removed: ${scope}`,
  }),
  noLogin: { tr: "Bu adres için saklanan giriş yok.", en: "No login is stored for this address." },
  none: {
    tr: "Saklanan besleme girişi yok. Saklamak için: catalog feed login ADRES",
    en: "No login of a feed is stored. To store one: catalog feed login ADDRESS",
  },
  inKeyring: { tr: "sistem anahtarlığında", en: "in the system's keyring" },
} as const;
