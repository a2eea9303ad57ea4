/** Warns before rows are released of a run that was undone. */

import type { Connection } from "@catalog/connection";
import { formatDateTime } from "@catalog/i18n";
import { findUndo, type Release } from "@catalog/importer";
import type { RunRecord } from "@catalog/runs";

import type { CommandContext } from "../../context.ts";
import { tellWarning } from "../../shared/tell.ts";
import { releaseTexts } from "./texts.ts";

/** States when and by which run it was undone; says nothing where no row can be sent. */
export async function warnUndone(
  { terminal, lang }: CommandContext,
  connection: Connection,
  { run, release }: { readonly run: RunRecord; readonly release: Release | undefined },
): Promise<void> {
  if (release?.kind === "cancel") return;
  const [held] = await connection.journal.readRows(run.id, { states: ["held"], limit: 1 });
  const undo = held && (await findUndo(connection, run));
  if (undo === undefined) return;
  const { id, createdAtMs } = undo.run;
  const time = formatDateTime(createdAtMs, lang, { dateStyle: "short", timeStyle: "short" });
  tellWarning({ terminal }, releaseTexts(lang).undone(time, id));
}
