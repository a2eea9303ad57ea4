// `import type` loads nothing at run time, unlike `import { type … }`.
import type { Command } from "../../context.ts";
import type { ConfigLocations } from "../../settings/config-trust.ts";
import type { FeedLoginStore } from "../../settings/feed-logins.ts";
import type { LoginStore } from "../../settings/login-store.ts";
import type { Environment } from "../../settings/settings.ts";
import type { Prompts } from "../../terminal/questions.ts";

/** Dependencies of the login command besides its context. */
export interface LoginParts {
  readonly env: Environment;
  /** As it was given: with paths of files in place of the secrets in them. @default env */
  readonly givenEnv?: Environment | undefined;
  readonly cwd: string;
  readonly logins: LoginStore;
  /** Opens the store of the logins of feeds, or that of a folder. */
  readonly openFeedLoginStore: (folder?: string) => Promise<FeedLoginStore>;
  readonly configLocations: ConfigLocations;
  readonly prompts: Prompts;
  /** Reads all of the standard input; `undefined` where that is a terminal. */
  readonly readInput: () => Promise<string | undefined>;
}

/** `catalog login`: asks for the credentials, checks them with real calls and stores them. */
export function createLoginCommand(parts: LoginParts): Command {
  return {
    name: "login",
    positionals: [],
    describe: {
      tr: "Mağazanın bağlantı bilgilerini sorar, dener ve güvenle saklar",
      en: "Asks for the store's credentials, tries them and stores them safely",
    },
    flags: LOGIN_FLAGS,
    examples: [
      "login",
      { tr: "login --store mutfak", en: "login --store kitchen" },
      "login --list",
      "login --status",
      { tr: "login --store mutfak --default", en: "login --store kitchen --default" },
      { tr: "login --store mutfak --rename ev", en: "login --store kitchen --rename home" },
      "login --store-id 5f1d… --secret-stdin < secret.txt",
    ],
    run: async (context, flags) =>
      (await import("./run.ts")).runLoginCommand(context, parts, flags),
  };
}

const LOGIN_FLAGS: Command["flags"] = {
  "base-url": {
    type: "string",
    describe: { tr: "Pazaryerinin adresi", en: "Address of the marketplace" },
  },
  "client-key": {
    type: "string",
    describe: { tr: "Uygulama anahtarı", en: "Key of the application" },
  },
  "store-id": { type: "string", describe: { tr: "Mağaza kimliği", en: "Id of the store" } },
  "secret-stdin": {
    type: "boolean",
    describe: {
      tr: "Gizli anahtarı standart girdiden oku",
      en: "Read the secret from standard input",
    },
  },
  "in-file": {
    type: "boolean",
    describe: {
      tr: "Gizli anahtarı anahtarlık yerine dosyada sakla",
      en: "Store the secret in a file instead of the keyring",
    },
  },
  list: {
    type: "boolean",
    describe: { tr: "Saklanan mağazaları listele", en: "List the stored stores" },
  },
  status: {
    type: "boolean",
    describe: { tr: "Saklanan oturumu göster", en: "Show the stored login" },
  },
  default: {
    type: "boolean",
    describe: {
      tr: "--store ile verilen mağazayı varsayılan yap",
      en: "Make the store of --store the default",
    },
  },
  rename: {
    type: "string",
    describe: {
      tr: "Mağazaya bu yeni adı ver",
      en: "Give the store this new name",
    },
  },
  forget: {
    type: "boolean",
    describe: { tr: "Saklanan oturumu sil", en: "Forget the stored login" },
  },
};
