/**
 * What becomes of each row of a run, so that the plans of one file for several stores can be compared:
 * values are compared as people read them, because ids of the same name differ between marketplaces.
 */

import type { Connection } from "@catalog/connection";
import type { Lang } from "@catalog/i18n";
import { type RowState, type RunRecord, toCountedAction } from "@catalog/runs";

import { createShowValue, type ShowValue } from "./plan/new-products.ts";
import { readReported, type ReportedRow } from "./reported-rows.ts";
import { viewChanges } from "./run-view.ts";

/** What a plan does with a row, whether or not it was sent since. */
export type OutcomeKind = "add" | "update" | "unchanged" | "held" | "failed" | "cancelled";

export interface RowOutcome {
  readonly row: number;
  readonly kind: OutcomeKind;
  /** The values that it sends; equal texts are equal values. */
  readonly values: string;
}

/** Reads the outcomes of all rows, in the order of the sheet and in batches. */
export async function* readOutcomes(
  connection: Connection,
  stored: RunRecord,
  lang: Lang,
): AsyncGenerator<readonly RowOutcome[]> {
  const run = { ...stored, lang };
  const show = createShowValue(connection, run);
  for await (const rows of readReported(connection, run)) {
    const outcomes: RowOutcome[] = [];
    for (const row of rows) {
      const kind = toKind(row);
      const values = SENDING.has(kind) ? await toValues(row, show, lang) : "";
      outcomes.push({ row: row.row, kind, values });
    }
    yield outcomes;
  }
}

const SENDING: ReadonlySet<OutcomeKind> = new Set(["add", "update", "held"]);

/** By the states that are not on their way to the store; of the others, the action says it. */
const KINDS: Readonly<Partial<Record<RowState, OutcomeKind>>> = {
  parsed: "unchanged",
  unchanged: "unchanged",
  skipped: "unchanged",
  invalid: "failed",
  duplicate: "failed",
  rejected: "failed",
  held: "held",
  cancelled: "cancelled",
};

const toKind = ({ state, action }: ReportedRow): OutcomeKind =>
  KINDS[state] ?? toCountedAction(action) ?? "unchanged";

/** Images are named by how many there are, which says too little. */
async function toValues(row: ReportedRow, show: ShowValue, lang: Lang): Promise<string> {
  const changes = await viewChanges(row, { show, lang });
  if (changes.length === 0) return "";
  const images = row.payload?.images ?? null;
  const byField = changes.toSorted((a, b) => a.field.localeCompare(b.field));
  return JSON.stringify(
    byField.map(({ field, after }) => [field, field === "images" ? images : after]),
  );
}
