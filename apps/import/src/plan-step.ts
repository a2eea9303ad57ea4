/** The first half of every import: read, check and store the plan. */

import { type RunRecord } from "@catalog/runs";
import {
  type CommandContext,
  type Flags,
  planFile,
  type PlanFileOptions,
  type Toolkit,
} from "@catalog/toolkit";

import { countFlag, pairsFlag, textFlag } from "./flags.ts";
import { toPictureOptions } from "./picture-flags.ts";
import { createProgress, type Progress } from "./progress.ts";
import { formatPlan, formatProblems } from "./report.ts";
import { readCounts, readProblems } from "./run-view.ts";
import { textsFor } from "./texts.ts";

/** Plans the file that the flags name. */
export async function planFromFlags(
  context: CommandContext,
  toolkit: Toolkit,
  plan: { readonly command: string; readonly flags: Flags },
): Promise<RunRecord> {
  const { lang, terminal, clock, quiet, stop } = context;
  const texts = textsFor(lang);
  const shown = { terminal, clock, texts, quiet: quiet || context.json };
  const progress: Readonly<Record<"read" | "plan", Progress>> = {
    read: createProgress({ ...shown, label: texts.reading }),
    plan: createProgress({ ...shown, label: texts.planning }),
  };
  let step: "read" | "plan" = "read";
  try {
    return await planFile(toolkit, {
      ...toPlanOptions(context, plan.flags),
      command: plan.command,
      signal: stop,
      onProgress: (moment) => {
        if (moment.step !== step) progress[step].end();
        step = moment.step;
        progress[step].update(moment.done, moment.total);
      },
    });
  } finally {
    progress[step].end();
  }
}

type PlanOptions = Omit<PlanFileOptions, "command" | "signal" | "onProgress">;

function toPlanOptions(context: CommandContext, flags: Flags): PlanOptions {
  const { lang, resolve } = context;
  const decimal = textFlag(flags, "decimal");
  const mode = textFlag(flags, "mode");
  return {
    path: resolve(textFlag(flags, "file") ?? ""),
    lang,
    mode: mode === "add" || mode === "update" ? mode : "upsert",
    reportDir: resolve(textFlag(flags, "report") ?? "catalog-results/{run}"),
    sheet: toSheetOptions(flags),
    decimal: decimal === "comma" || decimal === "point" ? decimal : undefined,
    columns: pairsFlag(flags, "map"),
    constants: pairsFlag(flags, "set"),
    pictures: toPictureOptions(context, flags),
  };
}

function toSheetOptions(flags: Flags): NonNullable<PlanOptions["sheet"]> {
  const sheet = textFlag(flags, "sheet");
  const headerRow = countFlag(flags, "header-row");
  const encoding = textFlag(flags, "encoding");
  const delimiter = textFlag(flags, "delimiter");
  return {
    ...(sheet !== undefined && { sheet }),
    ...(headerRow !== undefined && { headerRow }),
    ...(encoding !== undefined && { encoding }),
    ...(delimiter !== undefined && { delimiter }),
  };
}

/** Shows the plan and its problems. */
export async function showPlan(
  { terminal, lang }: CommandContext,
  toolkit: Toolkit,
  run: RunRecord,
): Promise<void> {
  const { rows } = await readCounts(toolkit, run);
  terminal.out(formatPlan(run, rows, toolkit.baseUrl));
  for (const warning of run.warnings) terminal.out(`  ! ${warning}\n`);
  const planned = run.facts?.planned;
  if (run.facts?.priceUnit === "unknown" && planned !== undefined && planned.update > 0) {
    terminal.out(`  ! ${textsFor(lang).priceUnitUnknown}\n`);
  }
  terminal.out(formatProblems(await readProblems(toolkit, run), lang, terminal.outColumns));
}
