import type { Command } from "../../context.ts";
import {
  CANARY_FLAG,
  FILE_FLAGS,
  groupSending,
  LIMIT_FLAGS,
  PERIOD_FLAGS,
  QUEUE_FLAG,
  UNKNOWN_FLAG,
  VERIFY_FLAG,
  YES_FLAG,
} from "../../flags.ts";

/** `catalog import FILE`: plans, asks, sends and reports. */
export const importCommand: Command = {
  name: "import",
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
    tr: "Dosyadaki ürünleri ekler ve günceller, sonucu raporlar",
    en: "Adds and updates the products of a file and reports the outcome",
  },
  flags: {
    ...FILE_FLAGS,
    ...groupSending({
      ...LIMIT_FLAGS,
      ...CANARY_FLAG,
      ...UNKNOWN_FLAG,
      ...VERIFY_FLAG,
      ...YES_FLAG,
      ...QUEUE_FLAG,
      ...PERIOD_FLAGS,
    }),
  },
  examples: [
    { tr: "import urunler.xlsx", en: "import products.xlsx" },
    {
      tr: "import urunler.csv --yes --json --max-errors 5%",
      en: "import products.csv --yes --json --max-errors 5%",
    },
    { tr: "import urunler.xlsx --canary 3", en: "import products.xlsx --canary 3" },
    {
      tr: "import indirim.xlsx --undo-at 2026-12-07T00:00",
      en: "import sale.xlsx --undo-at 2026-12-07T00:00",
    },
  ],
  run: async (context, flags) => (await import("./run.ts")).runImportCommand(context, flags),
  goOn: async (context, flags, broken) =>
    (await import("../resume/run.ts")).goOnAfterTakeOver(context, flags, broken),
};
