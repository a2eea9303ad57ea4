/**
 * Holds a row whose product has changed since the plan, with the planned, listed and wanted values.
 */

import type { Localized } from "@catalog/i18n";

import type { Ledger } from "../../ports/ledger.ts";
import { toIssue } from "../../row/issue-texts.ts";
import type { RowOutcome } from "../../row/row-outcome.ts";
import type { RowRecord } from "../../row/row-record.ts";
import { changesFrom, type ChangedField } from "./judge-recheck.ts";
import type {
  RecheckedRow,
  RecheckOptions,
  RecheckVerdict,
  RecheckTexts,
} from "./update-rechecks.ts";

export interface HoldChangedRowOptions {
  readonly runId: string;
  readonly journal: Ledger;
  readonly recheck: RecheckOptions;
  /** The sheet's name, for issues. */
  readonly sheet: string;
}

type HeldVerdict = Exclude<RecheckVerdict, { readonly kind: "go" }>;

/** Holds a ready row, with an issue that says why. */
export async function holdChangedRow(
  options: HoldChangedRowOptions,
  { record, verdict }: Pick<RecheckedRow, "record"> & { readonly verdict: HeldVerdict },
): Promise<Localized> {
  const { runId, journal, recheck } = options;
  const { row } = record;
  const outcome = toOutcome(options, record, verdict);
  await journal.recordOutcome({ runId, row, from: "ready" }, { to: "held", ...outcome });
  // Stored after the hold: a released row is compared with this listing, and a row that is not held
  // yet must still be compared with its plan.
  if (verdict.kind === "overtaken" && verdict.before !== undefined) {
    await recheck.before.saveBefore(runId, [{ row, product: verdict.before }]);
  }
  return outcome.issues?.at(-1)?.message ?? { tr: "", en: "" };
}

function toOutcome(
  { recheck, sheet }: HoldChangedRowOptions,
  record: RowRecord,
  verdict: HeldVerdict,
): Omit<RowOutcome, "to"> {
  if (verdict.kind === "guarded") {
    const evidence = { rule: "the price guards, asked again by a look before sending" };
    return { cause: "guard", issues: [...record.issues, ...verdict.issues], evidence };
  }
  const location = { sheet, row: record.row, column: "", cell: "", value: record.code ?? "" };
  if (verdict.kind === "appeared") {
    const issues = [toIssue("E_APPEARED", location, verdict.ids.join(", "))];
    const evidence = { rule: "looked for by code before sending", found: verdict.ids };
    return { cause: "appeared", issues, evidence };
  }
  const rule = "looked at again by id before sending";
  if (verdict.kind === "gone") {
    const issues = [toIssue("E_CHANGED", location, GONE)];
    return { cause: "changed", issues, evidence: { rule, isGone: true } };
  }
  const { fields, before } = verdict;
  const issues = [toIssue("E_CHANGED", location, describeFields(record, fields, recheck.texts))];
  const changes = before && changesFrom(record, before, recheck.priceUnit);
  return { cause: "changed", issues, changes, evidence: { rule, fields } };
}

const GONE: Localized = {
  tr: "ürün artık mağazanın hiçbir listesinde yok",
  en: "no listing of the store shows the product any more",
};

function describeFields(
  record: RowRecord,
  fields: readonly ChangedField[],
  words: RecheckTexts = PLAIN_TEXTS,
): Localized {
  const told = fields.map(({ field, old: was, now, new: ours }) => {
    const name = words.field(field);
    const old = words.value(record, { field, value: was, from: "store" });
    const is = words.value(record, { field, value: now, from: "store" });
    const next = words.value(record, { field, value: ours, from: "row" });
    return {
      tr: `${name.tr}: planda ${old.tr}, şimdi ${is.tr}, gönderilecek ${next.tr}`,
      en: `${name.en}: ${old.en} in the plan, ${is.en} now, ${next.en} to be sent`,
    };
  });
  return {
    tr: told.map(({ tr }) => tr).join("; "),
    en: told.map(({ en }) => en).join("; "),
  };
}

const same = (text: string): Localized => ({ tr: text, en: text });

const PLAIN_TEXTS: RecheckTexts = {
  field: same,
  value: (_row, { value }) => same(value === undefined ? "?" : JSON.stringify(value)),
};
