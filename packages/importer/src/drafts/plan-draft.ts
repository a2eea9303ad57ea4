/** Plans the rows of a draft as any other sheet. */

import { type Connection, CatalogError } from "@catalog/connection";
import { formatNumber } from "@catalog/i18n";
import type { RunRecord, RunWarning } from "@catalog/runs";

import { readDraftDefaults } from "../columns/default-values.ts";
import type { PlanFileOptions } from "../plan/plan-file-options.ts";
import { planSheet } from "../plan/plan-file.ts";
import { givenColumns } from "./draft-columns.ts";
import { cellToText, createDraftSheet } from "./draft-source.ts";
import { readDraft } from "./edit-draft.ts";
import { readNotations, readSource } from "./live-state.ts";
import type { DraftRecord } from "./stored-draft.ts";

/** Options of a plan; the draft has its own settings for reading the file and its columns. */
export type PlanDraftOptions = Omit<
  PlanFileOptions,
  "path" | "download" | "sheet" | "decimal" | "columns" | "constants" | "profile" | "platform"
>;

/**
 * Plans a draft whose rows are checked. Throws {@link CatalogError} `E_DRAFT_UNKNOWN`,
 * `E_DRAFT_UNREADY`, and `E_DRAFT_CHANGED` where it is changed while it is planned.
 */
export async function planDraft(
  connection: Connection,
  id: string,
  options: PlanDraftOptions,
): Promise<RunRecord> {
  const { drafts } = connection.memory;
  const draft = await readDraft(drafts, id);
  const [source, notations] = [readSource(draft), readNotations(draft)];
  if (draft.state !== "ready" || source === undefined || notations === undefined) {
    throw new CatalogError("E_DRAFT_UNREADY", draft.name);
  }
  const { version, reading, columns } = draft;
  const { excluded } = await drafts.counts(id);
  const asked: PlanFileOptions = {
    ...options,
    path: draft.path,
    decimal: reading.decimal,
    columns: givenColumns(columns),
    constants: new Map(Object.entries(columns.constants)),
    defaults: options.defaults ?? (await readDraftDefaults(connection.memory.profiles, columns)),
  };
  const sheet = createDraftSheet(drafts, id, source, columns);
  const run = await planSheet(connection, asked, {
    sheet,
    file: {
      path: draft.path,
      name: draft.name,
      sha256: draft.sha256,
      kind: source.kind,
      sheet: source.kind === "csv" ? draft.name : source.sheet,
      ...(source.sheets !== undefined && { sheets: source.sheets }),
      headerRow: source.header.row,
      header: sheet.fileHeader.cells.map(cellToText),
      ...(columns.added !== undefined && { added: columns.added.length }),
    },
    reading: source.description,
    notations,
    draft: { id, version, excluded },
    warnings: warnOfExcluded(excluded),
    assertUnchanged: async () => assertVersion(await drafts.read(id), draft),
  });
  await drafts.update(id, { run: { id: run.id, version } });
  return run;
}

function assertVersion(now: DraftRecord | undefined, { name, version }: DraftRecord): void {
  if (now?.version !== version) throw new CatalogError("E_DRAFT_CHANGED", name);
}

/** Rows that a person left out are named, so that no product is lost unseen. */
function warnOfExcluded(rows: number): readonly RunWarning[] {
  if (rows === 0) return [];
  const [tr, en] = [formatNumber(rows, "tr"), formatNumber(rows, "en")];
  return [
    {
      code: "W_ROWS_EXCLUDED",
      message: {
        tr: `Taslakta ${tr} satır çıkarıldı; bu satırlar planda yok.`,
        en: `${en} ${rows === 1 ? "row was" : "rows were"} left out in the draft and ${rows === 1 ? "is" : "are"} not in the plan.`,
      },
    },
  ];
}
