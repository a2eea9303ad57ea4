/**
 * Holds a row whose product has changed since the plan, with the planned, listed and wanted values.
 */

import { type Localized } from "@catalog/i18n";

import { type Ledger } from "../../ports/ledger.ts";
import { toIssue } from "../../row/issue-texts.ts";
import { type Settlement } from "../../row/row-outcome.ts";
import { type RowRecord } from "../../row/row-record.ts";
import { changesFrom, type OvertakenField } from "./judge-recheck.ts";
import {
  type LookedRow,
  type LookOptions,
  type LookVerdict,
  type LookWords,
} from "./update-rechecks.ts";

export interface HoldLookedOptions {
  readonly runId: string;
  readonly journal: Ledger;
  readonly look: LookOptions;
  /** The sheet's name, for issues. */
  readonly sheet: string;
}

type HeldVerdict = Exclude<LookVerdict, { readonly kind: "go" }>;

/** Holds a ready row, with an issue that says why. */
export async function holdLooked(
  options: HoldLookedOptions,
  { record, verdict }: Pick<LookedRow, "record"> & { readonly verdict: HeldVerdict },
): Promise<Localized> {
  const { runId, journal, look } = options;
  const { row } = record;
  const settlement = toSettlement(options, record, verdict);
  await journal.settle({ runId, row, from: "ready" }, { to: "held", ...settlement });
  // Stored after the hold: a released row is compared with this listing, and a row that is not held
  // yet must still be compared with its plan.
  if (verdict.kind === "overtaken" && verdict.before !== undefined) {
    await look.before.saveBefore(runId, [{ row, product: verdict.before }]);
  }
  return settlement.issues?.at(-1)?.message ?? { tr: "", en: "" };
}

function toSettlement(
  { look, sheet }: HoldLookedOptions,
  record: RowRecord,
  verdict: HeldVerdict,
): Omit<Settlement, "to"> {
  if (verdict.kind === "guarded") {
    const evidence = { rule: "the price guards, asked again by a look before sending" };
    return { cause: "guard", issues: [...record.issues, ...verdict.issues], evidence };
  }
  const place = { sheet, row: record.row, column: "", cell: "", value: record.code ?? "" };
  if (verdict.kind === "appeared") {
    const issues = [toIssue("E_APPEARED", place, verdict.ids.join(", "))];
    const evidence = { rule: "looked for by code before sending", found: verdict.ids };
    return { cause: "appeared", issues, evidence };
  }
  const rule = "looked at again by id before sending";
  if (verdict.kind === "gone") {
    const issues = [toIssue("E_CHANGED", place, GONE)];
    return { cause: "changed", issues, evidence: { rule, isGone: true } };
  }
  const { fields, before } = verdict;
  const issues = [toIssue("E_CHANGED", place, tellFields(record, fields, look.words))];
  const changes = before && changesFrom(record, before, look.priceUnit);
  return { cause: "changed", issues, changes, evidence: { rule, fields } };
}

const GONE: Localized = {
  tr: "ürün artık mağazanın hiçbir listesinde yok",
  en: "no listing of the store shows the product any more",
};

function tellFields(
  record: RowRecord,
  fields: readonly OvertakenField[],
  words: LookWords = PLAIN_WORDS,
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

const PLAIN_WORDS: LookWords = {
  field: same,
  value: (_row, { value }) => same(value === undefined ? "?" : JSON.stringify(value)),
};
