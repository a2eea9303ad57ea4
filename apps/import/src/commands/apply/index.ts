import type { Command } from "../../context.ts";
import {
  CANARY_FLAG,
  LIMIT_FLAGS,
  NO_QUESTION_FLAG,
  PACE_FLAGS,
  PERIOD_FLAGS,
  QUEUE_FLAG,
  RUN_POSITIONAL,
  UNKNOWN_FLAG,
  VERIFY_FLAG,
} from "../../flags.ts";

/** `catalog apply RUN`: sends a stored plan as it was shown. */
export const applyCommand: Command = {
  name: "apply",
  isPatient: true,
  positionals: [RUN_POSITIONAL],
  describe: {
    tr: "Saklanan bir planı olduğu gibi gönderir; eskimiş planı geri çevirir",
    en: "Sends a stored plan as it was shown; refuses a plan that is out of date",
  },
  flags: {
    recheck: {
      type: "boolean",
      describe: {
        tr: "Plan eskiyse mağazaya yeniden bak, değişen satırları beklet",
        en: "If the plan is old, read the store again and hold rows whose products changed",
      },
    },
    ...LIMIT_FLAGS,
    ...CANARY_FLAG,
    ...UNKNOWN_FLAG,
    ...VERIFY_FLAG,
    ...NO_QUESTION_FLAG,
    ...PACE_FLAGS,
    ...QUEUE_FLAG,
    ...PERIOD_FLAGS,
    unqueue: {
      type: "boolean",
      describe: {
        tr: "Hiçbir şey gönderme; gönderimi sıradan çıkar ya da başlamışsa güvenle durdur",
        en: "Send nothing; take the run out of the queue, or stop its sending safely",
      },
    },
  },
  examples: [
    "apply r-261121-0930-4f2a",
    "apply r-261121-0930-4f2a --recheck --json",
    "apply r-261121-0930-4f2a --start-at 2026-12-01T09:00 --undo-at 2026-12-07T00:00",
    "apply r-261121-0930-4f2a --unqueue",
  ],
  run: async (context, flags) => (await import("./run.ts")).runApplyCommand(context, flags),
  goOn: async (context, flags, broken) =>
    (await import("../resume/run.ts")).goOnAfterTakeOver(context, flags, broken),
};
