import { assertApplicable, assertPlanned, type Command, readRun } from "@catalog/toolkit";

import { applyAndReport } from "../apply-step.ts";
import { LIMIT_FLAGS, PACE_FLAGS, RUN_POSITIONAL, UNKNOWN_FLAG, VERIFY_FLAG } from "../flags.ts";
import { refuseByLimits } from "../go-ahead.ts";
import { mergeSettings, openForRun, runFlag } from "../run-settings.ts";

/** `catalog apply RUN`: send a stored plan, as it was shown. */
export const applyCommand: Command = {
  name: "apply",
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
        en: "If the plan is old, look at the store again and hold rows that changed",
      },
    },
    ...LIMIT_FLAGS,
    ...UNKNOWN_FLAG,
    ...VERIFY_FLAG,
    ...PACE_FLAGS,
  },
  examples: ["apply r-261121-0930-4f2a", "apply r-261121-0930-4f2a --recheck --json"],
  async run(context, flags) {
    await using toolkit = await openForRun(context, flags);
    using lock = toolkit.lock("catalog apply");
    const stored = await readRun(toolkit, runFlag(flags));
    lock.nameRun(stored.id);
    const isRechecked = flags["recheck"] === true;
    if (isRechecked) assertPlanned(stored);
    else await assertApplicable(toolkit, stored);
    const command = "apply";
    const run = { ...stored, settings: mergeSettings(stored.settings, flags) };
    const refused = await refuseByLimits(context, toolkit, { command, run });
    if (refused !== undefined) return refused;
    const recheck = isRechecked ? "all" : "adds";
    return await applyAndReport(context, toolkit, { command, flags, run, recheck });
  },
};
