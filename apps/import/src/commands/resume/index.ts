import type { Command } from "../../context.ts";
import {
  LIMIT_FLAGS,
  PACE_FLAGS,
  PRICE_UNIT_FLAG,
  RUN_POSITIONAL,
  UNKNOWN_FLAG,
  VERIFY_FLAG,
  YES_FLAG,
} from "../../shared/flags.ts";

/** `catalog resume RUN`: reconciles unknown rows and sends the rest. */
export const resumeCommand: Command = {
  name: "resume",
  positionals: [RUN_POSITIONAL],
  describe: {
    tr: "Planlanmış ya da yarım kalmış bir çalıştırmayı kaldığı yerden sürdürür",
    en: "Goes on with a planned or interrupted run where it stopped",
  },
  flags: {
    ...LIMIT_FLAGS,
    ...UNKNOWN_FLAG,
    ...VERIFY_FLAG,
    ...YES_FLAG,
    ...PRICE_UNIT_FLAG,
    ...PACE_FLAGS,
  },
  examples: ["resume r-261121-0930-4f2a", "resume r-261121-0930-4f2a --json"],
  run: async (context, flags) => (await import("./run.ts")).runResumeCommand(context, flags),
};
