/**
 * Holds a row whose product has changed since the plan, with the planned, listed and wanted values.
 */

import type { Localized } from "@catalog/i18n";

import { toHeldAsOne } from "../../guards/release-stock.ts";
import type { Ledger } from "../../ports/ledger.ts";
import { toIssue } from "../../row/issue-texts.ts";
import type { FieldChange } from "../../row/row-decision.ts";
import type { RowOutcome } from "../../row/row-outcome.ts";
import type { RowRecord } from "../../row/row-record.ts";
import { type ChangedField, changesFrom } from "./judge-recheck.ts";
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
  const outcome = await toOutcome(options, record, verdict);
  await journal.recordOutcome({ runId, row, from: "ready" }, { to: "held", ...outcome });
  // Stored after the hold: a released row is compared with this listing, and a row that is not held
  // yet must still be compared with its plan.
  if (verdict.kind === "overtaken" && verdict.before !== undefined) {
    await recheck.before.saveBefore(runId, [{ row, product: verdict.before }]);
  }
  return outcome.issues?.at(-1)?.message ?? { tr: "", en: "" };
}

async function toOutcome(
  { recheck, sheet }: HoldChangedRowOptions,
  record: RowRecord,
  verdict: HeldVerdict,
): Promise<Omit<RowOutcome, "to">> {
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
    return { cause: "changed", ...toHeldAsOne(record, issues), evidence: { rule, isGone: true } };
  }
  const { fields, before } = verdict;
  const described = await describeFields(record, verdict, recheck.texts);
  const issues = [toIssue("E_CHANGED", location, described)];
  const held = toHeldAsOne(record, issues);
  const { changes = record.changes } = "changes" in held ? held : {};
  return {
    cause: "changed",
    issues: held.issues,
    changes:
      before === undefined
        ? withShown(changes, fields)
        : changesFrom({ ...record, changes }, before, recheck.priceUnit),
    evidence: { rule, fields },
  };
}

/**
 * Of a row that may have been sent and has no listing of its plan, none can be stored: the store may
 * show our own values. The values that differ are not ours, and a released row is compared with
 * them; otherwise it would be held for them again after every release.
 */
const withShown = (
  changes: readonly FieldChange[],
  fields: readonly ChangedField[],
): readonly FieldChange[] =>
  changes.map((change) => {
    const shown = fields.find(({ field }) => field === change.field);
    return shown === undefined ? change : { ...change, old: shown.now };
  });

const GONE: Localized = {
  tr: "ürün artık mağazanın hiçbir listesinde yok",
  en: "no listing of the store shows the product any more",
};

type OvertakenVerdict = Extract<HeldVerdict, { readonly kind: "overtaken" }>;

async function describeFields(
  record: RowRecord,
  { fields, before: listing }: OvertakenVerdict,
  words: RecheckTexts = PLAIN_TEXTS,
): Promise<Localized> {
  const told: Localized[] = [];
  for (const { field, old: was, now, new: ours } of fields) {
    const name = words.field(field);
    const old = await words.value(record, { field, value: was, from: "store" });
    const is = await words.value(record, { field, value: now, from: "store", listing });
    const next = await words.value(record, { field, value: ours, from: "row" });
    told.push({
      tr: `${name.tr}: planda ${old.tr}, şimdi ${is.tr}, gönderilecek ${next.tr}`,
      en: `${name.en}: ${old.en} in the plan, ${is.en} now, ${next.en} to be sent`,
    });
  }
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
