/** Texts of `catalog login`. */

import { parseBaseUrl } from "@catalog/client/base-url";
import { AuthError, ClientError, PermissionError, SettingsError } from "@catalog/client/errors";
import { EXIT, type Flags, printJson, UsageError, readFlag } from "@catalog/console";
import type { Lang } from "@catalog/i18n";

import type { CommandContext } from "../../context.ts";
import { describeFailure } from "../../failure.ts";
import { STORE_VARIABLE, unclearStore } from "../../settings/choose-store.ts";
import { findUsableConfig } from "../../settings/config-trust.ts";
import {
  isSameStore,
  type LoginAddress,
  type LoginStore,
  type StoredLogin,
  type StoredLogins,
} from "../../settings/login-store.ts";
import { findSettings, type SettingName } from "../../settings/settings.ts";
import { findNamed, FIRST_NAME, parseStoreName, unknownStore } from "../../settings/store-names.ts";
import type { LoginParts } from "./index.ts";

/** `catalog login`: asks for the credentials, checks them with real calls and stores them. */
export async function runLoginCommand(
  context: CommandContext,
  parts: LoginParts,
  flags: Flags,
): Promise<number> {
  const asked = ACTIONS.filter((name) => flags[name] !== undefined && flags[name] !== false);
  const [action, other] = asked;
  if (other !== undefined) throw toUsage((texts) => texts.oneAction(`--${action}`, `--${other}`));
  const name = readStoreName(parts, flags);
  switch (action) {
    case "list":
      return await listStores(context, parts);
    case "status":
      return await showStatus(context, parts, name);
    case "forget":
      return await forget(context, parts, name);
    case "default":
      return await setDefault(context, parts, name);
    case "rename":
      return await rename(context, parts, {
        name,
        newName: readFlag.text(flags, "rename") ?? "",
      });
    case undefined:
    default:
      return await logIn(context, parts, flags);
  }
}

/** What can be asked for besides a new login. */
const ACTIONS = ["list", "status", "forget", "default", "rename"] as const;

/** The name of `--store` or of the environment; `undefined` where none is given. */
function readStoreName({ env }: Pick<LoginParts, "env">, flags: Flags): string | undefined {
  const typed = readFlag.text(flags, "store") ?? env[STORE_VARIABLE];
  return typed ? parseStoreName(typed) : undefined;
}

/** The store of a name, or else the only one or the default. Throws where none or several fit. */
function pickStore(
  { stores, defaultName }: StoredLogins,
  name: string | undefined,
): StoredLogin | undefined {
  const names = stores.map((store) => store.name);
  if (name !== undefined) {
    const found = findNamed(stores, name);
    if (found === undefined) throw unknownStore(name, names);
    return found;
  }
  if (stores.length <= 1) return stores[0];
  const standard = stores.find((store) => store.name === defaultName);
  if (standard === undefined) throw unclearStore(names);
  return standard;
}

/** Tries credentials with real calls, and stores them where they are accepted. */
export async function storeLogin(
  context: Pick<CommandContext, "openConnection" | "stop">,
  logins: Pick<LoginStore, "read" | "write">,
  login: Parameters<LoginStore["write"]>[1],
): Promise<void> {
  await tryLogin(context, {
    CATALOG_BASE_URL: login.baseUrl,
    CATALOG_CLIENT_KEY: login.clientKey,
    CATALOG_CLIENT_SECRET: login.clientSecret,
    CATALOG_STORE_ID: login.storeId,
  });
  const stored = await readKept(logins);
  const same = stored.stores.find((store) => isSameStore(store, login));
  await logins.write(same?.name ?? freeName(stored), login, "keyring");
}

/** A name for a store that has none yet. */
function freeName({ stores }: StoredLogins): string {
  let name = FIRST_NAME;
  for (let at = 2; findNamed(stores, name) !== undefined; at += 1) name = `${FIRST_NAME}-${at}`;
  return name;
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
  const stored = await readKept(parts.logins);
  const name = readStoreName(parts, flags) ?? pickStore(stored, undefined)?.name ?? FIRST_NAME;
  const answers = await readAnswers(context, parts, { flags, stored, name });
  if (answers === undefined) return giveUp(context, EXIT.interrupted);
  // A document is one answer, so with --json nothing is asked twice.
  const tried = await tryUntilAccepted(context, answers, isAsked && !context.json, parts.prompts);
  if ("exit" in tried) return giveUp(context, tried.exit);
  return await keep(context, parts, { flags, stored, name, answers: tried.answers });
}

