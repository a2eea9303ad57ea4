/** The issues of a draft's rows: from their cells, from other rows of their code, and from the store. */

import type { Connection } from "@catalog/connection";
import type { ProductId } from "@catalog/contract";
import type { Localized } from "@catalog/i18n";
import {
  codeKey as toCodeKey,
  type ColumnMapping,
  type FieldKey,
  findField,
  type NumberNotations,
  type OpenName,
  proposeFixes,
  readingOf,
  type SourceRow,
} from "@catalog/mapping";
import {
  type CandidateRow,
  hasLostZeros,
  readUsedLookAlikes,
  type UsedLookAlikes,
  type RowIssue,
  toIssue,
  toMismatchIssue,
} from "@catalog/runs";

import { ALIKE_CODES } from "../plan/plan-basis.ts";
import { cellToText } from "./draft-rows.ts";
import type { DraftIssue } from "./draft-views.ts";

/** An issue and whether it keeps the row from being sent. */
export interface Found {
  readonly issue: RowIssue;
  readonly severity: DraftIssue["severity"];
}

/** The row of issues. */
export interface IssueRow extends Pick<
  Parameters<typeof proposeFixes>[0],
  "codes" | "codeWithZeros" | "nearModel"
> {
  readonly row: SourceRow;
  readonly mapping: ColumnMapping;
  readonly notations: NumberNotations;
  /** Names of the row that are open. */
  readonly open: readonly OpenName[];
}

/** The issue with the values that would correct its cell. */
export function toDraftIssue({ issue, severity }: Found, of: IssueRow): DraftIssue {
  const { code, message, suggestion, value, column: header } = issue;
  const column = columnOf(issue);
  const name = of.open.find((each) => each.column === header && each.value === value);
  const place = column === null ? undefined : of.mapping.columns[column];
  const { target, at } = place === undefined ? {} : readingOf(place);
  const fixes =
    column === null
      ? []
      : proposeFixes({
          issue,
          field: target?.kind === "field" ? target.field : undefined,
          text: cellToText(of.row.cells[column]),
          notation: of.notations.columns.get(at ?? column),
          format: of.row.formats?.[column],
          choices: name?.choices ?? [],
          codes: of.codes,
          codeWithZeros: of.codeWithZeros,
          nearModel: of.nearModel,
        });
  return { code, severity, column, message, suggestion: suggestion ?? null, fixes };
}

const CELL = /^(?<letters>[A-Z]{1,3})(?<row>\d+)$/u;
const LETTERS = 26;

/** Index of the column of an issue; `null` for the whole row and for cells of other rows. */
function columnOf({ cell, code }: RowIssue): number | null {
  const { letters } = CELL.exec(cell)?.groups ?? {};
  if (letters === undefined || code === "E_COLUMN_COUNT") return null;
  let column = 0;
  for (const letter of letters) column = column * LETTERS + (letter.charCodeAt(0) - 64);
  return column - 1;
}

/** Rows that share a product code. */
export interface RowsOfCode {
  /** Rows with the row's code, this one included. */
  readonly rows: readonly number[];
  /** Whether all of them ask for the same, so that the first one is sent. */
  readonly isIdentical: boolean;
  /** Whether there are more rows than are compared. */
  readonly isCut: boolean;
}

const MAX_NAMED = 20;

/** Of rows that say the same, the first is sent. */
export function toDuplicateIssues(
  { row, codeLocation }: CandidateRow,
  { rows, isIdentical, isCut }: RowsOfCode,
  nameRow: (row: number) => string,
): readonly Found[] {
  if (rows.length < 2 || (isIdentical && rows[0] === row)) return [];
  const named = rows.slice(0, MAX_NAMED).map(nameRow);
  const list = [...named, ...(isCut || rows.length > MAX_NAMED ? ["…"] : [])].join(", ");
  const issue = toIssue("E_CODE_DUPLICATE", codeLocation, list);
  return [{ issue, severity: isIdentical ? "warning" : "error" }];
}

const MAX_NAMED_CODES = 4;

/** The texts about the code; `missing` are the fields that a new product needs. */
function describeAbsent(
  code: string,
  missing: readonly FieldKey[],
): { readonly message: Localized; readonly suggestion: Localized } {
  const headers = missing.flatMap((key) => findField(key)?.header ?? []);
  const more = headers.length - MAX_NAMED_CODES;
  const named = (lang: keyof Localized): string =>
    headers
      .slice(0, MAX_NAMED_CODES)
      .map((header) => `“${header[lang]}”`)
      .join(", ");
  return {
    message: {
      tr: `Mağazanın son okunan ürünleri arasında “${code}” kodlu ürün yok.`,
      en: `No product with the code “${code}” is among those of the store that were read last.`,
    },
    suggestion: {
      tr: `Kodu kontrol edin. Ürün yeniyse eklenemez: dosyada ${named("tr")}${more > 0 ? ` ve ${more} sütun daha` : ""} yok. Bu alanlara Sütunlar adımında bütün satırlar için bir değer verebilirsiniz. Önizleme mağazaya yeniden bakar.`,
      en: `Check the code. A new product cannot be added: the file lacks ${named("en")}${more > 0 ? ` and ${more} more columns` : ""}. In the step Columns you can give these fields a value for all rows. The preview asks the store again.`,
    },
  };
}

