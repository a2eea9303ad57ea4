import { readFlag } from "@catalog/console";
import { ROLES } from "@catalog/team";

// `import type` loads nothing at run time, unlike `import { type … }`.
import type { Command } from "../../context.ts";
import type { DatabaseParts } from "../db/index.ts";
import type { LoginParts } from "../login/index.ts";

/** Dependencies of the command besides its context. */
export type UsersParts = DatabaseParts & Pick<LoginParts, "prompts" | "readInput">;

/** What takes a role away. */
export const NO_ROLE = "none";

const URL_FLAG: Command["flags"] = {
  url: {
    type: "string",
    describe: {
      tr: "Sunucunun adresi; davet bağlantısı onunla yazılır",
      en: "Address of the server, for the link of the invitation",
    },
  },
};

const PASSWORD_FLAGS: Command["flags"] = {
  ...URL_FLAG,
  ask: {
    type: "boolean",
    describe: {
      tr: "Davet yerine parolayı terminalde sor",
      en: "Ask for the password here instead of inviting",
    },
  },
  "password-stdin": {
    type: "boolean",
    describe: {
      tr: "Davet yerine parolayı standart girdiden oku",
      en: "Read the password from standard input instead",
    },
  },
};

const TABLES: Readonly<Record<string, Command["flags"]>> = {
  add: {
    name: {
      type: "string",
      describe: { tr: "Başkalarının gördüğü ad", en: "Name that others see" },
    },
    admin: {
      type: "boolean",
      describe: {
        tr: "Bütün mağazaların yöneticisi yap",
        en: "Make the person administrator of all stores",
      },
    },
    role: {
      type: "string",
      choices: ROLES,
      describe: {
        tr: "Rolü; --store ile yalnız o mağazada",
        en: "The role; with --store in that store only",
      },
    },
    ...PASSWORD_FLAGS,
  },
  list: {},
  audit: {
    out: {
      type: "string",
      describe: {
        tr: "audit için: yazılacak dosya",
        en: "For audit: the file to write",
      },
    },
  },
  remove: {},
  restore: {},
  password: PASSWORD_FLAGS,
  role: {},
  sessions: {
    end: {
      type: "string",
      describe: {
        tr: "Bu numaralı oturumu bitir; all: hepsini",
        en: "End the session of this number; all: every one",
      },
    },
  },
};

const EXAMPLES: Command["examples"] = [
  {
    tr: "users add ayse@firma.com --name 'Ayşe Yılmaz' --admin --url https://katalog.example.com",
    en: "users add ayse@firm.com --name 'Ayşe Yılmaz' --admin --url https://catalog.example.com",
  },
  {
    tr: "users add veli@firma.com --role editor --store mutfak",
    en: "users add veli@firm.com --role editor --store kitchen",
  },
  "users list",
  {
    tr: "users role veli@firma.com approver --store mutfak",
    en: "users role veli@firm.com approver --store kitchen",
  },
  { tr: "users password veli@firma.com", en: "users password veli@firm.com" },
  { tr: "users sessions veli@firma.com --end all", en: "users sessions veli@firm.com --end all" },
  "users audit --out audit.jsonl",
  { tr: "users remove veli@firma.com", en: "users remove veli@firm.com" },
];

/** `catalog users`: the people of a server, for the person to whom its machine belongs. */
export function createUsersCommand(parts: UsersParts): Command {
  return {
    name: "users",
    positionals: [
      {
        name: "action",
        word: { tr: "işlem", en: "action" },
        required: true,
        choices: Object.keys(TABLES),
        describe: {
          tr: "add: kişi ekler ve davet bağlantısını yazar; list: kişiler ve rolleri; role: rol verir (none: alır); password: yeni davet ya da parola; sessions: açık oturumlar; audit: denetim kaydını dosyaya yazar; remove: girişi kapatır; restore: yeniden açar",
          en: "add: adds a person and writes the link of the invitation; list: people and their roles; role: gives a role (none: takes it); password: another invitation, or a password; sessions: those that are open; audit: writes the record to a file; remove: lets the person in no more; restore: does again",
        },
      },
      {
        name: "login",
        word: { tr: "kişi", en: "person" },
        required: false,
        describe: {
          tr: "Kişinin giriş adı, örneğin e-posta adresi",
          en: "The person's login, such as an e-mail address",
        },
      },
      {
        name: "newRole",
        word: { tr: "yeni-rol", en: "new-role" },
        required: false,
        words: [...ROLES, NO_ROLE],
        describe: {
          tr: "role için: verilecek rol, none ise alınır",
          en: "For role: the role to give; none takes it away",
        },
      },
    ],
    describe: {
      tr: "Sunucuyu kullanan kişileri, rollerini ve oturumlarını yönetir",
      en: "Manages the people who use the server, their roles and sessions",
    },
    flags: Object.assign({}, ...Object.values(TABLES)),
    examples: EXAMPLES,
    async run(context, flags) {
      const action = String(flags["action"]);
      readFlag.assertOf(flags, { command: "users", action, tables: TABLES });
      return await (await import("./run.ts")).runUsersCommand(context, parts, flags);
    },
  };
}
