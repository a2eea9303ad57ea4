import { UsageError, type Flags, EXIT, textFlag, printJson } from "@catalog/console";
import { readWholeRun } from "@catalog/importer";

import type { CommandContext } from "../../context.ts";
import { runFlag } from "../../shared/run-settings.ts";
import { formatExplanation, toExplanation } from "./view.ts";

/** `catalog explain RUN ROW`: shows the evidence of one row. Makes no call and takes no lock. */
export async function runExplainCommand(context: CommandContext, flags: Flags): Promise<number> {
  const row = readRow(textFlag(flags, "row") ?? "");
  await using connection = await context.openConnection();
  const run = await readWholeRun(connection, runFlag(flags));
  const [record] = await connection.journal.readRows(run.id, { after: row - 1, limit: 1 });
  if (record?.row !== row) throw noSuchRow(run.id, row);
  const events = await connection.journal.readEvents({ runId: run.id, row });
  const evidence = { run, record, events };
  const { lang, terminal } = context;
  if (context.json) printJson(context.terminal, toExplanation(evidence, lang));
  else terminal.out(formatExplanation(evidence, lang, terminal.outColumns));
  return EXIT.done;
}

function readRow(text: string): number {
  const row = Number(text);
  if (Number.isSafeInteger(row) && row >= 1) return row;
  throw new UsageError({
    tr: `"${text}" bir satır numarası değil. Excel'in satırın yanında gösterdiği sayıyı verin.`,
    en: `"${text}" is no row number. Give the number that Excel shows beside the row.`,
  });
}

function noSuchRow(run: string, row: number): UsageError {
  return new UsageError({
    tr: `"${run}" çalıştırmasında ${row}. satır yok.`,
    en: `Run "${run}" has no row ${row}.`,
  });
}
