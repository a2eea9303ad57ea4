import { ACTION_FLAGS } from "../action-flags.ts";
import type { Command } from "../context.ts";

/** `catalog shipping templates import FILE`: sends the changes of an exported file. */
export const templateImport: Pick<Command, "flags" | "run" | "goOn"> = {
  flags: ACTION_FLAGS,
  run: async (context, flags) => (await import("../run-actions.ts")).runTemplates(context, flags),
  goOn: async (context, flags, broken) =>
    (await import("./resume/run.ts")).goOnAfterTakeOver(context, flags, broken),
};
