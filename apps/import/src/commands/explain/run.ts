import { UsageError, type Flags, EXIT, textFlag, printJson } from "@catalog/console";
import { findRowUndo, readWholeRun } from "@catalog/importer";
import { createReadIdNames } from "@catalog/report";
import { parseRowAddress, rowAddress, type RunRecord } from "@catalog/runs";

import type { CommandContext } from "../../context.ts";
import { findHeldFile } from "../../shared/held-file.ts";
import { runFlag } from "../../shared/run-settings.ts";
import { formatExplanation, toExplanation } from "./view.ts";

/** `catalog explain RUN ROW`: shows the evidence of one row. Makes no call and takes no lock. */
export async function runExplainCommand(context: CommandContext, flags: Flags): Promise<number> {
  await using connection = await context.openConnection();
  const run = await readWholeRun(connection, runFlag(flags));
  const row = readRow(textFlag(flags, "row") ?? "", run);
  const [record] = await connection.journal.readRows(run.id, { after: row - 1, limit: 1 });
  if (record?.row !== row) throw noSuchRow(run, row);
  const events = await connection.journal.readEvents({ runId: run.id, row });
  const names = await createReadIdNames(connection, run)(record);
  const undo = await findRowUndo(connection, run, row);
  const evidence = { run, record, events, held: findHeldFile(context, run), names, undo };
  const { lang, terminal } = context;
  if (context.json) printJson(context.terminal, toExplanation(evidence, lang));
  else terminal.out(formatExplanation(evidence, lang, terminal));
  return EXIT.done;
}

function readRow(text: string, { file }: RunRecord): number {
  const row = parseRowAddress(file, text);
  if (row !== undefined) return row;
  const sheet = file.sheets?.[1]?.name;
  const inSheet = {
    tr: sheet === undefined ? "" : `, birden çok sayfada sayfasıyla: ${sheet}!7`,
    en: sheet === undefined ? "" : `, with its sheet where there are several: ${sheet}!7`,
  };
  throw new UsageError({
    tr: `"${text}" bir satır numarası değil. Excel'in satırın yanında gösterdiği sayıyı verin${inSheet.tr}.`,
    en: `"${text}" is no row number. Give the number that Excel shows beside the row${inSheet.en}.`,
  });
}

function noSuchRow({ id, file }: RunRecord, row: number): UsageError {
  const named = rowAddress(file, row);
  return new UsageError({
    tr: `"${id}" çalıştırmasında ${named}. satır yok.`,
    en: `Run "${id}" has no row ${named}.`,
  });
}
