/** Runs `catalog feed login`, `logout` and `logins`. Prints no secret, and takes none as a flag. */

import { EXIT, type Flags, printJson, readFlag, UsageError } from "@catalog/console";
import { type Lang, type Localized, LocalizedError } from "@catalog/i18n";
import { type DownloadLogin, FetchError, tryLogin } from "@catalog/images";

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
  const login = await readLogin(context, parts, flags);
  if (login === undefined) {
    terminal.err(`${TEXTS.givenUp[lang]}\n`);
    return EXIT.interrupted;
  }
  const isChecked = flags["unchecked"] !== true;
  const refusal = isChecked ? await findRefusal(context, { flags, address }, login) : undefined;
  if (refusal !== undefined) {
    terminal.err(`${refusal.localized[lang]} ${TEXTS.notStored[lang]}\n`);
    if (json) {
      const error = { code: refusal.code, message: refusal.localized[lang] };
      printJson(terminal, {
        command: "feed",
        action: "login",
        scope,
        stored: false,
        error,
        exit: EXIT.login,
      });
    }
    return EXIT.login;
  }
  const store = await parts.openFeedLoginStore();
  const wanted = flags["in-file"] === true ? "file" : "keyring";
  const stored = await store.write(address, login, wanted);
  if (stored.savedIn !== wanted) terminal.err(`${TEXTS.noKeyring[lang]}\n`);
  if (json) {
    const document = { ...toDocument(stored), stored: true, checked: isChecked, file: stored.path };
    printJson(terminal, { command: "feed", action: "login", ...document, exit: EXIT.done });
    return EXIT.done;
  }
  terminal.outFile(`${TEXTS.stored(isChecked)[lang]}\n${describe(stored, lang)}\n`);
  return EXIT.done;
}

/** The answers of a person, or of flags and the standard input; `undefined` where it is cancelled. */
async function readLogin(
  { terminal, lang }: CommandContext,
  { prompts, readInput }: FeedParts,
  flags: Flags,
): Promise<DownloadLogin | undefined> {
  const { kind, header } = readKind(flags);
  const isAsked = flags["secret-stdin"] !== true;
  if (isAsked && !terminal.canAsk) throw new UsageError(TEXTS.needsTerminal);
  let name = header ?? readFlag.text(flags, "user");
  if (kind === "basic" && name === undefined) {
    if (!isAsked) throw new UsageError(TEXTS.noUser);
    name = await prompts.ask(TEXTS.user[lang], "", () => undefined);
    if (name === undefined) return undefined;
  }
  const secret = isAsked
    ? await prompts.askSecret(TEXTS.secret[kind === "basic" ? "password" : "key"][lang])
    : await readGivenSecret(readInput);
  return secret === undefined ? undefined : toLogin(kind, name?.trim(), secret);
}

function readKind(flags: Flags): {
  readonly kind: DownloadLogin["kind"];
  readonly header: string | undefined;
} {
  const text = readFlag.text(flags, "auth") ?? "basic";
  if (text === "basic" || text === "bearer") return { kind: text, header: undefined };
  const header = /^header:(.+)$/u.exec(text)?.[1];
  if (header === undefined) throw new UsageError(TEXTS.badKind);
  return { kind: "header", header };
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
    if (!(error instanceof LocalizedError)) throw error;
    if (error instanceof FetchError && error.code === "E_FETCH_LOGIN_REFUSED") return error;
    const { tr, en } = error.localized;
    throw new UsageError(
      { tr: `${tr} ${TEXTS.notTried.tr}`, en: `${en} ${TEXTS.notTried.en}` },
      { cause: error },
    );
  }
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

const toDocument = ({ scope, kind, name, savedIn }: ListedFeedLogin): object => ({
  scope,
  auth: kind === "header" ? `header:${name}` : kind,
  user: kind === "basic" ? (name ?? null) : null,
  secret_in: savedIn,
});

function describe({ scope, kind, name, savedIn, path }: ListedFeedLogin, lang: Lang): string {
  const who = kind === "bearer" ? "bearer" : `${kind} ${name}`;
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
    password: { tr: "Parola", en: "Password" },
    key: { tr: "Anahtar", en: "Key" },
  },
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
