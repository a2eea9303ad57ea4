import { EXIT, type Flags, printJson, readFlag } from "@catalog/console";
import { InputError, type Localized } from "@catalog/i18n";
import { openDrafts } from "@catalog/importer";

import type { CommandContext } from "../../context.ts";
import { assertFile, draftOf, endWithPlan, planFromFlags } from "../../plan-from-flags.ts";
import { readSettings } from "../../run-settings.ts";
import { createProgress } from "../../run-view.ts";
import { textsFor } from "../../texts.ts";

/** `catalog plan FILE`: plans without sending. */
export async function runPlanCommand(context: CommandContext, flags: Flags): Promise<number> {
  if (flags["check"] === true) return await checkDraft(context, flags);
  const settings = readSettings(flags);
  await assertFile(context, flags);
  await using connection = await context.openConnection(settings);
  await using lock = await connection.locks.store("catalog plan");
  const command = "plan";
  const run = await planFromFlags(context, connection, { command, flags, settings, lock });
  return await endWithPlan(context, connection, { command, run, flags });
}

/**
 * Checks the rows of a draft for a page, whose own process has requests to answer. The store is not
 * locked: drafts are checked while a run is sent.
 */
async function checkDraft(context: CommandContext, flags: Flags): Promise<number> {
  const { terminal, clock, lang, json, limits, onProgress, hasParent } = context;
  const id = draftOf(readFlag.text(flags, "file") ?? "");
  if (id === undefined) throw new InputError(CHECKS_DRAFTS);
  const quiet = context.quiet || json;
  const texts = textsFor(lang);
  const progress = createProgress({ terminal, clock, texts, quiet, onProgress });
  const alone = new AbortController();
  await using connection = await context.openConnection();
  try {
    const draft = await openDrafts(connection).open(id, { limits });
    await draft.check({
      signal: AbortSignal.any([context.stop, alone.signal]),
      onProgress({ step, done, total }) {
        progress.show({
          phase: step === "read" ? "read" : "plan",
          done,
          ...(total !== null && { total }),
        });
        // The page that comes after begins anew, and two checks must not write into one draft.
        if (hasParent?.() === false) alone.abort(new Error("the page has ended"));
      },
    });
    const { state } = await draft.details();
    if (json) printJson(terminal, { command: "plan", exit: EXIT.done, draft: id, state });
    else terminal.out(`${texts.draftChecked}\n`);
  } finally {
    progress.end();
  }
  return EXIT.done;
}

const CHECKS_DRAFTS: Localized = {
  tr: "--check yalnızca sayfadaki bir taslağı denetler; taslak şöyle verilir: draft:d-261121-0930-4f2a1b2c3d4e",
  en: "--check only checks a draft of the page, which is given as draft:d-261121-0930-4f2a1b2c3d4e",
};
