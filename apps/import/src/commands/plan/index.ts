import type { Command } from "../../context.ts";
import {
  CANARY_FLAG,
  FILE_FLAGS,
  groupSending,
  LIMIT_FLAGS,
  UNKNOWN_FLAG,
  VERIFY_FLAG,
} from "../../flags.ts";

/** `catalog plan FILE`: plans without sending. */
export const planCommand: Command = {
  name: "plan",
  isPatient: true,
  positionals: [
    {
      name: "file",
      word: { tr: "dosya", en: "file" },
      required: true,
      describe: {
        tr: "CSV, XLSX, XLS, ODS, FODS, XML, JSON ya da NDJSON dosyası (.gz, .zip olabilir) ya da bunlardan birinin https adresi",
        en: "CSV, XLSX, XLS, ODS, FODS, XML, JSON or NDJSON file (also as .gz or .zip), or the https address of one",
      },
    },
  ],
  describe: {
    tr: "Dosyayı okur, denetler ve ne gönderileceğini gösterir; hiçbir şey göndermez",
    en: "Reads and checks a file and shows what would be sent; sends nothing",
  },
  flags: {
    ...FILE_FLAGS,
    "run-id": {
      type: "string",
      describe: {
        tr: "Çalıştırmanın kimliği; aynısı varsa ikinci plan yapılmaz",
        en: "Id of the run; no second plan is made for the same id",
      },
    },
    check: {
      type: "boolean",
      describe: {
        tr: "Sayfadaki bir taslağı (draft:…) denetler, plan yapmaz",
        en: "Only check a draft of the page (draft:…)",
      },
    },
    ...groupSending({ ...LIMIT_FLAGS, ...CANARY_FLAG, ...UNKNOWN_FLAG, ...VERIFY_FLAG }),
  },
  examples: [
    { tr: "plan urunler.xlsx", en: "plan products.xlsx" },
    { tr: "plan urunler.csv --mode update --json", en: "plan products.csv --mode update --json" },
  ],
  run: async (context, flags) => (await import("./run.ts")).runPlanCommand(context, flags),
};
