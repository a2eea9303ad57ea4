import { EXIT, type Flags, UsageError, printJson } from "@catalog/console";

import type { CommandContext } from "../../context.ts";
import type { LoginStore, SecretLocation, StoredLogin } from "../../login/login-store.ts";
import { LOGIN_TEXTS, type LoginTexts, maskKey } from "../../login/login-texts.ts";
import { findSettings, type SettingName } from "../../settings/settings.ts";
import { findUsableConfig } from "../../trust/config-trust.ts";
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
  if (answers === undefined) {
    context.terminal.err(`${LOGIN_TEXTS[context.lang].givenUp}\n`);
    return EXIT.interrupted;
  }
  await tryLogin(context, answers);
  const login = {
    baseUrl: answers.CATALOG_BASE_URL,
    clientKey: answers.CATALOG_CLIENT_KEY,
    storeId: answers.CATALOG_STORE_ID,
  };
  const location = flags["in-file"] === true ? "file" : "keyring";
  const clientSecret = answers.CATALOG_CLIENT_SECRET;
  const savedIn = await parts.logins.write({ ...login, clientSecret }, location);
  if (savedIn !== location) {
    context.terminal.err(`${LOGIN_TEXTS[context.lang].noKeyring(parts.logins.path)}\n`);
  }
  show(context, { ...login, savedIn }, parts.logins.path);
  return EXIT.done;
}

/** Answers of the person; `undefined` when a question was cancelled. */
async function readAnswers(
  { lang }: CommandContext,
  { prompts, readInput, ...parts }: LoginParts,
  flags: Flags,
): Promise<Answers | undefined> {
  const texts = LOGIN_TEXTS[lang];
  const isAsked = flags["secret-stdin"] !== true;
  const { env, logins } = parts;
  // Values of an unconfirmed configuration file are not proposed, as the secret would be sent to
  // its address.
  const { config } = await findUsableConfig({ ...parts.configLocations, ...parts });
  const known = findSettings({ env, config, login: await readKept(logins) });
  const answers: Answers = {
    CATALOG_BASE_URL: "",
    CATALOG_CLIENT_KEY: "",
    CATALOG_STORE_ID: "",
    CATALOG_CLIENT_SECRET: "",
  };
  for (const { name, flag } of FIELDS) {
    const given = flags[flag];
    const start = typeof given === "string" ? given : known[name].value;
    const isOpen = isAsked && typeof given !== "string";
    const answer = isOpen ? await prompts.ask(texts.questions[name], start) : start;
    if (answer === undefined) return undefined;
    if (answer === "") throw toUsage((each) => each.missing(flag));
    answers[name] = answer;
  }
  const secret = isAsked
    ? await prompts.askSecret(texts.questions.CATALOG_CLIENT_SECRET)
    : await readSecret(readInput);
  if (secret === undefined) return undefined;
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

/** Checks the login with a new token and one listing. */
async function tryLogin(context: CommandContext, given: Answers): Promise<void> {
  const { stop } = context;
  await using connection = await context.openConnection({ given, freshToken: true });
  await connection.client.login({ signal: stop });
  await connection.client.product.list({ limit: 1 }, { signal: stop });
}

async function showStatus(context: CommandContext, { logins }: LoginParts): Promise<number> {
  const login = await logins.read();
  if (login !== undefined) {
    show(context, login, logins.path);
    return EXIT.done;
  }
  const { terminal, json, lang } = context;
  const document = { command: "login", stored: false, exit: EXIT.login };
  if (json) printJson(terminal, document);
  else terminal.out(`${LOGIN_TEXTS[lang].none}\n`);
  return EXIT.login;
}

type ShownLogin = Pick<StoredLogin, "baseUrl" | "clientKey" | "storeId"> & {
  readonly savedIn: SecretLocation;
};

function show({ terminal, json, lang }: CommandContext, login: ShownLogin, path: string): void {
  const { baseUrl, clientKey, storeId, savedIn } = login;
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
  ] as const;
  for (const [label, value] of lines) terminal.out(`${label.padEnd(14)} ${value}\n`);
}

async function forget(context: CommandContext, { logins }: LoginParts): Promise<number> {
  const { terminal, json, lang } = context;
  const texts = LOGIN_TEXTS[lang];
  const login = await readKept(logins);
  if (login !== undefined) await forgetToken(context, login);
  const wasThere = await logins.forget();
  const document = { command: "login", stored: false, forgotten: wasThere, exit: EXIT.done };
  if (json) printJson(terminal, document);
  else terminal.out(`${wasThere ? texts.forgotten : texts.none}\n`);
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