function giveUp({ terminal, lang }: CommandContext, exit: number): number {
  terminal.err(`${LOGIN_TEXTS[lang].givenUp}\n`);
  return exit;
}

/** What a new login is asked for, and what is stored already. */
interface NewLogin {
  readonly flags: Flags;
  readonly stored: StoredLogins;
  readonly name: string;
}

interface TriedLogin extends NewLogin {
  readonly answers: Answers;
}

async function keep(
  context: CommandContext,
  { logins }: LoginParts,
  { flags, stored, name, answers }: TriedLogin,
): Promise<number> {
  const login = {
    baseUrl: answers.CATALOG_BASE_URL,
    clientKey: answers.CATALOG_CLIENT_KEY,
    storeId: answers.CATALOG_STORE_ID,
  };
  // A home's first login leaves those of the user where they are.
  const own = stored.stores.filter(({ path }) => path === logins.path);
  const before = findNamed(own, name);
  const twin = own.find((store) => store !== before && isSameStore(store, login));
  if (twin !== undefined) throw toUsage((texts) => texts.storedAs(twin.name));
  const location = flags["in-file"] === true ? "file" : "keyring";
  const clientSecret = answers.CATALOG_CLIENT_SECRET;
  const savedIn = await logins.write(name, { ...login, clientSecret }, location);
  const { terminal, json, lang } = context;
  const texts = LOGIN_TEXTS[lang];
  if (before !== undefined && !isSameStore(before, login)) {
    terminal.err(`${texts.replaced(before.storeId, before.baseUrl)}\n`);
  }
  if (savedIn !== location) terminal.err(`${texts.noKeyring}\n`);
  if (!json) terminal.out(`${texts.done}\n`);
  const now = await logins.read();
  show(context, { ...login, name: before?.name ?? name, savedIn, path: logins.path }, now);
  if (!json) terminal.err(`\n${texts.next}\n`);
  return EXIT.done;
}

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

/** What is stored under a name; of a new store the address, as most are on the same marketplace. */
function findProposal(
  { stores, defaultName }: StoredLogins,
  name: string,
): LoginAddress | undefined {
  const standard = findNamed(stores, defaultName ?? "");
  const proposed = standard && { baseUrl: standard.baseUrl, clientKey: "", storeId: "" };
  return findNamed(stores, name) ?? proposed;
}

