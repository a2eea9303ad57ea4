/** What is stored about a file's mapping once its plan is accepted. */

import type { Connection } from "@catalog/connection";
import type { Localized } from "@catalog/i18n";
import type { RunRecord } from "@catalog/runs";

import { rememberColumns } from "./column-profiles.ts";
import { saveRunNotations } from "./remembered-notations.ts";

/**
 * Stores how the columns and numbers of a run were mapped; returns a note where a profile is saved.
 */
export async function rememberReading(
  { memory: { notes, profiles }, baseUrl }: Pick<Connection, "memory" | "baseUrl">,
  run: Pick<RunRecord, "file" | "facts" | "progress">,
): Promise<Localized | undefined> {
  await saveRunNotations({ notes, baseUrl }, run);
  return await rememberColumns(profiles, run);
}
