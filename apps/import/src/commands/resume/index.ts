import type { Command } from "../../context.ts";
import {
  FILES_FLAG,
  LIMIT_FLAGS,
  NO_QUESTION_FLAG,
  PACE_FLAGS,
  PRICE_UNIT_FLAG,
  RUN_POSITIONAL,
  UNKNOWN_FLAG,
  VERIFY_FLAG,
} from "../../flags.ts";

/** `catalog resume RUN`: reconciles unknown rows and sends the rest. */
export const resumeCommand: Command = {
  name: "resume",
  isPatient: true,
  positionals: [RUN_POSITIONAL],
  describe: {
    tr: "Yarım kalmış bir çalıştırmayı sürdürür; hiç gönderilmemiş planı da sormadan gönderir",
    en: "Continues an interrupted run; also sends a plan that was never sent, without asking",
  },
  flags: {
    ...LIMIT_FLAGS,
    ...UNKNOWN_FLAG,
    ...VERIFY_FLAG,
    ...NO_QUESTION_FLAG,
    ...PRICE_UNIT_FLAG,
    ...PACE_FLAGS,
    ...FILES_FLAG,
    queued: {
      type: "boolean",
      describe: {
        tr: "Bir kişinin karar vermesi gerekiyorsa sürdürme; sıradan alan worker böyle başlatır",
        en: "Stop where a person must decide; workers use it for queued runs",
      },
    },
  },
  examples: ["resume r-261121-0930-4f2a", "resume r-261121-0930-4f2a --json"],
  run: async (context, flags) => (await import("./run.ts")).runResumeCommand(context, flags),
  goOn: async (context, flags, broken) =>
    (await import("./run.ts")).goOnAfterTakeOver(context, flags, broken),
};
