/** `catalog release --waiting`: lists all rows of the store that wait for a person. */

import type { Connection } from "@catalog/connection";
import { EXIT, printJson } from "@catalog/console";
import { type HeldRun, listHeldRuns, readHistory } from "@catalog/report";
import { locateIssue, rowAddress, type RowRecord } from "@catalog/runs";

import type { CommandContext } from "../../context.ts";
import { releaseTexts } from "./texts.ts";

/** Rows of one run that are shown; the command that decides on them shows the others. */
const MAX_SHOWN = 10;

/** Rows of one run in a document. */
const MAX_LISTED = 1_000;

/** Returns the exit code, which is that of a command that was carried out, whatever waits. */
export async function runWaiting(context: CommandContext): Promise<number> {
  await using connection = await context.openConnection();
  const found = await listHeldRuns(connection);
  if (context.json) {
    const waiting = [];
    for (const one of found) waiting.push(await toDocument(connection, one));
    const rows = found.reduce((sum, { held }) => sum + held, 0);
    printJson(context.terminal, { command: "release", run: null, exit: EXIT.done, rows, waiting });
    return EXIT.done;
  }
  if (found.length === 0) context.terminal.out(`${releaseTexts(context.lang).nothingWaits}\n`);
  for (const one of found) await show(context, connection, one);
  return EXIT.done;
}

const readHeld = async (
  { journal }: Connection,
  { run }: HeldRun,
  limit: number,
): Promise<readonly RowRecord[]> => await journal.readRows(run.id, { states: ["held"], limit });

async function toDocument(connection: Connection, found: HeldRun): Promise<object> {
  const { run, held } = found;
  const { began_at, source, files } = readHistory(connection, run);
  const records = await readHeld(connection, found, MAX_LISTED);
  const rows = records.map(({ row, code, action, issues }) => ({
    row,
    code,
    action,
    issues: issues.map((issue) => locateIssue(run.file, issue, run.id)),
  }));
  return { run: run.id, began_at, source, held_file: files.held, held, rows };
}

async function show(
  { terminal, lang }: CommandContext,
  connection: Connection,
  found: HeldRun,
): Promise<void> {
  const { run, held } = found;
  const texts = releaseTexts(lang);
  terminal.out(
    `${texts.waitingIn({ run: run.id, source: run.file.name, atMs: run.createdAtMs, held })}\n`,
  );
  for (const { row, code, issues } of await readHeld(connection, found, MAX_SHOWN)) {
    const [issue] = issues;
    terminal.out(`  ${rowAddress(run.file, row)}  ${code ?? ""}  ${issue?.message[lang] ?? ""}\n`);
  }
  if (held > MAX_SHOWN) terminal.out(`  … ${texts.moreWait(held - MAX_SHOWN)}\n`);
  terminal.out(`  catalog release ${run.id}\n\n`);
}