/** Answers of the person, or of flags; `undefined` when a question was cancelled. */
async function readAnswers(
  context: CommandContext,
  { prompts, readInput, ...parts }: LoginParts,
  { flags, stored, name: storeName }: NewLogin,
): Promise<Answers | undefined> {
  const isAsked = flags["secret-stdin"] !== true;
  const { env } = parts;
  // Values of an unconfirmed configuration file are not proposed, as the secret would be sent to
  // its address.
  const { config } = await findUsableConfig({ ...parts.configLocations, ...parts });
  const known = findSettings({ env, config, login: findProposal(stored, storeName) });
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

/** The stored logins. An unusable file is ignored, as it is about to be set aside. */
async function readKept(logins: Pick<LoginStore, "read">): Promise<StoredLogins> {
  try {
    return await logins.read();
  } catch (error) {
    if (error instanceof UsageError) return { stores: [], defaultName: undefined };
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

/** Checks the login with a new token and one listing; throws where it is refused. */
export async function tryLogin(
  context: Pick<CommandContext, "openConnection" | "stop">,
  given: Answers,
): Promise<void> {
  const { stop } = context;
  await using connection = await context.openConnection({ given, freshToken: true, ...IMPATIENT });
  await connection.client.login({ signal: stop });
  await connection.client.product.list({ limit: 1 }, { signal: stop });
}

async function showStatus(
  context: CommandContext,
  { logins }: LoginParts,
  name: string | undefined,
): Promise<number> {
  const stored = await logins.read();
  const login = pickStore(stored, name);
  if (login !== undefined) {
    show(context, login, stored);
    return EXIT.done;
  }
  const { terminal, json, lang } = context;
  const document = { command: "login", stored: false, exit: EXIT.login };
  if (json) printJson(terminal, document);
  else terminal.out(`${LOGIN_TEXTS[lang].none}\n`);
  return EXIT.login;
}

type ShownLogin = Omit<StoredLogin, "readSecret" | "owner">;

/** Whether a store is used where none is named. */
const isDefault = ({ name }: ShownLogin, { stores, defaultName }: StoredLogins): boolean =>
  name === defaultName || stores.length === 1;

const toDocument = (login: ShownLogin, stored: StoredLogins): object => ({
  name: login.name,
  default: isDefault(login, stored),
  base_url: login.baseUrl,
  client_key: maskKey(login.clientKey),
  store_id: login.storeId,
  secret_in: login.savedIn,
  file: login.path,
});

function show(
  { terminal, json, lang }: CommandContext,
  login: ShownLogin,
  stored: StoredLogins,
): void {
  if (json) {
    const document = toDocument(login, stored);
    printJson(terminal, { command: "login", stored: true, ...document, exit: EXIT.done });
    return;
  }
  const { name, baseUrl, clientKey, storeId, savedIn, path } = login;
  const texts = LOGIN_TEXTS[lang];
  const mark = stored.stores.length > 1 && isDefault(login, stored) ? ` (${texts.isDefault})` : "";
  const lines = [
    [texts.name, `${name}${mark}`],
    [texts.address, baseUrl],
    [texts.key, maskKey(clientKey)],
    [texts.store, storeId],
    [texts.secret, savedIn === "file" ? path : texts.inKeyring],
    ...(savedIn === "file" ? [] : [[texts.file, path] as const]),
  ] as const;
  // The file is named by its whole path, from whatever folder it is looked for later.
  for (const [label, value] of lines) terminal.outFile(`${label.padEnd(14)} ${value}\n`);
}

/** Lists the stores, each in a line. */
async function listStores(context: CommandContext, { logins }: LoginParts): Promise<number> {
  const { terminal, json, lang } = context;
  const texts = LOGIN_TEXTS[lang];
  const stored = await logins.read();
  const { stores } = stored;
  if (json) {
    const documents = stores.map((store) => toDocument(store, stored));
    printJson(terminal, { command: "login", stores: documents, exit: EXIT.done });
    return EXIT.done;
  }
  if (stores.length === 0) terminal.out(`${texts.none}\n`);
  const width = Math.max(0, ...stores.map(({ name }) => name.length));
  for (const store of stores) {
    const mark = isDefault(store, stored) ? "*" : " ";
    const place = `${store.storeId}  ${store.baseUrl}`;
    terminal.outFile(`${mark} ${store.name.padEnd(width)}  ${place}\n`);
  }
  if (stores.length > 1) {
    const hasDefault = stores.some((store) => isDefault(store, stored));
    terminal.err(`${hasDefault ? texts.legend : texts.noDefault}\n`);
  }
  return EXIT.done;
}

async function setDefault(
  context: CommandContext,
  { logins }: LoginParts,
  name: string | undefined,
): Promise<number> {
  if (name === undefined) throw toUsage((texts) => texts.whichDefault);
  const store = pickStore(await readOwn(logins), name);
  await logins.setDefault(name);
  report(context, { name: store?.name ?? name, default: true }, (texts) =>
    texts.nowDefault(store?.name ?? name),
  );
  return EXIT.done;
}

async function rename(
  context: CommandContext,
  { logins }: LoginParts,
  { name, newName: typed }: { readonly name: string | undefined; readonly newName: string },
): Promise<number> {
  const newName = parseStoreName(typed);
  const store = pickStore(await readOwn(logins), name);
  if (store === undefined) throw toUsage((texts) => texts.none);
  await logins.rename(store.name, newName);
  report(context, { name: newName, renamed: store.name }, (texts) =>
    texts.renamed(store.name, newName),
  );
  return EXIT.done;
}

/** Reads the stores that the home may change. Throws where it uses those of the user. */
async function readOwn(logins: LoginStore): Promise<StoredLogins> {
  const stored = await logins.read();
  const foreign = stored.stores.find(({ path }) => path !== logins.path);
  if (foreign === undefined) return stored;
  throw toUsage((texts) => texts.ofUser(foreign.name, foreign.path));
}

function report(
  { terminal, json, lang }: CommandContext,
  document: object,
  choose: (texts: LoginTexts) => string,
): void {
  if (json) printJson(terminal, { command: "login", ...document, exit: EXIT.done });
  else terminal.out(`${choose(LOGIN_TEXTS[lang])}\n`);
}

/** Forgets one store; which one is never guessed. */
async function forget(
  context: CommandContext,
  { logins }: LoginParts,
  name: string | undefined,
): Promise<number> {
  const { terminal, json, lang } = context;
  const texts = LOGIN_TEXTS[lang];
  const { stores } = await readKept(logins);
  const own = stores.filter(({ path }) => path === logins.path);
  if (name === undefined && own.length > 1) throw unclearStore(own.map((store) => store.name));
  const login =
    own.length === 0 ? undefined : pickStore({ stores: own, defaultName: undefined }, name);
  if (login !== undefined) await forgetToken(context, login);
  const wasThere = await logins.forget(login?.name);
  const left = await readKept(logins);
  const [first] = left.stores;
  if (json) {
    const file = first === undefined ? {} : { file: first.path };
    const stored = first !== undefined;
    const forgotten = wasThere;
    printJson(terminal, { command: "login", stored, forgotten, ...file, exit: EXIT.done });
    return EXIT.done;
  }
  if (wasThere) terminal.out(`${texts.forgotten}\n`);
  if (first === undefined) {
    if (!wasThere) terminal.out(`${texts.none}\n`);
  } else if (first.path === logins.path) {
    terminal.out(`${texts.left(left.stores.map((store) => store.name).join(", "))}\n`);
  } else terminal.outFile(`${texts.ofUser(first.name, first.path)}\n`);
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
  readonly name: string;
  /** Beside the name of the default store. */
  readonly isDefault: string;
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
  /** Below a list of several stores. */
  readonly legend: string;
  readonly noDefault: string;
  readonly nowDefault: (name: string) => string;
  readonly whichDefault: string;
  readonly renamed: (name: string, newName: string) => string;
  /** The stores that are still there. */
  readonly left: (names: string) => string;
  /** The answers are those of a store that has another name. */
  readonly storedAs: (name: string) => string;
  readonly oneAction: (flag: string, other: string) => string;
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
    name: "Ad",
    isDefault: "varsayılan",
    legend: "* varsayılan. Başka bir mağaza için komutlara ekleyin: --store AD",
    noDefault:
      "Varsayılan mağaza yok. Seçmek için: catalog login --store AD --default; ya da her komutta --store AD verin.",
    nowDefault: (name) => `Varsayılan mağaza artık: ${name}.`,
    whichDefault: "Hangi mağaza? Adını --store ile verin: catalog login --store AD --default",
    renamed: (name, newName) => `“${name}” artık “${newName}”.`,
    left: (names) => `Kalan mağazalar: ${names}.`,
    storedAs: (name) =>
      `Bu mağaza “${name}” adıyla zaten saklı; hiçbir şey değiştirilmedi. Bilgilerini yenilemek için: catalog login --store ${name}. Yeni ad için: catalog login --store ${name} --rename AD`,
    oneAction: (flag, other) => `${flag} ile ${other} birlikte verilmez; birini yazın.`,
    address: "Adres",
    key: "Anahtar",
    store: "Mağaza",
    secret: "Gizli anahtar",
    inKeyring: "sistem anahtarlığında",
    file: "Dosya",
    replaced: (store, address) =>
      `Burada saklanan önceki oturumun yerine geçti: mağaza ${store} (${address}). İkisi de kalsın isterseniz onu bir adla yeniden saklayın: catalog login --store AD`,
    ofUser: (store, path) =>
      `Bu klasörün (CATALOG_HOME) kendi oturumu yok; kullanıcınızın oturumunu kullanır: mağaza ${store} (${path}). Onu değiştirmek ya da silmek için CATALOG_HOME olmadan: catalog login --list`,
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
    name: "Name",
    isDefault: "default",
    legend: "* the default. For another store, add to a command: --store NAME",
    noDefault:
      "There is no default store. To set it: catalog login --store NAME --default; or give each command --store NAME.",
    nowDefault: (name) => `The default store is now ${name}.`,
    whichDefault: "Which store? Name it with --store: catalog login --store NAME --default",
    renamed: (name, newName) => `“${name}” is now “${newName}”.`,
    left: (names) => `Stores that are left: ${names}.`,
    storedAs: (name) =>
      `This store is stored already, as “${name}”; nothing was changed. To renew its login: catalog login --store ${name}. For a new name: catalog login --store ${name} --rename NAME`,
    oneAction: (flag, other) => `${flag} does not go with ${other}; give one of them.`,
    address: "Address",
    key: "Key",
    store: "Store",
    secret: "Secret",
    inKeyring: "in the system's keyring",
    file: "File",
    replaced: (store, address) =>
      `This replaces the login that was kept here before: store ${store} (${address}). To keep both, store that one again under a name: catalog login --store NAME`,
    ofUser: (store, path) =>
      `This folder (CATALOG_HOME) has no login of its own; it uses that of your user: store ${store} (${path}). To change or forget that one, without CATALOG_HOME: catalog login --list`,
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
