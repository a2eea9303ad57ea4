/** Deletes the rows of old runs, or says what would be deleted. */

import type { Connection, PrunedRows, StoreStorage } from "@catalog/connection";
import {
  createProgressLine,
  durationFlag,
  EXIT,
  type Flags,
  printJson,
  textFlag,
  UsageError,
} from "@catalog/console";
import { wrapText } from "@catalog/console/wrap-text";

import type { CommandContext } from "../../context.ts";
import { runsTexts } from "./texts.ts";

/** What the flags of `catalog runs prune` ask for. */
export interface PruneRequest {
  readonly isDryRun: boolean;
  /** The age of runs whose rows are deleted. @default the setting */
  readonly keepMs: number | undefined;
  /** The command line that deletes them. */
  readonly command: string;
}

const DAY_MS = 86_400_000;

/** Throws {@link UsageError} for an age below a day. */
export function readPruneRequest(flags: Flags): PruneRequest {
  const keepMs = durationFlag(flags, "older-than");
  if (keepMs !== undefined && keepMs < DAY_MS) {
    throw new UsageError({
      tr: "--older-than için en az 1d verin: son bir günün çalıştırmaları silinmez.",
      en: "Give --older-than at least 1d: runs of the last day are not deleted.",
    });
  }
  const age = keepMs === undefined ? "" : ` --older-than ${textFlag(flags, "older-than")}`;
  return { isDryRun: flags["dry-run"] === true, keepMs, command: `catalog runs prune${age}` };
}

/** Throws {@link UsageError} where flags of `prune` are given to another use of the command. */
export function refusePruneFlags(flags: Flags): undefined {
  const given = ["dry-run", "older-than"].find((name) => flags[name] !== undefined);
  if (given === undefined) return undefined;
  throw new UsageError({
    tr: `--${given} yalnızca "catalog runs prune" ile kullanılır.`,
    en: `--${given} goes with "catalog runs prune" only.`,
  });
}

/** Runs `catalog runs prune`. Returns the exit code. */
export async function pruneRuns(
  context: CommandContext,
  connection: Connection,
  request: PruneRequest,
): Promise<number> {
  const { keepMs = connection.storage.keepMs } = request;
  if (request.isDryRun) {
    await preview(context, connection, { ...request, keepMs });
    return EXIT.done;
  }
  const pruned = await prune(context, connection, keepMs);
  const compacted = context.stop.aborted ? undefined : await connection.storage.compact();
  const exit = compacted === undefined ? EXIT.interrupted : EXIT.done;
  const waiting = await connection.storage.listWaiting(keepMs);
  const hasOlder = await hasOlderRun(context, connection, keepMs);
  const ended = { keepMs, pruned, compacted, waiting, hasOlder };
  if (context.json) printJson(context.terminal, toDocument(ended, exit));
  else tell(context, ended);
  return exit;
}

interface EndedPrune {
  readonly keepMs: number;
  readonly pruned: PrunedRows;
  /** What became of the free space; `undefined` after an interruption. */
  readonly compacted: Awaited<ReturnType<StoreStorage["compact"]>> | undefined;
  /** Older runs that are kept until a person decides. */
  readonly waiting: readonly string[];
  /** Whether any run is of that age, deleted or kept. */
  readonly hasOlder: boolean;
}

async function hasOlderRun(
  { clock }: CommandContext,
  { runs }: Connection,
  keepMs: number,
): Promise<boolean> {
  const all = await runs.list(Number.MAX_SAFE_INTEGER);
  return all.some(({ createdAtMs }) => createdAtMs <= clock.now() - keepMs);
}

function toDocument({ keepMs, pruned, compacted, waiting }: EndedPrune, exit: number): object {
  const freed_bytes = compacted?.kind === "done" ? compacted.freedBytes : 0;
  const rest = { dry_run: false, freed_bytes, disk: compacted?.kind ?? "interrupted" };
  const counts = { ...pruned, waiting_runs: waiting.length };
  const done = { older_than_days: keepMs / DAY_MS, ...counts, ...rest };
  return { command: "runs", exit, prune: done };
}

function tell(context: CommandContext, ended: EndedPrune): void {
  const { keepMs, pruned, compacted, waiting, hasOlder } = ended;
  const { terminal, lang } = context;
  const texts = runsTexts(lang);
  if (pruned.runs > 0) terminal.out(`${texts.deleted(pruned)}\n`);
  if (compacted === undefined) return say(context, texts.interrupted);
  if (pruned.runs === 0) say(context, texts.nothingDue(keepMs / DAY_MS, hasOlder));
  if (waiting.length > 0) say(context, texts.waiting(waiting));
  if (compacted.kind === "done") terminal.out(`${texts.freed(compacted.freedBytes)}\n`);
}

interface Preview extends PruneRequest {
  readonly keepMs: number;
}

async function preview(
  context: CommandContext,
  connection: Connection,
  { keepMs, command }: Preview,
): Promise<void> {
  const { storage } = connection;
  const due = await storage.previewPrune(keepMs);
  const waiting = await storage.listWaiting(keepMs);
  const days = keepMs / DAY_MS;
  if (context.json) {
    const counts = { ...due, waiting_runs: waiting.length };
    const found = { older_than_days: days, ...counts, dry_run: true };
    printJson(context.terminal, { command: "runs", exit: EXIT.done, prune: found });
    return;
  }
  const texts = runsTexts(context.lang);
  const { terminal } = context;
  const columns = terminal.outColumns;
  const hasOlder = await hasOlderRun(context, connection, keepMs);
  if (due.runs === 0) say(context, texts.nothingDue(days, hasOlder));
  else terminal.out(`${wrapText(texts.due({ ...due, days }), { columns, indent: 0 })}\n`);
  if (waiting.length > 0) say(context, texts.waiting(waiting));
  if (due.runs === 0) return;
  say(context, texts.stays);
  say(context, `\n${texts.pruneWith(command)}`);
}

async function prune(
  { terminal, clock, lang, quiet, json, stop }: CommandContext,
  { storage }: Connection,
  keepMs: number,
): Promise<PrunedRows> {
  const texts = runsTexts(lang);
  const line = createProgressLine({ terminal, clock, isQuiet: quiet || json });
  try {
    return await storage.prune({
      keepMs,
      signal: stop,
      onProgress: (deleted) => line.show(() => texts.deleting(deleted)),
    });
  } finally {
    line.clear();
  }
}

function say({ terminal, json }: CommandContext, text: string): void {
  if (!json)
    terminal.err(
      `${wrapText(terminal.shown(text), { columns: terminal.columns - 1, indent: 0 })}\n`,
    );
}
