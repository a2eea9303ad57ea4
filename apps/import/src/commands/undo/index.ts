import type { Command } from "../../context.ts";
import {
  FILE_FLAGS,
  LIMIT_FLAGS,
  PACE_FLAGS,
  PLAN_FLAG,
  RUN_POSITIONAL,
  VERIFY_FLAG,
  YES_FLAG,
} from "../../flags.ts";

const { report } = FILE_FLAGS;

/** `catalog undo RUN`: plans a new run that restores fields that still have our values. */
export const undoCommand: Command = {
  name: "undo",
  isPatient: true,
  positionals: [RUN_POSITIONAL],
  describe: {
    tr: "Bir çalıştırmanın güncellemelerini geri alır; o zamandan beri değişene dokunmaz",
    en: "Undoes the updates of a run, except what has changed since",
  },
  flags: {
    "zero-stock": {
      type: "boolean",
      describe: {
        tr: "Eklenen ürünlerin stoğunu 0 yap (ürün silinemez)",
        en: "Set the stock of added products to 0 (products cannot be deleted)",
      },
    },
    ...(report === undefined ? {} : { report }),
    ...LIMIT_FLAGS,
    ...VERIFY_FLAG,
    ...PLAN_FLAG,
    ...YES_FLAG,
    ...PACE_FLAGS,
  },
  examples: ["undo r-261121-0930-4f2a", "undo r-261121-0930-4f2a --zero-stock --yes --json"],
  run: async (context, flags) => (await import("./run.ts")).runUndoCommand(context, flags),
  goOn: async (context, flags, broken) =>
    (await import("../resume/run.ts")).goOnAfterTakeOver(context, flags, broken),
};
