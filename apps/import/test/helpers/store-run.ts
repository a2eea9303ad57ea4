import type { CommandHarness } from "./command-harness.ts";
import { createFileIssue, createRun } from "./run-parts.ts";

/** Stores a Turkish run with one bad row, and returns its id. */
export async function storeRun({ open, folder }: CommandHarness): Promise<string> {
  await using connection = await open();
  const { id, facts, ...run } = createRun();
  const { command, file, mode, lang, warnings } = run;
  const reportDir = `${folder}/sonuc`;
  await connection.runs.create({ id, command, file, mode, lang, reportDir, warnings });
  await connection.journal.appendRows(id, [
    { row: 3, cells: ["KOD-1", "on iki"], code: "KOD-1", codeKey: "kod-1" },
  ]);
  const nothing = { action: null, productId: null, payload: null, changes: [] };
  await connection.journal.saveDecisions(id, [
    { row: 3, state: "invalid", issues: [createFileIssue()], ...nothing },
  ]);
  await connection.runs.update(id, { state: "planned", facts });
  return id;
}
