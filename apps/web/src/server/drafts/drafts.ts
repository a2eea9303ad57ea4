import type { Lang } from "@catalog/i18n";

import type {
  AddColumnBody,
  ColumnsBody,
  DraftSummary,
  DraftView,
  EditBody,
  EditResult,
  ExcludeBody,
  LookupView,
  NameBody,
  PlanBody,
  NameView,
  ReadingBody,
  ReplaceBody,
  ReplacePreview,
  RowFilter,
  RowSort,
  RowView,
} from "../../api/drafts.ts";
import type { DraftFile } from "./create-draft.ts";

/** A place in the table, or a field that has no column, and what was typed there. */
export interface LookupQuery {
  readonly column?: number | undefined;
  readonly row?: number | undefined;
  readonly field?: string | undefined;
  readonly text: string;
}

/** A file that waits to be sent. */
export interface WrittenFile {
  readonly path: string;
  /** For the person. */
  readonly name: string;
}

/**
 * Drafts as the page shows them. Each function throws `E_DRAFT_UNKNOWN` for an unknown draft and
 * `E_DRAFT_CHANGED` for a change of another version than the current one.
 */
export interface Drafts {
  create(file: DraftFile, lang: Lang): Promise<DraftView>;
  list(lang: Lang): Promise<readonly DraftSummary[]>;
  /** Files of the drafts that were sent, those that were used last at the end. */
  sentFiles(): Promise<readonly string[]>;
  view(id: string, lang: Lang): Promise<DraftView>;
  remove(id: string): Promise<void>;
  setReading(id: string, body: ReadingBody, lang: Lang): Promise<DraftView>;
  setColumns(id: string, body: ColumnsBody, lang: Lang): Promise<DraftView>;
  order(
    id: string,
    filter: RowFilter & { readonly sort: RowSort | undefined },
  ): Promise<Uint32Array>;
  rows(id: string, numbers: readonly number[], lang: Lang): Promise<readonly RowView[]>;
  edit(id: string, body: EditBody, lang: Lang): Promise<EditResult>;
  addColumn(id: string, body: AddColumnBody, lang: Lang): Promise<EditResult>;
  undo(id: string, version: number, lang: Lang): Promise<EditResult>;
  redo(id: string, version: number, lang: Lang): Promise<EditResult>;
  exclude(id: string, body: ExcludeBody, lang: Lang): Promise<EditResult>;
  replace(id: string, body: ReplaceBody, lang: Lang): Promise<EditResult | ReplacePreview>;
  names(id: string, lang: Lang): Promise<readonly NameView[]>;
  answerName(id: string, body: NameBody, lang: Lang): Promise<DraftView>;
  lookup(id: string, query: LookupQuery, lang: Lang): Promise<readonly LookupView[]>;
  /** Writes the rows as they are now to a workbook of the page's folder. */
  writeFile(id: string, rows: "all" | "errors", lang: Lang): Promise<WrittenFile>;
  /** Starts to plan; the plan appears as the run of the draft. */
  plan(id: string, body: PlanBody, lang: Lang): Promise<DraftView>;
}
