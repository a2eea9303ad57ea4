// `import type` loads nothing at run time, unlike `import { type … }`.
import type { Command } from "../../context.ts";
import type { DatabaseParts } from "../db/index.ts";
import type { LoginParts } from "../login/index.ts";

/** Dependencies of the command besides its context. */
export type StoresParts = DatabaseParts & Pick<LoginParts, "logins">;

/** What the command may do. */
const STORES_ACTIONS = ["list", "add", "rotate"] as const;

/** `catalog stores`: the stores that a server works on, and the key that keeps their credentials. */
export function createStoresCommand(parts: StoresParts): Command {
  return {
    name: "stores",
    positionals: [
      {
        name: "action",
        word: { tr: "işlem", en: "action" },
        required: true,
        choices: STORES_ACTIONS,
        describe: {
          tr: "list: sunucunun mağazaları; add: saklanan ya da ortam değişkenleriyle verilen mağazayı bilgileriyle ekler, varsa bilgilerini yeniler; rotate: bütün bilgileri CATALOG_SECRET_KEY içindeki ilk anahtarla yeniden şifreler",
          en: "list: the server's stores; add: adds the store that is stored here or given by environment variables, with its credentials, or renews them; rotate: encrypts all credentials anew with the first key of CATALOG_SECRET_KEY",
        },
      },
      {
        name: "name",
        word: { tr: "ad", en: "name" },
        required: false,
        describe: {
          tr: "add için: sunucudaki adı; küçük harf (a-z), rakam, tire",
          en: "For add: its name on the server; a-z, digits, hyphens",
        },
      },
    ],
    describe: {
      tr: "Sunucunun mağazalarını ve şifreli bilgilerini yönetir",
      en: "Manages the server's stores and their encrypted credentials",
    },
    flags: {},
    examples: [
      { tr: "stores add mutfak --store mutfak", en: "stores add kitchen --store kitchen" },
      "stores list",
      "stores rotate",
    ],
    run: async (context, flags) =>
      (await import("./run.ts")).runStoresCommand(context, parts, flags),
  };
}
