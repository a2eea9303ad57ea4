import { UsageError } from "@catalog/console";

import type { Command } from "../../context.ts";
import {
  FILE_FLAGS,
  FILES_FLAG,
  LIMIT_FLAGS,
  PACE_FLAGS,
  PLAN_FLAG,
  RUN_POSITIONAL,
  VERIFY_FLAG,
  YES_FLAG,
} from "../../flags.ts";

const { report } = FILE_FLAGS;

/**
 * `catalog undo RUN`, or `catalog undo --product CODE`: plans a new run that restores fields that
 * still have our values.
 */
export const undoCommand: Command = {
  name: "undo",
  isPatient: true,
  positionals: [{ ...RUN_POSITIONAL, required: false }],
  describe: {
    tr: "Bir çalıştırmanın güncellemelerini geri alır; o zamandan beri değişene dokunmaz",
    en: "Undoes the updates of a run, except what has changed since",
  },
  flags: {
    rows: {
      type: "string",
      describe: { tr: "Yalnızca bu satırlar: 3,7-9", en: "Only these rows: 3,7-9" },
    },
    fields: {
      type: "string",
      describe: {
        tr: "Yalnızca bu alanlar: price,stock",
        en: "Only these fields: price,stock",
      },
    },
    product: {
      type: "string",
      describe: {
        tr: "Bu ürüne yapılan bütün değişiklikler (kod ya da ID)",
        en: "All our changes of this product (code or id)",
      },
    },
    "zero-stock": {
      type: "boolean",
      describe: {
        tr: "Eklenen ürünlerin stoğunu 0 yap (ürün silinemez)",
        en: "Set the stock of added products to 0 (products cannot be deleted)",
      },
    },
    at: {
      type: "string",
      describe: {
        tr: "Şimdi değil, bu zamanda: 2026-12-07T00:00 (never: vazgeç)",
        en: "Not now but at this time: 2026-12-07T00:00 (never: no)",
      },
    },
    ...(report === undefined ? {} : { report }),
    ...LIMIT_FLAGS,
    ...VERIFY_FLAG,
    ...PLAN_FLAG,
    ...YES_FLAG,
    ...PACE_FLAGS,
    ...FILES_FLAG,
    queued: {
      type: "boolean",
      describe: {
        tr: "Süresi dolan çalıştırmayı geri al; worker böyle başlatır",
        en: "Undo a run whose period has ended; workers use it",
      },
    },
  },
  examples: [
    "undo r-261121-0930-4f2a",
    "undo r-261121-0930-4f2a --at 2026-12-07T00:00 --fields price",
    "undo r-261121-0930-4f2a --rows 7 --fields price",
    "undo --product KL-1042",
    "undo r-261121-0930-4f2a --zero-stock --yes --json",
  ],
  run: async (context, flags) => {
    if ((flags["run"] === undefined) === (flags["product"] === undefined)) throw noTarget();
    if (flags["product"] !== undefined && flags["rows"] !== undefined) throw noTarget();
    return await (await import("./run.ts")).runUndoCommand(context, flags);
  },
  goOn: async (context, flags, broken) =>
    (await import("../resume/run.ts")).goOnAfterTakeOver(context, flags, broken),
};

const noTarget = (): UsageError =>
  new UsageError({
    tr: "Ne geri alınacak? Bir çalıştırma (catalog undo ÇALIŞTIRMA, isterseniz --rows ve --fields ile) ya da bir ürün (catalog undo --product KOD, isterseniz --fields ile) verin.",
    en: "What is to be undone? Give a run (catalog undo RUN, with --rows and --fields where you like) or a product (catalog undo --product CODE, with --fields where you like).",
  });
