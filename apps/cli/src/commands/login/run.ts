/** Texts of `catalog login`. */

import { parseBaseUrl } from "@catalog/client/base-url";
import { AuthError, ClientError, PermissionError, SettingsError } from "@catalog/client/errors";
import { canonicalAddress, canonicalStoreId } from "@catalog/client/market-address";
import { EXIT, type Flags, printJson, UsageError, readFlag } from "@catalog/console";
import type { Lang } from "@catalog/i18n";

import type { CommandContext } from "../../context.ts";
import { describeFailure } from "../../failure.ts";
import { findUsableConfig } from "../../settings/config-trust.ts";
import type { LoginAddress, LoginStore, StoredLogin } from "../../settings/login-store.ts";
import { findSettings, type SettingName } from "../../settings/settings.ts";
import type { LoginParts } from "./index.ts";

/** `catalog login`: asks for the credentials, checks them with real calls and stores them. */
export async function runLoginCommand(
  context: CommandContext,
  parts: LoginParts,
  flags: Flags,
): Promise<number> {
  if (flags["status"] === true) return await showStatus(context, parts);
  if (flags["forget"] === true) return await forget(context, parts);
  return await logIn(context, parts, flags);
}

/** Tries credentials with real calls, and stores them where they are accepted. */
export async function storeLogin(
  context: Pick<CommandContext, "openConnection" | "stop">,
  logins: Pick<LoginStore, "write">,
  login: Parameters<LoginStore["write"]>[0],
): Promise<void> {
  await tryLogin(context, {
    CATALOG_BASE_URL: login.baseUrl,
    CATALOG_CLIENT_KEY: login.clientKey,
    CATALOG_CLIENT_SECRET: login.clientSecret,
    CATALOG_STORE_ID: login.storeId,
  });
  await logins.write(login, "keyring");
}

const FIELDS = [
  { name: "CATALOG_BASE_URL", flag: "base-url" },
  { name: "CATALOG_CLIENT_KEY", flag: "client-key" },
  { name: "CATALOG_STORE_ID", flag: "store-id" },
] as const satisfies readonly { readonly name: SettingName; readonly flag: string }[];

type Answers = Record<SettingName, string>;

async function logIn(context: CommandContext, parts: LoginParts, flags: Flags): Promise<number> {
  const isAsked = flags["secret-stdin"] !== true;
  if (isAsked && !context.terminal.canAsk) throw toUsage((texts) => texts.needsTerminal);
  const answers = await readAnswers(context, parts, flags);
  if (answers === undefined) return giveUp(context, EXIT.interrupted);
  // A document is one answer, so with --json nothing is asked twice.
  const tried = await tryUntilAccepted(context, answers, isAsked && !context.json, parts.prompts);
  if ("exit" in tried) return giveUp(context, tried.exit);
  return await keep(context, parts, { flags, answers: tried.answers });
}

function giveUp({ terminal, lang }: CommandContext, exit: number): number {
  terminal.err(`${LOGIN_TEXTS[lang].givenUp}\n`);
  return exit;
}

interface TriedLogin {
  readonly flags: Flags;
  readonly answers: Answers;
}

async function keep(
  context: CommandContext,
  { logins }: LoginParts,
  { flags, answers }: TriedLogin,
): Promise<number> {
  const login = {
    baseUrl: answers.CATALOG_BASE_URL,
    clientKey: answers.CATALOG_CLIENT_KEY,
    storeId: answers.CATALOG_STORE_ID,
  };
  const location = flags["in-file"] === true ? "file" : "keyring";
  const clientSecret = answers.CATALOG_CLIENT_SECRET;
  const before = await readKept(logins);
  const savedIn = await logins.write({ ...login, clientSecret }, location);
  const { terminal, json, lang } = context;
  const texts = LOGIN_TEXTS[lang];
  // A home's first login leaves that of the user where it is.
  if (before?.path === logins.path && !isSameStore(before, login)) {
    terminal.err(`${texts.replaced(before.storeId, before.baseUrl)}\n`);
  }
  if (savedIn !== location) terminal.err(`${texts.noKeyring}\n`);
  if (!json) terminal.out(`${texts.done}\n`);
  show(context, { ...login, savedIn, path: logins.path });
  if (!json) terminal.err(`\n${texts.next}\n`);
  return EXIT.done;
}

