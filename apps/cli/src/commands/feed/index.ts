import { readFlag } from "@catalog/console";

// `import type` loads nothing at run time, unlike `import { type … }`.
import type { Command } from "../../context.ts";
import type { LoginParts } from "../login/index.ts";

/** What the feed command uses besides its context. */
export type FeedParts = Pick<LoginParts, "openFeedLoginStore" | "prompts" | "readInput">;

/** What `schedule` does under the name of the feed as well. */
const SCHEDULE_WORDS: ReadonlySet<string> = new Set(["add", "list"]);

const EXAMPLES: Command["examples"] = [
  {
    tr: "feed add https://bayi.example.com/xml/stok.xml --adds draft",
    en: "feed add https://dealer.example.com/xml/stock.xml --adds draft",
  },
  {
    tr: "feed login https://bayi.example.com/xml/stok.xml",
    en: "feed login https://dealer.example.com/xml/stock.xml",
  },
  {
    tr: "feed login https://api.example.com/stok --auth header:X-Api-Key",
    en: "feed login https://api.example.com/stock --auth header:X-Api-Key",
  },
  {
    tr: "feed login https://bayi.example.com/xml/ --user bayi42 --secret-stdin < parola.txt",
    en: "feed login https://dealer.example.com/xml/ --user dealer42 --secret-stdin < password.txt",
  },
  {
    tr: "feed logout https://bayi.example.com/xml/",
    en: "feed logout https://dealer.example.com/xml/",
  },
  {
    tr: "feed login sftp://ftp.example.com/stok/",
    en: "feed login sftp://ftp.example.com/stock/",
  },
  "feed logins --json",
  "feed list",
];

const ADDRESS: Command["positionals"][number] = {
  name: "address",
  word: { tr: "adres", en: "address" },
  required: false,
  describe: {
    tr: "Beslemenin adresi; giriş, sunucudaki aynı klasörün bütün dosyaları içindir",
    en: "Address of the feed; the login is for all files of the same folder of the server",
  },
};

/**
 * `catalog feed login`: stores, lists and removes the logins of addresses of feeds. `feed add` and
 * `feed list` are those of `schedule`.
 */
export function createFeedCommand(parts: FeedParts, schedule: Command): Command {
  const flagsOf = (action: string): Command["flags"] => schedule.helpFor?.([action]).flags ?? {};
  const tables = {
    add: flagsOf("add"),
    list: flagsOf("list"),
    login: LOGIN_FLAGS,
    logout: {},
    logins: {},
  };
  const isAction = (word: string): word is keyof typeof tables => Object.hasOwn(tables, word);
  return {
    name: "feed",
    positionals: [
      {
        name: "action",
        word: { tr: "işlem", en: "action" },
        required: true,
        choices: Object.keys(tables),
        describe: {
          tr: "add: beslemeyi zamanlar (seçenekler: catalog feed add --help); list: zamanlananlar; login: adresin girişini dener ve saklar; logout: siler; logins: saklananları listeler",
          en: "add: schedules the feed (options: catalog feed add --help); list: those that are scheduled; login: tries the login of an address and stores it; logout: removes it; logins: lists them",
        },
      },
      ADDRESS,
    ],
    describe: {
      tr: "Beslemeleri zamanlar; parola ya da anahtar isteyen adreslerin girişlerini güvenle saklar",
      en: "Schedules feeds, and stores the logins of those whose addresses ask for a password or a key",
    },
    isPatient: true,
    flags: { ...tables.add, ...tables.list, ...LOGIN_FLAGS },
    examples: EXAMPLES,
    helpFor(words) {
      const action = words.find(isAction);
      if (action === undefined) return { flags: LOGIN_FLAGS };
      const usage = `feed ${action}`;
      const describe = SCHEDULE_WORDS.has(action)
        ? schedule.helpFor?.([action]).describe
        : undefined;
      return {
        usage,
        positionals: action === "list" || action === "logins" ? [] : [ADDRESS],
        ...(describe !== undefined && { describe }),
        flags: tables[action],
        examples: EXAMPLES.filter((example) =>
          `${typeof example === "string" ? example : example.en} `.startsWith(`${usage} `),
        ),
      };
    },
    async run(context, flags) {
      const action = String(flags["action"]);
      readFlag.assertOf(flags, { command: "feed", action, tables });
      return SCHEDULE_WORDS.has(action)
        ? await schedule.run(context, { ...flags, schedule: flags["address"] })
        : await (await import("./run.ts")).runFeedCommand(context, parts, flags);
    },
  };
}

const LOGIN_FLAGS: Command["flags"] = {
  auth: {
    type: "string",
    default: "basic",
    describe: {
      tr: "Girişin türü: basic (kullanıcı ve parola), bearer (anahtar) ya da header:ADI (bir başlıktaki anahtar)",
      en: "Kind of login: basic (user and password), bearer (a token) or header:NAME (a key in a header)",
    },
  },
  user: {
    type: "string",
    describe: {
      tr: "Kullanıcı adı; verilmezse sorulur",
      en: "User name; asked for when it is left out",
    },
  },
  "key-file": {
    type: "string",
    describe: {
      tr: "SFTP için parola yerine SSH özel anahtarı",
      en: "Private key of SSH, for SFTP, in place of a password",
    },
  },
  "host-key": {
    type: "string",
    describe: {
      tr: "SFTP sunucusunun anahtarının parmak izi (SHA256:…); verilmezse gösterilir ve sorulur",
      en: "Fingerprint of the SFTP server's key (SHA256:…); shown and asked about when it is left out",
    },
  },
  "secret-stdin": {
    type: "boolean",
    describe: {
      tr: "Parolayı ya da anahtarı standart girdiden oku",
      en: "Read the password or key from standard input",
    },
  },
  "in-file": {
    type: "boolean",
    describe: {
      tr: "Anahtarlık yerine yalnız sizin okuyabildiğiniz bir dosyada sakla",
      en: "Store it in a file that only you can read instead of the keyring",
    },
  },
  unchecked: {
    type: "boolean",
    describe: {
      tr: "Adresi denemeden sakla",
      en: "Store it without trying the address",
    },
  },
  "allow-host": {
    type: "string",
    many: true,
    describe: {
      tr: "Özel ağdaki kendi sunucunuz (sunucu ya da sunucu:port)",
      en: "Your own server in a private network (host or host:port)",
    },
  },
};