/** The codes of products that rows name by their ids. */
interface ShownCodes {
  /** The code that the store has shown for a product id. @default none */
  readonly shownCode?: ((id: ProductId) => string | undefined) | undefined;
}

/** Reads the codes of products by their ids, as the store showed them last. */
export async function readShownCodes(
  journal: Pick<Connection["journal"], "readSeenById">,
  ids: readonly ProductId[],
): Promise<NonNullable<ShownCodes["shownCode"]>> {
  if (ids.length === 0) return () => undefined;
  const shown = await journal.readSeenById(ids);
  const codes = new Map(shown.map(({ product }) => [product.id, product.product_code ?? ""]));
  return (id) => codes.get(id);
}

/** A product id means its product, whose code the plan compares with that of the row. */
function toMismatch(candidate: CandidateRow, options: ShownCodes): readonly Found[] {
  const { action, codeKey } = candidate;
  const shown = readShownCode(candidate, options);
  if (action === "skip" || codeKey === null || shown === undefined || shown === "") return [];
  if (toCodeKey(shown) === codeKey) return [];
  return [{ issue: toMismatchIssue(candidate, shown), severity: "error" }];
}

/** Returns the code of the row's product where only its leading zeros differ. */
export function findCodeWithZeros(
  candidate: Pick<CandidateRow, "code" | "productId">,
  options: ShownCodes,
): string | undefined {
  const shown = readShownCode(candidate, options);
  return shown !== undefined && hasLostZeros(candidate.code, shown) ? shown : undefined;
}

const readShownCode = (
  { productId }: Pick<CandidateRow, "productId">,
  { shownCode }: ShownCodes,
): string | undefined => (productId === null ? undefined : shownCode?.(productId));

/** What is known of the product of a row. */
export interface CheckRowOptions extends ShownCodes {
  /** Whether the store has shown a product with the row's code. */
  readonly isListed: boolean;
  /** Whether neither the last listing of the store nor an earlier run has the row's code. */
  readonly isAbsent: boolean;
  /** Codes in use that look like the row's, which neither the store nor a run has. */
  readonly lookAlikes: UsedLookAlikes | undefined;
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
  const alike = toAlikeIssues(candidate, facts.lookAlikes);
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

/** A row with a code that the store has not shown. */
interface UnlistedRow {
  readonly row: number;
  readonly codeKey: string;
}

/**
 * Reads the codes in use that look like those of the rows, by row: those that the store has shown
 * and those that runs have sent. Makes no call. A row has none where the store itself rewrites its
 * code, as it is the product then.
 */
export async function readAlikeCodes(
  { codes: registry }: Pick<Connection, "codes">,
  rows: readonly UnlistedRow[],
): ReturnType<typeof readUsedLookAlikes> {
  const named = rows.map(({ row, codeKey: key }) => ({ row, code: key, codeKey: key }));
  return await readUsedLookAlikes({ ...ALIKE_CODES, registry }, named, toCodeKey);
}

/** The notice at the code; the file itself may have said so before, as an error. */
function toAlikeIssues(
  { action, code, codeLocation, changes, issues, productId }: CandidateRow,
  lookAlikes: UsedLookAlikes | undefined,
): readonly Found[] {
  if (lookAlikes === undefined || action === "skip" || code === null || productId !== null)
    return [];
  if (issues.some((issue) => issue.code === "E_CODE_SUSPECT")) return [];
  const others = lookAlikes.describe({ code, codeLocation, title: changes.title });
  const issue = {
    code: "E_CODE_SUSPECT",
    ...codeLocation,
    message: {
      tr: `“${code}” kodu, kullanılan bir koda çok benziyor: ${others.tr}.`,
      en: `The code “${code}” looks like one that is in use: ${others.en}.`,
    },
    suggestion: {
      tr: "Aynı ürünse kodu mağazadaki gibi yazın. Ayrı ürünse böyle bırakın; satır önizlemede kararınızı bekler.",
      en: "If it is the same product, write its code as the store does. If it is another one, leave it; the row waits for your decision in the preview.",
    },
  };
  return [{ issue, severity: "warning" }];
}
