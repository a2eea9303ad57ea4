/** The sheet of the plan's workbook with the biggest changes of every field. */

import { type Connection, fieldLabel } from "@catalog/connection";
import type { RunRecord } from "@catalog/runs";
import type { XlsxRow, XlsxSheet } from "@catalog/sheets";

import { PRICE_LABELS } from "../buyer-price.ts";
import { placeCell } from "../error-cells.ts";
import { payloadBefore } from "../field-value.ts";
import { MINOR_UNITS } from "../money-text.ts";
import { type ListedChange, listChanges, type RankedChanges } from "./biggest-changes.ts";
import { BIGGEST_HEADERS, PLAN_SHEETS, PLAN_TEXTS } from "./plan-texts.ts";
import type { ShowValue } from "./shown-values.ts";

/** Widths in characters. */
const WIDTHS = [22, 14, 8, 20, 40, 40, 12, 16];
/** Old and new values may be long texts. */
const FIRST_WRAPPED = 4;
const LAST_WRAPPED = 5;

/** The formats of the old and the new value where they are amounts. */
const AMOUNTS: Readonly<Record<number, string>> = { 4: "#,##0.00", 5: "#,##0.00" };

interface BiggestSheet {
  readonly show: ShowValue;
  readonly changes: RankedChanges;
}

/** Returns the sheet; `undefined` where nothing changes. */
export function toBiggestSheet(
  connection: Pick<Connection, "journal">,
  run: RunRecord,
  { show, changes }: BiggestSheet,
): XlsxSheet | undefined {
  const listed = listChanges(changes);
  if (listed.length === 0) return undefined;
  return {
    name: PLAN_SHEETS.biggest[run.lang],
    columns: BIGGEST_HEADERS.map((header, index) => ({
      header: header[run.lang],
      width: WIDTHS[index] ?? 20,
      wraps: index >= FIRST_WRAPPED && index <= LAST_WRAPPED,
    })),
    rows: toRows(connection, run, { show, listed }),
  };
}

async function* toRows(
  { journal }: Pick<Connection, "journal">,
  run: RunRecord,
  { show, listed }: { readonly show: ShowValue; readonly listed: readonly ListedChange[] },
): AsyncGenerator<XlsxRow> {
  const { lang } = run;
  for (const { field, rows, row, code, old, new: next, percent, isHeld, paid } of listed) {
    // The ranking keeps no bodies, which name the ids of a row and the kind of its discount.
    const [record] = await journal.readRows(run.id, { after: row - 1, limit: 1 });
    if (record?.row !== row) continue;
    const before = await show({ ...record, payload: payloadBefore(record) }, field, old);
    const after = await show(record, field, next);
    const plan = PLAN_TEXTS[isHeld ? "held" : "update"][lang];
    const place = [rows, placeCell(run, record), code];
    const formats = after.isAmount === true ? AMOUNTS : {};
    if (paid === undefined) {
      const cells = [fieldLabel(field, lang), ...place, before.cell, after.cell, percent, plan];
      yield { cells, formats };
      continue;
    }
    const paidAfter = paid.new === null ? PRICE_LABELS.unsure[lang] : paid.new / MINOR_UNITS;
    const prices = [paid.old / MINOR_UNITS, paidAfter, paid.percent];
    yield { cells: [PRICE_LABELS.paid[lang], ...place, ...prices, plan], formats };
    const list = [before.cell, after.cell, null];
    yield { cells: [PRICE_LABELS.list[lang], ...place, ...list, plan], formats };
  }
}
