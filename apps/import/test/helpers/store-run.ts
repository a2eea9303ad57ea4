import { type Workplace } from "./command-harness.ts";
import { createIssue, createRun } from "./run-parts.ts";

/** Stores a Turkish run with one bad row, and returns its id. */
export async function storeRun({ open, folder }: Workplace): Promise<string> {
  await using toolkit = await open();
  const { id, facts, ...run } = createRun();
  const { command, file, mode, lang, warnings } = run;
  const reportDir = `${folder}/sonuc`;
  await toolkit.runLog.create({ id, command, file, mode, lang, reportDir, warnings });
  await toolkit.journal.appendRows(id, [
    { row: 3, cells: ["KOD-1", "on iki"], code: "KOD-1", codeKey: "kod-1" },
  ]);
  const nothing = { action: null, productId: null, payload: null, changes: [] };
  await toolkit.journal.decideRows(id, [
    { row: 3, state: "invalid", issues: [createIssue()], ...nothing },
  ]);
  await toolkit.runLog.update(id, { state: "planned", facts });
  return id;
}
