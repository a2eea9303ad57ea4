/** One sync, told to people or to scripts. */

import { type RunRecord } from "@catalog/runs";
import {
  type CommandContext,
  NO_FILES,
  NOTHING_PLANNED,
  syncFeed,
  type Synced,
  type SyncFeedOptions,
  type Toolkit,
  writeResultFiles,
} from "@catalog/toolkit";

import { type Outcome, toOutcome } from "./outcome.ts";
import { textsFor } from "./texts.ts";
import { createWatch } from "./watch.ts";
import { wrapLine } from "./wrap.ts";

export interface OnceOptions extends Omit<SyncFeedOptions, "stop" | "onEvent"> {
  /** Result files are wanted. */
  readonly writesFiles: boolean;
}

/** Runs a sync and prints what came of it. Throws what {@link syncFeed} throws. */
export async function syncOnce(
  context: CommandContext,
  toolkit: Toolkit,
  options: OnceOptions,
): Promise<Outcome> {
  const { terminal, clock, lang, quiet, json, stop } = context;
  const texts = textsFor(lang);
  const watch = createWatch({ terminal, clock, texts, isQuiet: quiet || json });
  const before = toolkit.calls.counts();
  let synced: Synced;
  try {
    synced = await syncFeed(toolkit, { ...options, stop, onEvent: (event) => watch.note(event) });
  } finally {
    watch.end();
  }
  const outcome = toOutcome(synced);
  const files =
    options.writesFiles && synced.run !== undefined
      ? await writeResultFiles({ ...toolkit, journal: toolkit.feedJournal }, synced.run)
      : NO_FILES;
  const calls = subtract(toolkit.calls.counts(), before);
  if (json)
    terminal.out(`${JSON.stringify(toDocument(context, { synced, outcome, files, calls }))}\n`);
  else await tell(context, toolkit, { synced, outcome, files, calls });
  return outcome;
}

interface Ended {
  readonly synced: Synced;
  readonly outcome: Outcome;
  readonly files: typeof NO_FILES;
  readonly calls: RunRecord["requests"];
}

const subtract = (now: RunRecord["requests"], before: RunRecord["requests"]): Ended["calls"] => ({
  token: now.token - before.token,
  read: now.read - before.read,
  write: now.write - before.write,
});

function toDocument(
  { lang }: CommandContext,
  { synced, outcome, files, calls }: Ended,
): Readonly<Record<string, unknown>> {
  const { run, counts, unknownCodes, reconciled = null } = synced;
  const { token, read, write } = calls;
  const warnings = synced.warnings.map((warning) => warning[lang]);
  return {
    command: "sync",
    run: run?.id ?? null,
    state: outcome.state,
    exit: outcome.exit,
    counts,
    planned: run?.facts?.planned ?? NOTHING_PLANNED,
    requests: { total: token + read + write, token, read, write },
    files,
    warnings,
    unknown_codes: unknownCodes,
    released: synced.released,
    reconciled,
    ...(outcome.code === null
      ? {}
      : { error: { code: outcome.code, message: reasonOf(synced, lang) || outcome.code } }),
  };
}

/** Empty where there is none. */
const reasonOf = (
  { reason }: Pick<Ended["synced"], "reason">,
  lang: CommandContext["lang"],
): string => reason?.[lang] ?? "";

/** Where a message goes on in its next line. */
const PROBLEM_INDENT = 4;
const WARNING_INDENT = 2;

/** Rows told one by one. */
const MOST_TOLD = 10;

async function tell(
  { terminal, lang, quiet }: CommandContext,
  toolkit: Toolkit,
  { synced, outcome, files, calls }: Ended,
): Promise<void> {
  const texts = textsFor(lang);
  const { run, counts, unknownCodes, reconciled } = synced;
  for (const warning of synced.warnings) {
    terminal.err(`${wrapLine(`! ${warning[lang]}`, terminal.columns - 1, WARNING_INDENT)}\n`);
  }
  if (run === undefined) return;
  if (reconciled !== undefined && !quiet) terminal.err(`${texts.reconciled(reconciled)}\n`);
  const told = wrapLine(texts.result(counts, unknownCodes), terminal.outColumns);
  terminal.out(`${told}\n`);
  if (!quiet) terminal.out(`${texts.calls(calls.read, calls.write)}\n`);
  await tellProblems({ terminal, lang }, toolkit, run);
  if (synced.released > 0) terminal.out(`${texts.released(synced.released)}\n`);
  if (counts.held > 0) terminal.err(`${texts.heldHint(run.id)}\n`);
  if (files.dir !== null) terminal.out(`${texts.files(files.dir)}\n`);
  if (outcome.state === "stopped") terminal.err(`${texts.stopped(reasonOf(synced, lang))}\n`);
}

async function tellProblems(
  { terminal, lang }: Pick<CommandContext, "terminal" | "lang">,
  { feedJournal }: Toolkit,
  { id }: RunRecord,
): Promise<void> {
  const texts = textsFor(lang);
  const states = ["invalid", "duplicate", "held", "rejected"] as const;
  const rows = await feedJournal.readRows(id, { states, limit: MOST_TOLD });
  for (const { row, code, issues } of rows) {
    const [issue] = issues;
    const message = issue?.message[lang] ?? "";
    const line = texts.problem(row, code ?? issue?.code ?? "", message);
    terminal.err(`${wrapLine(line, terminal.columns - 1, PROBLEM_INDENT)}\n`);
  }
  const counted = await feedJournal.countRows(id);
  const wanted = new Set<string>(states);
  const total = counted.reduce((sum, each) => sum + (wanted.has(each.state) ? each.rows : 0), 0);
  if (total > rows.length) terminal.err(`${texts.moreProblems(total - rows.length, id)}\n`);
}
