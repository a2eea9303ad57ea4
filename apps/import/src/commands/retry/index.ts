import type { Command } from "../../context.ts";
import {
  FILE_FLAGS,
  IMAGE_FLAGS,
  LIMIT_FLAGS,
  PACE_FLAGS,
  PLAN_FLAG,
  RUN_POSITIONAL,
  UNKNOWN_FLAG,
  VERIFY_FLAG,
  YES_FLAG,
} from "../../flags.ts";

const { report } = FILE_FLAGS;

/** `catalog retry RUN`: plans a new run of the rows that the marketplace refused. */
export const retryCommand: Command = {
  name: "retry",
  isPatient: true,
  positionals: [RUN_POSITIONAL],
  describe: {
    tr: "Reddedilen satırları, saklanan hücrelerinden yeni bir çalıştırmada yeniden dener",
    en: "Tries rejected rows again in a new run, from the stored cells",
  },
  flags: {
    ...(report === undefined ? {} : { report }),
    ...LIMIT_FLAGS,
    ...UNKNOWN_FLAG,
    ...VERIFY_FLAG,
    ...PLAN_FLAG,
    ...YES_FLAG,
    ...PACE_FLAGS,
    ...IMAGE_FLAGS,
  },
  examples: ["retry r-261121-0930-4f2a", "retry r-261121-0930-4f2a --yes --json"],
  run: async (context, flags) => (await import("./run.ts")).runRetryCommand(context, flags),
  goOn: async (context, flags, broken) =>
    (await import("../resume/run.ts")).goOnAfterTakeOver(context, flags, broken),
};