const isSameStore = (one: LoginAddress, other: LoginAddress): boolean =>
  canonicalAddress(one.baseUrl) === canonicalAddress(other.baseUrl) &&
  canonicalStoreId(one.storeId) === canonicalStoreId(other.storeId);

/**
 * Tries the login; after a refusal asks again for what the refusal is about, and keeps the other
 * answers. Returns the exit code of the refusal when the person cancels, and throws it where
 * nothing may be asked.
 */
async function tryUntilAccepted(
  context: CommandContext,
  given: Answers,
  mayAsk: boolean,
  prompts: LoginParts["prompts"],
): Promise<{ readonly answers: Answers } | { readonly exit: number }> {
  let answers = given;
  for (;;) {
    try {
      await tryLogin(context, answers);
      return { answers };
    } catch (error) {
      const refused = mayAsk && error instanceof ClientError ? findRefused(error) : undefined;
      if (refused === undefined) throw error;
      const { terminal, lang } = context;
      const { text, exit } = describeFailure(error, lang, false);
      terminal.err(`${LOGIN_TEXTS[lang].refused[refused.what](text)}\n`);
      const corrected = await askAll(context, { names: refused.names, answers, prompts });
      if (corrected === undefined) return { exit };
      answers = corrected;
    }
  }
}

interface Refused {
  readonly what: keyof LoginTexts["refused"];
  readonly names: readonly SettingName[];
}

/** The answers that a refusal is about. Which of key and secret is wrong, nobody says. */
function findRefused(error: ClientError): Refused {
  if (error instanceof AuthError) {
    return { what: "login", names: ["CATALOG_CLIENT_KEY", "CATALOG_CLIENT_SECRET"] };
  }
  if (error instanceof PermissionError) return { what: "store", names: ["CATALOG_STORE_ID"] };
  return { what: "address", names: ["CATALOG_BASE_URL"] };
}

interface Questions {
  readonly names: readonly SettingName[];
  readonly answers: Answers;
  readonly prompts: LoginParts["prompts"];
}

/** Asks for the named settings, each until it is answered; `undefined` when one was cancelled. */
async function askAll(
  { terminal, lang }: CommandContext,
  { names, answers, prompts }: Questions,
): Promise<Answers | undefined> {
  const { questions, empty } = LOGIN_TEXTS[lang];
  const asked = { ...answers };
  for (const name of names) {
    for (asked[name] = ""; asked[name] === "";) {
      const answer =
        name === "CATALOG_CLIENT_SECRET"
          ? await prompts.askSecret(questions[name])
          : await prompts.ask(questions[name], answers[name], (text) =>
              name === "CATALOG_STORE_ID" ? findMistake(name, text, lang) : undefined,
            );
      if (answer === undefined) return undefined;
      const wrong = answer === "" ? empty : findMistake(name, answer, lang);
      if (wrong !== undefined) terminal.err(`${wrong}\n`);
      asked[name] = wrong === undefined ? answer : "";
    }
  }
  return asked;
}

