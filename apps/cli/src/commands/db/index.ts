// `import type` loads nothing at run time, unlike `import { type … }`.
import type { Command } from "../../context.ts";
import type { ConfigLocations } from "../../settings/config-trust.ts";
import type { Environment } from "../../settings/settings.ts";

/** Dependencies of the command besides its context. */
export interface DatabaseParts {
  readonly env: Environment;
  readonly cwd: string;
  readonly configLocations: ConfigLocations;
}

/** What the command may do. */
const DATABASE_ACTIONS = ["migrate", "check", "copy", "restored"] as const;

/** `catalog db`: makes and checks the PostgreSQL database that several machines share. */
export function createDatabaseCommand(parts: DatabaseParts): Command {
  return {
    name: "db",
    positionals: [
      {
        name: "action",
        word: { tr: "iş", en: "action" },
        required: true,
        describe: {
          tr: "migrate: tabloları oluşturur ya da bu sürüme getirir; check: eksik bir kural, tehlikeli bir ayar ya da değiştirilmiş bir denetim kaydı var mı, bakar (dosyada da); copy: klasördeki veritabanını boş bir PostgreSQL veritabanına taşır; restored: bir yedeğin geri yüklendiğini söyler, gönderilmiş olabilecekler önce mağazada aranır",
          en: "migrate: creates the tables or updates them to this version; check: looks for missing rules, dangerous settings and a changed audit (of the home's file, too); copy: moves the home's database into an empty one; restored: records that a backup was restored, so that whatever may have been sent is looked up first",
        },
        choices: DATABASE_ACTIONS,
      },
    ],
    describe: {
      tr: "Birkaç bilgisayarın paylaştığı PostgreSQL veritabanını hazırlar ve denetler",
      en: "Prepares and checks the PostgreSQL database that several machines share",
    },
    flags: {
      audit: {
        type: "string",
        describe: {
          tr: "check için: dışa aktarılmış denetim kaydını denetle, veritabanı olmadan",
          en: "For check: check a record that was exported, without the database",
        },
      },
      discard: {
        type: "boolean",
        describe: {
          tr: "migrate için: klasördeki 1.0 öncesi veritabanını kenara koy, boş bir tanesiyle başla",
          en: "For migrate: set aside the home's database from before 1.0, and start with an empty one",
        },
      },
    },
    examples: [
      "db migrate",
      "db migrate --discard",
      "db check",
      "db check --audit audit.jsonl",
      "db copy",
      "db restored",
    ],
    run: async (context, flags) =>
      (await import("./run.ts")).runDatabaseCommand(context, parts, flags),
  };
}
