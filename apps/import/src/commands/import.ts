import { type Command } from "@catalog/toolkit";

import { FILE_FLAGS, LIMIT_FLAGS, UNKNOWN_FLAG, VERIFY_FLAG, YES_FLAG } from "../flags.ts";
import { askAndApply, assertCanGoOn } from "../go-ahead.ts";
import { planFromFlags, showPlan } from "../plan-step.ts";
import { readSettings } from "../run-settings.ts";

/** `catalog import FILE`: plan, ask, send, report. */
export const importCommand: Command = {
  name: "import",
  positionals: [
    {
      name: "file",
      required: true,
      describe: { tr: "CSV ya da XLSX dosyası", en: "CSV or XLSX file" },
    },
  ],
  describe: {
    tr: "Dosyadaki ürünleri ekler ve günceller, sonucu raporlar",
    en: "Adds and updates the products of a file and reports the outcome",
  },
  flags: { ...FILE_FLAGS, ...LIMIT_FLAGS, ...UNKNOWN_FLAG, ...VERIFY_FLAG, ...YES_FLAG },
  examples: ["import urunler.xlsx", "import urunler.csv --yes --json --max-errors 5%"],
  async run(context, flags) {
    assertCanGoOn(context, flags);
    const settings = readSettings(flags);
    await using toolkit = await context.openToolkit(settings);
    using lock = toolkit.lock("catalog import");
    const command = "import";
    const run = await planFromFlags(context, toolkit, { command, flags, settings, lock });
    if (!context.json) await showPlan(context, toolkit, run);
    return await askAndApply(context, toolkit, { command, flags, run });
  },
};