/** A number, an ObjectId or a UUID; secrets are longer or have other signs. */
const STORE_ID = /^(?:[\w-]{1,24}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/iu;

/** What is wrong with an address or the id of a store, before anything else is asked. */
function findMistake(name: SettingName, answer: string, lang: Lang): string | undefined {
  if (name === "CATALOG_STORE_ID") {
    return STORE_ID.test(answer) || answer === "" ? undefined : LOGIN_TEXTS[lang].noStoreId;
  }
  if (name !== "CATALOG_BASE_URL") return undefined;
  try {
    parseBaseUrl(answer);
    return undefined;
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return error.localized[lang];
  }
}

/** Answers of the person, or of flags; `undefined` when a question was cancelled. */
async function readAnswers(
  context: CommandContext,
  { prompts, readInput, ...parts }: LoginParts,
  flags: Flags,
): Promise<Answers | undefined> {
  const isAsked = flags["secret-stdin"] !== true;
  const { env, logins } = parts;
  // Values of an unconfirmed configuration file are not proposed, as the secret would be sent to
  // its address.
  const { config } = await findUsableConfig({ ...parts.configLocations, ...parts });
  const known = findSettings({ env, config, login: await readKept(logins) });
  const valueOf = ({ name, flag }: (typeof FIELDS)[number]): string => {
    const given = flags[flag];
    return typeof given === "string" ? given : known[name].value;
  };
  const [baseUrl, clientKey, storeId] = FIELDS.map(valueOf);
  const answers: Answers = {
    CATALOG_BASE_URL: baseUrl ?? "",
    CATALOG_CLIENT_KEY: clientKey ?? "",
    CATALOG_STORE_ID: storeId ?? "",
    CATALOG_CLIENT_SECRET: "",
  };
  const stated = readFlag.text(flags, "store-id") ?? "";
  if (findMistake("CATALOG_STORE_ID", stated, "en") !== undefined) {
    throw toUsage((each) => each.noStoreId);
  }
  if (isAsked) {
    const open = FIELDS.filter(({ flag }) => typeof flags[flag] !== "string");
    const names = [...open.map(({ name }) => name), "CATALOG_CLIENT_SECRET"] as const;
    return await askAll(context, { names, answers, prompts });
  }
  for (const { name, flag } of FIELDS) {
    if (answers[name] === "") throw toUsage((each) => each.missing(flag));
  }
  const secret = await readSecret(readInput);
  if (secret === "") throw toUsage((each) => each.noSecret);
  return { ...answers, CATALOG_CLIENT_SECRET: secret };
}

/** The stored login, as a proposal. An unusable file is ignored, as it is about to be replaced. */
async function readKept(logins: LoginStore): Promise<StoredLogin | undefined> {
  try {
    return await logins.read();
  } catch (error) {
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}

async function readSecret(readInput: LoginParts["readInput"]): Promise<string> {
  const input = await readInput();
  // A terminal would show the typed secret.
  if (input === undefined) throw toUsage((texts) => texts.secretFromTerminal);
  return input.trim();
}

/** A person waits for the answer, so that a wrong address is reported within seconds. */
const IMPATIENT = { patienceMs: 5_000, retries: 1, timeoutMs: 10_000 } as const;

/** Checks the login with a new token and one listing. */
async function tryLogin(
  context: Pick<CommandContext, "openConnection" | "stop">,
  given: Answers,
): Promise<void> {
  const { stop } = context;
  await using connection = await context.openConnection({ given, freshToken: true, ...IMPATIENT });
  await connection.client.login({ signal: stop });
  await connection.client.product.list({ limit: 1 }, { signal: stop });
}

async function showStatus(context: CommandContext, { logins }: LoginParts): Promise<number> {
  const login = await logins.read();
  if (login !== undefined) {
    show(context, login);
    return EXIT.done;
  }
  const { terminal, json, lang } = context;
  const document = { command: "login", stored: false, exit: EXIT.login };
  if (json) printJson(terminal, document);
  else terminal.out(`${LOGIN_TEXTS[lang].none}\n`);
  return EXIT.login;
}

function show(
  { terminal, json, lang }: CommandContext,
  login: Omit<StoredLogin, "readSecret" | "owner">,
): void {
  const { baseUrl, clientKey, storeId, savedIn, path } = login;
  if (json) {
    const document = {
      command: "login",
      stored: true,
      base_url: baseUrl,
      client_key: maskKey(clientKey),
      store_id: storeId,
      secret_in: savedIn,
      file: path,
      exit: EXIT.done,
    };
    printJson(terminal, document);
    return;
  }
  const texts = LOGIN_TEXTS[lang];
  const lines = [
    [texts.address, baseUrl],
    [texts.key, maskKey(clientKey)],
    [texts.store, storeId],
    [texts.secret, savedIn === "file" ? path : texts.inKeyring],
    ...(savedIn === "file" ? [] : [[texts.file, path] as const]),
  ] as const;
  // The file is named by its whole path, from whatever folder it is looked for later.
  for (const [label, value] of lines) terminal.outFile(`${label.padEnd(14)} ${value}\n`);
}

async function forget(context: CommandContext, { logins }: LoginParts): Promise<number> {
  const { terminal, json, lang } = context;
  const texts = LOGIN_TEXTS[lang];
  const login = await readKept(logins);
  if (login?.path === logins.path) await forgetToken(context, login);
  const wasThere = await logins.forget();
  const left = await readKept(logins);
  if (json) {
    const file = left === undefined ? {} : { file: left.path };
    const stored = left !== undefined;
    printJson(terminal, {
      command: "login",
      stored,
      forgotten: wasThere,
      ...file,
      exit: EXIT.done,
    });
    return EXIT.done;
  }
  if (wasThere) terminal.out(`${texts.forgotten}\n`);
  if (left !== undefined) terminal.outFile(`${texts.ofUser(left.storeId, left.path)}\n`);
  else if (!wasThere) terminal.out(`${texts.none}\n`);
  return EXIT.done;
}

/** Removes the token, which would be valid for some hours more. Makes no call. */
async function forgetToken(context: CommandContext, login: StoredLogin): Promise<void> {
  const { baseUrl, clientKey, storeId } = login;
  const clientSecret = await login.readSecret();
  // Tokens are stored by key and secret; without the secret the stored token cannot be used.
  if (clientSecret === undefined) return;
  const given: Answers = {
    CATALOG_BASE_URL: baseUrl,
    CATALOG_CLIENT_KEY: clientKey,
    CATALOG_STORE_ID: storeId,
    CATALOG_CLIENT_SECRET: clientSecret,
  };
  await using connection = await context.openConnection({ given });
  await connection.client.logout();
}

function toUsage(choose: (texts: LoginTexts) => string): UsageError {
  return new UsageError({ tr: choose(LOGIN_TEXTS.tr), en: choose(LOGIN_TEXTS.en) });
}

interface LoginTexts {
  readonly questions: Readonly<Record<SettingName, string>>;
  readonly address: string;
  readonly key: string;
  readonly store: string;
  readonly secret: string;
  readonly inKeyring: string;
  /** The file of a login whose secret is elsewhere. */
  readonly file: string;
  /** The login of another store that was there before. */
  readonly replaced: (store: string, address: string) => string;
  /** The login of the user, which a home without its own uses. */
  readonly ofUser: (store: string, path: string) => string;
  /** What was refused, and how to go on; the reason as the marketplace gave it. */
  readonly refused: Readonly<Record<"address" | "login" | "store", (reason: string) => string>>;
  readonly empty: string;
  readonly done: string;
  readonly next: string;
  readonly none: string;
  readonly forgotten: string;
  readonly givenUp: string;
  readonly needsTerminal: string;
  readonly secretFromTerminal: string;
  readonly noSecret: string;
  readonly missing: (flag: string) => string;
  readonly noKeyring: string;
  readonly noStoreId: string;
}

export const LOGIN_TEXTS: Readonly<Record<Lang, LoginTexts>> = {
  tr: {
    questions: {
      CATALOG_BASE_URL: "Pazaryerinin adresi",
      CATALOG_CLIENT_KEY: "Uygulama anahtarı (client_key)",
      CATALOG_CLIENT_SECRET: "Gizli anahtar (client_secret)",
      CATALOG_STORE_ID: "Mağaza kimliği",
    },
    address: "Adres",
    key: "Anahtar",
    store: "Mağaza",
    secret: "Gizli anahtar",
    inKeyring: "sistem anahtarlığında",
    file: "Dosya",
    replaced: (store, address) =>
      `Burada saklanan önceki oturumun yerine geçti: mağaza ${store} (${address}).`,
    ofUser: (store, path) =>
      `Bu klasörün (CATALOG_HOME) kendi oturumu yok; kullanıcınızın oturumunu kullanır: mağaza ${store} (${path}). Onu silmek için CATALOG_HOME olmadan: catalog login --forget`,
    refused: {
      address: (reason) =>
        `Bu adresle olmadı: ${reason}\nÖteki yanıtlarınız duruyor; adresi düzeltin.`,
      login: () =>
        "Pazaryeri bu uygulama anahtarını ya da gizli anahtarı kabul etmedi. Öteki yanıtlarınız duruyor; ikisini yeniden girin (anahtar doğruysa Enter'a basın).",
      store: () =>
        "Bu anahtarın bu mağazaya izni yok. Öteki yanıtlarınız duruyor; mağaza kimliğini düzeltin.",
    },
    empty: "Boş bırakılamaz; vazgeçmek için Ctrl-C.",
    done: "Tamam: bağlantı denendi, bilgiler saklandı.",
    next: "Şimdi dosyanızı deneyin, hiçbir şey gönderilmez: catalog plan DOSYA",
    none: 'Saklanan oturum yok. Saklamak için: "catalog login".',
    forgotten: "Saklanan oturum silindi.",
    givenUp: "Vazgeçildi; hiçbir şey saklanmadı.",
    needsTerminal:
      "Soru sorulabilecek bir terminal yok. Gizli anahtarı --secret-stdin ile standart girdiden verin.",
    secretFromTerminal:
      "--secret-stdin bir dosyadan ya da başka bir komuttan okur; terminalde yazılanı gösterirdi. Terminalde bu seçeneği kullanmayın.",
    noSecret: "Gizli anahtar boş; hiçbir şey saklanmadı.",
    missing: (flag) => `Eksik değer: --${flag}.`,
    noKeyring:
      "Uyarı: sistem anahtarlığı kullanılamıyor; gizli anahtar yalnızca sizin okuyabildiğiniz, aşağıda adı geçen dosyada.",
    noStoreId:
      "Bu bir mağaza kimliğine benzemiyor. Kimlik kısadır; yalnızca harf, rakam ve çizgiden oluşur. Yanlışlıkla gizli anahtarı yapıştırdıysanız silin.",
  },
  en: {
    questions: {
      CATALOG_BASE_URL: "Address of the marketplace",
      CATALOG_CLIENT_KEY: "Key of the application (client_key)",
      CATALOG_CLIENT_SECRET: "Secret (client_secret)",
      CATALOG_STORE_ID: "Id of the store",
    },
    address: "Address",
    key: "Key",
    store: "Store",
    secret: "Secret",
    inKeyring: "in the system's keyring",
    file: "File",
    replaced: (store, address) =>
      `This replaces the login that was kept here before: store ${store} (${address}).`,
    ofUser: (store, path) =>
      `This folder (CATALOG_HOME) has no login of its own; it uses that of your user: store ${store} (${path}). To forget that one, without CATALOG_HOME: catalog login --forget`,
    refused: {
      address: (reason) =>
        `That did not work with this address: ${reason}\nYour other answers are kept; correct the address.`,
      login: () =>
        "The marketplace refused this key or this secret. Your other answers are kept; type both again (press Enter if the key is right).",
      store: () =>
        "This key has no permission for this store. Your other answers are kept; correct the store id.",
    },
    empty: "An answer is needed; Ctrl-C gives up.",
    done: "Done: the connection works, and the login is kept.",
    next: "Now try your file, nothing is sent: catalog plan FILE",
    none: 'No login is kept. To keep one: "catalog login".',
    forgotten: "The login is forgotten.",
    givenUp: "Given up; nothing was kept.",
    needsTerminal:
      "There is no terminal to ask on. Give the secret on standard input with --secret-stdin.",
    secretFromTerminal:
      "--secret-stdin reads from a file or another command; a terminal would show what is typed. Leave it out on a terminal.",
    noSecret: "The secret is empty; nothing was kept.",
    missing: (flag) => `A value is missing: --${flag}.`,
    noKeyring:
      "Warning: the system's keyring cannot be used; the secret is in the file named below, which only you can read.",
    noStoreId:
      "This does not look like the id of a store. An id is short and has letters, digits and dashes only. If you pasted the secret by mistake, delete it.",
  },
};

const SHOWN_LETTERS = 4;

/** Shows enough of a key to tell it from another. */
export function maskKey(key: string): string {
  return key.length > 2 * SHOWN_LETTERS ? `${key.slice(0, SHOWN_LETTERS)}…` : "…";
}
