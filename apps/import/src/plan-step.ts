/** The first half of every import: read, check and store the plan. */

import { type RunRecord, type RunSettings } from "@catalog/runs";
import {
  type CommandContext,
  type Flags,
  planFile,
  type PlanFileOptions,
  type StoreLock,
  type Toolkit,
} from "@catalog/toolkit";

import { countFlag, pairsFlag, textFlag } from "./flags.ts";
import { createProgress, type Progress } from "./progress.ts";
import { formatPlan, formatProblems } from "./report.ts";
import { readAllProblems, readCounts } from "./run-view.ts";
import { textsFor } from "./texts.ts";

export interface PlanStep {
  readonly command: string;
  readonly flags: Flags;
  /** Kept with the run. */
  readonly settings: RunSettings;
  /** Told of the run. */
  readonly lock: StoreLock;
}

/** Plans the file that the flags name. */
export async function planFromFlags(
  context: CommandContext,
  toolkit: Toolkit,
  { command, flags, settings, lock }: PlanStep,
): Promise<RunRecord> {
  const options = toPlanOptions(context, flags);
  return await watchPlan(context, lock, (watched) =>
    planFile(toolkit, { ...options, ...watched, command, settings }),
  );
}

/** What planning is told of the person who waits for it. */
export type Watched = Required<Pick<PlanFileOptions, "signal" | "onRun" | "onProgress">>;

/** Plans, and shows how far that is. */
export async function watchPlan(
  context: CommandContext,
  lock: StoreLock,
  plan: (watched: Watched) => Promise<RunRecord>,
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
    return await plan({
      signal: stop,
      onRun: (runId) => lock.nameRun(runId),
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

/** Where the result files go; `{run}` stands for the run's id. */
export function toReportDir({ resolve }: CommandContext, flags: Flags): string {
  return resolve(textFlag(flags, "report") ?? "catalog-results/{run}");
}

type PlanOptions = Omit<PlanFileOptions, "command" | "settings" | keyof Watched>;

function toPlanOptions(context: CommandContext, flags: Flags): PlanOptions {
  const { lang, resolve } = context;
  const decimal = textFlag(flags, "decimal");
  const mode = textFlag(flags, "mode");
  return {
    path: resolve(textFlag(flags, "file") ?? ""),
    lang,
    mode: mode === "add" || mode === "update" ? mode : "upsert",
    reportDir: toReportDir(context, flags),
    sheet: toSheetOptions(flags),
    decimal: decimal === "comma" || decimal === "point" ? decimal : undefined,
    columns: pairsFlag(flags, "map"),
    constants: pairsFlag(flags, "set"),
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
  const callsPerHour = toolkit.pacing.callsPerHour();
  terminal.out(formatPlan({ ...run, lang }, { rows, storeName: toolkit.baseUrl, callsPerHour }));
  for (const { message } of run.warnings) terminal.out(`  ! ${message[lang]}\n`);
  const planned = run.facts?.planned;
  if (run.facts?.priceUnit === "unknown" && planned !== undefined && planned.update > 0) {
    terminal.out(`  ! ${textsFor(lang).priceUnitUnknown}\n`);
  }
  for (const problems of await readAllProblems(toolkit, run)) {
    terminal.out(formatProblems(problems, lang, terminal.outColumns));
  }
}
