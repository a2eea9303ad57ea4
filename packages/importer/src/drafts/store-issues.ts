/** What is known of the product of a row before the preview, and the issues that follow from it. */

import type { ColumnMapping, FieldKey } from "@catalog/mapping";
import type { CandidateRow, TakenCode } from "@catalog/runs";

import { describeAbsent } from "./absent-code.ts";
import { toAlikeIssues } from "./alike-codes.ts";
import type { Found } from "./draft-issues.ts";
import { type ShownCodes, toMismatch } from "./shown-codes.ts";

/** What is known of the product of a row. */
export interface CheckRowOptions extends ShownCodes {
  /** Whether the store has shown a product with the row's code. */
  readonly isListed: boolean;
  /** Whether neither the last listing of the store nor an earlier run has the row's code. */
  readonly isAbsent: boolean;
  /** Codes in use that look like the row's, which neither the store nor a run has. */
  readonly alikeCodes: readonly TakenCode[];
}

/** A row with the columns of its file. */
export interface RowFacts extends CheckRowOptions {
  readonly mapping: ColumnMapping;
}

/** Fields that a new product needs and that neither the file nor a default of the store has. */
export const lackedForAdd = ({
  missingRequired,
  defaults,
}: Pick<ColumnMapping, "missingRequired" | "defaults">): readonly FieldKey[] =>
  missingRequired.filter((field) => !defaults.has(field));

/** A code that looks like one of the store says more than that the store does not show it. */
export function toStoreIssues(candidate: CandidateRow, facts: RowFacts): readonly Found[] {
  const alike = toAlikeIssues(candidate, facts.alikeCodes);
  return [
    ...toGarbledIssues(candidate),
    ...toDamagedIssues(candidate, facts),
    ...(alike.length > 0 ? alike : toAbsentIssues(candidate, facts)),
    ...toMismatch(candidate, facts),
  ];
}

/** The plan holds such a row unless the store shows the very same text. */
const toGarbledIssues = ({ textDoubts = [] }: CandidateRow): readonly Found[] =>
  textDoubts.map(({ issue }) => ({
    issue: { ...issue, suggestion: GARBLED_ADVICE },
    severity: "warning",
  }));

const GARBLED_ADVICE = {
  tr: "Metni düzeltin ya da dosyayı, harfleri bozan programda doğru kodlamayla (UTF-8) açıp yeniden kaydedin.",
  en: "Correct the text, or open the file in the program that garbled it with the right encoding (UTF-8) and save it again.",
};

/** The plan holds such a row where the store does not have its code. */
function toDamagedIssues(
  { action, productId, holdsAdd }: CandidateRow,
  { isListed }: CheckRowOptions,
): readonly Found[] {
  if (holdsAdd === undefined || isListed || productId !== null || action === "skip") return [];
  return [{ issue: { ...holdsAdd, suggestion: DAMAGED_ADVICE }, severity: "warning" }];
}

const DAMAGED_ADVICE = {
  tr: "Asıl kodu hücreye yazın. Kod gerçekten buysa böyle bırakın; satır önizlemede kararınızı bekler.",
  en: "Write the original code into the cell. If this is the code, leave it; the row waits for your decision in the preview.",
};

/** A new product that lacks what adding needs. The plan asks the store again, and may know the code. */
function toAbsentIssues(
  { productId, action, code, codeLocation }: CandidateRow,
  { isAbsent, mapping }: RowFacts,
): readonly Found[] {
  const lacked = lackedForAdd(mapping);
  if (!isAbsent || lacked.length === 0) return [];
  if (productId !== null || code === null || action === "skip") return [];
  const issue = {
    code: "E_CODE_ABSENT",
    ...codeLocation,
    ...describeAbsent(code, lacked),
  };
  return [{ issue, severity: "error" }];
}
