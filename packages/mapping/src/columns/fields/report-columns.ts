import type { Localized } from "@catalog/i18n";

import type { IssueParams } from "../../issues/issue.ts";
import { columnLetter } from "../../rows/source-row.ts";
import type { BeatenColumn } from "../choose-columns.ts";
import {
  type ColumnFacts,
  describeCells,
  describeColumn,
  findHolder,
  isFilled,
} from "../column-facts.ts";
import {
  type ColumnQuestion,
  describeChoices,
  findOpenColumns,
  type OpenColumn,
} from "../column-questions.ts";
import { findForeignPrices } from "../currency-column.ts";
import type { ColumnTarget } from "../header-matcher.ts";
import type { HeaderReport } from "../header-report.ts";
import type { NamedCurrency } from "./currency-keywords.ts";
import type { FieldKey } from "./field.ts";
import { findField, getField } from "./fields.ts";

/** The columns that are used in the end, and the open questions about them. */
export interface ReportedColumns {
  readonly targets: readonly ColumnTarget[];
  readonly questions: readonly ColumnQuestion[];
}

/** Reports which columns are not used and why, and which questions a person has to answer first. */
export function reportColumns(
  facts: ColumnFacts,
  to: HeaderReport,
  expected: readonly FieldKey[] = [],
): ReportedColumns {
  const open = findOpenColumns(facts, expected);
  const asked = new Set(open.map(({ index }) => index));
  const unused = [...facts.beaten, ...findNeedless(facts)].filter(({ index }) => !asked.has(index));
  for (const column of unused) warnBeaten(facts, column, to);
  const beaten = new Set(unused.map(({ index }) => index));
  const targets = facts.targets.map((target, index): ColumnTarget => {
    return beaten.has(index) ? { kind: "unused" } : target;
  });
  warnLeftOut({ ...facts, targets }, asked, to);
  for (const { index, named, header = "", currency } of findForeignPrices(facts)) {
    const text = header === "" ? "E_HEADER_CURRENCY" : "E_HEADER_CURRENCY.stated";
    to.report(text, index, { currency, other: header, answers: describeCurrencies(named) });
  }
  return { targets, questions: open.map((question) => ask(facts, question, to)) };
}

/** Columns of a doubtful or extended header whose field another column has. */
function findNeedless(facts: ColumnFacts): readonly BeatenColumn[] {
  return facts.matches.flatMap(({ target, doubt, isVariant }, index) => {
    if (target.kind !== "unknown" || facts.targets[index]?.kind !== "unknown") return [];
    const field = isVariant === true ? target.suggestion : doubt?.target.field;
    if (field === undefined || doubt?.kind === "rival") return [];
    const winner = findHolder(facts, field);
    return winner === undefined ? [] : [{ index, winner }];
  });
}

function warnBeaten(
  facts: ColumnFacts,
  { index, winner }: BeatenColumn,
  { report }: HeaderReport,
): void {
  const target = facts.targets[winner];
  const isField = target?.kind === "field";
  const field = isField ? getField(target.field).header : propertyOf(target);
  const other = describeColumn(facts, winner);
  const cells = describeCells(facts, index);
  report("W_COLUMN_UNUSED", index, { field, key: isField ? field : "", other, cells });
}

const propertyOf = (target: ColumnTarget | undefined): string =>
  target?.kind === "property" ? target.name : "";

/** Warns of a column that is left out; a field that another column has is not suggested. */
function warnLeftOut(
  facts: ColumnFacts,
  asked: ReadonlySet<number>,
  { report }: HeaderReport,
): void {
  for (const [index, target] of facts.targets.entries()) {
    if (facts.headers[index] === "" || asked.has(index)) continue;
    if (target.kind === "never-sent") report("W_COLUMN_NOT_SENT", index);
    if (target.kind === "other-id" && isFilled(facts, index)) {
      report("W_COLUMN_OTHER_ID", index, { cells: describeCells(facts, index) });
    }
    if (target.kind === "unknown") report("W_COLUMN_UNKNOWN", index, suggest(facts, target));
  }
}

function suggest(
  facts: ColumnFacts,
  { suggestion }: Extract<ColumnTarget, { readonly kind: "unknown" }>,
): IssueParams {
  const isGiven = (field: FieldKey): boolean =>
    facts.constants.has(field) || findHolder(facts, field) !== undefined;
  const isOpen = suggestion !== undefined && !isGiven(suggestion);
  const field = isOpen ? findField(suggestion) : undefined;
  return field === undefined ? {} : { field: field.header, key: field.header };
}

/** Tells the user to convert prices in a currency that the marketplace does not take. */
function describeCurrencies(named: NamedCurrency): Localized {
  const inTl = "--set currency=TL";
  if (named !== "other") {
    return {
      tr: `${named}: --set currency=${named} · TL: ${inTl}`,
      en: `${named}: --set currency=${named} · TL: ${inTl}`,
    };
  }
  return {
    tr: `Pazaryeri bu para birimini almıyor; fiyatları TL'ye çevirin. Zaten TL ise: ${inTl}`,
    en: `The marketplace does not take it; convert the prices to TL. If they are in TL: ${inTl}`,
  };
}

function ask(
  facts: ColumnFacts,
  { index, field, text, params, choices }: OpenColumn,
  { report }: HeaderReport,
): ColumnQuestion {
  const header = facts.headers[index] ?? "";
  const answers = describeChoices(header, choices);
  const issue = report(text, index, { ...params, answers });
  return { header, letter: columnLetter(index), field, issue, choices };
}
