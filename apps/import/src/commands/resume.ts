import { type Command, readRun } from "@catalog/toolkit";

import { applyAndReport } from "../apply-step.ts";
import { countFlag, PACE_FLAGS, textFlag, UNKNOWN_FLAG } from "../flags.ts";

/** `catalog resume RUN`: settle what is unknown and send what is left. */
export const resumeCommand: Command = {
  name: "resume",
  positionals: [
    { name: "run", required: true, describe: { tr: "Çalıştırma kimliği", en: "Id of the run" } },
  ],
  describe: {
    tr: "Planlanmış ya da yarım kalmış bir çalıştırmayı kaldığı yerden sürdürür",
    en: "Goes on with a planned or interrupted run where it stopped",
  },
  flags: { ...UNKNOWN_FLAG, ...PACE_FLAGS },
  examples: ["resume r-261121-0930-4f2a", "resume r-261121-0930-4f2a --json"],
  async run(context, flags) {
    await using toolkit = await context.openToolkit({
      concurrency: countFlag(flags, "concurrency"),
      requestsPerHour: countFlag(flags, "requests-per-hour"),
    });
    using _lock = toolkit.lock("catalog resume");
    const run = await readRun(toolkit, textFlag(flags, "run") ?? "");
    return await applyAndReport(context, toolkit, { command: "resume", flags, run, recheck: true });
  },
};
