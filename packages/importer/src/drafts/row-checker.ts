/** Checks the rows of a draft as planning does. */

import { type Connection, createNameLists } from "@catalog/connection";
import {
  type AmountReader,
  CODE_KEYS,
  codeKey as toCodeKey,
  type ColumnMapping,
  createAmountReader,
  createNameIndexes,
  createRowMapper,
  createSheetReader,
  type MappedRow,
  type NameIndexes,
  createStoreFold,
  type NumberNotations,
  readingOf,
  type RowMapper,
  type SheetReader,
  type SourceRow,
  type ValueRules,
  valueRules,
} from "@catalog/mapping";
import { createRefusalCheck } from "@catalog/report";
import { type CandidateRow, rowAddress, type RowIssue } from "@catalog/runs";

import { createRowFileCheck, type RowFileCheck } from "../file/describe-file.ts";
import { lastHeaderRow } from "../file/product-rows.ts";
import { loadActiveRules } from "../names/value-rules.ts";
import { createDescriptions } from "../plan/plan-notes.ts";
import { createRowChecks, toCandidate } from "../plan/read-rows.ts";
import { createFindGarbled } from "../plan/text-notes.ts";
import type { CodeGroup, CodeGroups } from "./check-draft.ts";
import { createShownNumbers } from "./draft-columns.ts";
import {
  type CheckRowOptions,
  findCodeWithZeros,
  type Found,
  type IssueRow,
  lackedForAdd,
  type RowFacts,
  toDraftIssue,
  toDuplicateIssues,
  toStoreIssues,
} from "./draft-issues.ts";
import { cellToText, type DraftSheet } from "./draft-rows.ts";
import type { ShownNumber, DraftIssue } from "./draft-views.ts";
import type { DraftRow, RowFindings, RowKeys } from "./stored-draft.ts";

/** Checks rows one by one. */
export interface RowChecker {
  readonly mapping: ColumnMapping;
  readonly mapper: RowMapper;
  /** Lists of names for questions about a row; the mapper has its own. */
  readonly lists: NameIndexes;
  readonly codes: SheetReader["codes"];
  /** Prices, discounts and stocks of single rows. */
  readonly amounts: AmountReader;
  readonly isWhole: (row: SourceRow) => boolean;
  /** Whether a row of the file is a product; other rows are not sent. */
  isProduct(row: SourceRow): boolean;
  /** Whether its product is not on sale where the file comes from. */
  isUnpublished(row: SourceRow): boolean;
  /** The row as the mapper takes it. */
  toSource(row: DraftRow): SourceRow;
  /** The row with the cells of its store's columns in the places of common ones. */
  readonly fold: (row: SourceRow) => SourceRow;
  toKeys(row: DraftRow, joined?: SourceRow["joined"]): RowKeys;
  /** Cells that a remembered answer reads as something else. */
  readonly readAs: (row: Pick<SourceRow, "cells">) => readonly ReadAs[];
  /** The number cells, as a person reads and types them. */
  readonly numbers: (row: Pick<SourceRow, "cells">) => readonly ShownNumber[];
  /** Fetches the lists that the row needs. */
  prepare(row: SourceRow): Promise<void>;
  /** Reads the rules of the store again; the lists of names stay. */
  renewRules(): Promise<void>;
  /** The candidate as far as the row alone shows; its lists must have been fetched. */
  toDraft(row: SourceRow): CandidateRow;
  /** Finds everything that is wrong with a row. */
  check(row: DraftRow, groups: CodeGroups, options: CheckRowOptions): Promise<RowFindings>;
}

interface RowCheckerOptions {
  readonly sheet: DraftSheet;
  readonly mapping: ColumnMapping;
  readonly notations: NumberNotations;
  readonly decimal: "comma" | "point" | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Settings with which a draft is planned. */
const READING = {
  mode: "upsert",
  hasColumns: false,
  hasConstants: false,
  checksImages: false,
  allowed: undefined,
  allowsSuspectCodes: false,
  isRetry: false,
} as const;

/** Combinations of names whose lists are known to be fetched. */
const MAX_KNOWN_NAMES = 10_000;

/** Creates the checker of a draft; its lists stay in memory. */
export async function createRowChecker(
  { client, clock, memory: { names: cache, rules: registry }, baseUrl }: Connection,
  { sheet, mapping, notations, decimal, signal }: RowCheckerOptions,
): Promise<RowChecker> {
  const loadRules = (): Promise<ValueRules> => loadActiveRules(registry, mapping.platform?.name);
  let active = await loadRules();
  const rules: ValueRules = { find: (field, text) => active.find(field, text) };
  const names = createNameLists({ client, cache, baseUrl, signal });
  const readDescription = await createDescriptions(mapping, {});
  const nameRow = (row: number): string => rowAddress(sheet, row);
  const how = { sheet: sheet.sheet, mapping, notations, names, rules, nameRow, readDescription };
  const nowMs = clock.now();
  const mapper = createRowMapper({ ...how, nowMs });
  const checkReading = createRowFileCheck(sheet, mapping);
  const checkRefusal = createRefusalCheck(sheet, mapping, { ...READING, decimal });
  const judge = createRowChecks({ checkReading, checkRefusal });
  const reader = createSheetReader(mapping, sheet.sheet);
  const { codes } = reader;
  const findGarbled = createFindGarbled();
  const columns = { mapping, notations };
  const isWhole = (row: SourceRow): boolean => checkReading(row).length === 0;
  const readRow = createRowReading({ sheet, mapping, reader, isWhole });
  const { prepare, forget } = createPreparation(mapping, mapper, reader.groupNames());
  return {
    ...readRow,
    mapping,
    fold: createStoreFold(mapping.columns).fold,
    mapper,
    lists: createNameIndexes(names),
    codes,
    amounts: createAmountReader({ mapping, notations, rules, nowMs }),
    prepare,
    async renewRules() {
      active = await loadRules();
      // Another category needs other lists.
      forget();
    },
    readAs: createReadAs(mapping, rules),
    numbers: createShownNumbers(mapping, notations),
    toDraft(row) {
      const { candidate, isSound } = judge(row, toCandidate({ mapper, codes }, mapper.map(row)));
      return isSound ? candidate : { ...candidate, changes: {} };
    },
    async check(stored, groups, options) {
      const row = readRow.toSource(stored);
      const unsent = findUnsent(readRow, stored, row);
      if (unsent !== undefined) return unsent;
      await prepare(row);
      const group = await groups.read(stored, codes.read(row)?.code);
      const mapped = mapper.map(row);
      const { suspects } = group;
      const { candidate } = judge(
        row,
        toCandidate({ mapper, codes, suspects, findGarbled }, mapped),
      );
      const issues = [
        ...toRowIssues(candidate, { ...options, mapping }),
        ...toDuplicateIssues(candidate, group, nameRow),
        ...toStoreIssues(candidate, { ...options, mapping }),
      ];
      const open = issues.length === 0 ? [] : await mapper.findOpenNames(row);
      const of = { row, ...columns, open, ...proposeCodes(mapped, { group, candidate, options }) };
      return toFindings(stored, { issues, checkReading, of });
    },
  };
}

interface JudgedRow {
  readonly group: CodeGroup;
  readonly candidate: CandidateRow;
  readonly options: CheckRowOptions;
}

const proposeCodes = (
  { code, isNumberCode: isNumber, names: { nearModel } }: MappedRow,
  { group: { suspects }, candidate, options }: JudgedRow,
): Pick<IssueRow, "codes" | "codeWithZeros" | "nearModel"> => ({
  codes: [
    ...new Set([
      ...(code === undefined ? [] : (suspects?.propose({ code, isNumber }) ?? [])),
      ...(options.lookAlikes?.codes ?? []),
    ]),
  ],
  codeWithZeros: findCodeWithZeros(candidate, options),
  nearModel,
});

interface RowReadingOptions {
  readonly sheet: DraftSheet;
  readonly mapping: ColumnMapping;
  readonly reader: SheetReader;
  readonly isWhole: (row: SourceRow) => boolean;
}

type RowReading = Pick<
  RowChecker,
  "isWhole" | "isProduct" | "isUnpublished" | "toSource" | "toKeys"
>;

function createRowReading({ sheet, mapping, reader, isWhole }: RowReadingOptions): RowReading {
  const lastHeader = lastHeaderRow(sheet, mapping);
  const readKind = reader.kindsBelow(lastHeader);
  const isProduct = (row: SourceRow): boolean =>
    row.row > lastHeader && readKind(row) === "product";
  const findUnpublished = reader.findUnpublished(isWhole);
  const isUnpublished = (row: SourceRow): boolean => (findUnpublished?.(row) ?? []).length > 0;
  const readSentCode = (row: SourceRow): string | undefined =>
    reader.isSent(row) && !isUnpublished(row) ? reader.codes.read(row)?.code : undefined;
  const toSource = (stored: DraftRow): SourceRow => ({
    ...sheet.effective(stored),
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by `toKeys`
    ...(stored.joined !== null && { joined: stored.joined as NonNullable<SourceRow["joined"]> }),
  });
  return {
    isWhole,
    isProduct,
    isUnpublished,
    toSource,
    toKeys(stored, joined) {
      const row = { ...sheet.effective(stored), ...(joined !== undefined && { joined }) };
      const { status } = stored;
      const keys = { row: stored.row, joined: joined ?? null };
      const none = { ...keys, codeKey: null, alikeKey: null };
      if (status === "excluded") return { ...none, status };
      if (!isProduct(row)) return { ...none, status: isTouched(stored) ? "warn" : "left" };
      const kept = status === "left" ? "ok" : status;
      const code = readSentCode(row);
      return code === undefined
        ? { ...none, status: kept }
        : { ...keys, codeKey: toCodeKey(code), alikeKey: CODE_KEYS.suspect(code), status: kept };
    },
  };
}

const isTouched = ({ edits, status }: DraftRow): boolean =>
  Object.keys(edits).length > 0 || status === "excluded";

/**
 * Rows with the same names need their lists fetched once. A column with an unknown header may be a
 * property of the row's category, whose texts are names as well.
 */
function createPreparation(
  mapping: ColumnMapping,
  mapper: RowMapper,
  namesKey: ReturnType<SheetReader["groupNames"]>,
): Pick<RowChecker, "prepare"> & { readonly forget: () => void } {
  const unknown = mapping.columns.filter((column) => {
    const { target, name } = readingOf(column);
    return target.kind === "unknown" && name !== "";
  });
  const known = new Set<string>();
  let renewed = mapper.renewedLists;
  const keyOf = (row: SourceRow): string => {
    const filled = unknown.map(({ index }) => ((row.cells[index] ?? null) === null ? "-" : "+"));
    return namesKey.keyOf(row) + filled.join("");
  };
  return {
    forget: () => known.clear(),
    async prepare(row) {
      if (mapper.renewedLists !== renewed) known.clear();
      const key = keyOf(row);
      if (known.has(key)) return;
      const loose = namesKey.hasLoose(row) ? await mapper.findLooseColumns(row) : [];
      await mapper.findOpenNames(row);
      if (known.size === MAX_KNOWN_NAMES) known.clear();
      if (loose.length === 0) known.add(key);
      ({ renewedLists: renewed } = mapper);
    },
  };
}

const excluded = ({ row }: DraftRow): RowFindings => ({
  row,
  status: "excluded",
  codeKey: null,
  issues: [],
  names: [],
});

/** The findings of a row that is not sent, whatever its cells hold. */
function findUnsent(
  { isProduct, isUnpublished }: RowReading,
  stored: DraftRow,
  row: SourceRow,
): RowFindings | undefined {
  if (stored.status === "excluded") return excluded(stored);
  if (!isProduct(row)) return leftOut(stored);
  return isUnpublished(row) ? notSent(stored, UNPUBLISHED) : undefined;
}

/** A row that a person has made no product is shown and says so; others are not shown. */
const leftOut = (stored: DraftRow): RowFindings =>
  isTouched(stored)
    ? notSent(stored, NO_PRODUCT)
    : { row: stored.row, status: "left", codeKey: null, issues: [], names: [] };

const notSent = ({ row }: DraftRow, issue: DraftIssue): RowFindings => ({
  row,
  status: "warn",
  codeKey: null,
  issues: [issue],
  names: [],
});

const WHOLE_ROW = { severity: "warning", column: null, suggestion: null, fixes: [] } as const;

const NO_PRODUCT: DraftIssue = {
  ...WHOLE_ROW,
  code: "W_ROW_LEFT_OUT",
  message: {
    tr: "Satır bu haliyle ürün sayılmıyor (not, toplam ya da başlık gibi duruyor) ve gönderilmez.",
    en: "As it stands, the row does not count as a product (it looks like a remark, a total or a heading) and is not sent.",
  },
};

const UNPUBLISHED: DraftIssue = {
  ...WHOLE_ROW,
  code: "W_UNPUBLISHED_ROWS",
  message: {
    tr: "Ürün, dosyanın geldiği yerde satışta değil; satır gönderilmez.",
    en: "The product is not on sale where the file comes from; the row is not sent.",
  },
};

const severityOf = ({ code }: RowIssue): DraftIssue["severity"] =>
  code.startsWith("E_") ? "error" : "warning";

/**
 * The issues of the row alone. A product that the store has not shown counts as new where the file
 * has every column that a new product needs; the plan asks the store.
 */
function toRowIssues(candidate: CandidateRow, { isListed, mapping }: RowFacts): readonly Found[] {
  const { action, issues } = candidate;
  if (action === "skip") return [];
  const found = issues.map((issue) => ({ issue, severity: severityOf(issue) }));
  const isNew = action === "add" || (action === "auto" && lackedForAdd(mapping).length === 0);
  const isAsked = candidate.productId === null && !isListed && isNew;
  const added = isAsked ? candidate.completeAdd() : undefined;
  if (added === undefined || added.ok) return found;
  return [...found, ...added.issues.map((issue): Found => ({ issue, severity: "error" }))];
}

interface FoundRow {
  readonly issues: readonly Found[];
  readonly checkReading: RowFileCheck;
  readonly of: IssueRow;
}

function toFindings(
  { row: number }: DraftRow,
  { issues: found, checkReading, of }: FoundRow,
): RowFindings {
  const { open, row } = of;
  const issues = found.map((each) => toDraftIssue(each, of));
  const hasError = issues.some(({ severity }) => severity === "error");
  const isWhole = open.length > 0 && checkReading(row).length === 0;
  return {
    row: number,
    status: hasError ? "error" : issues.length > 0 ? "warn" : "ok",
    codeKey: null,
    issues,
    names: isWhole ? open.map(({ field, value }) => valueRules.key(field, value)) : [],
  };
}

/** What a cell is read as because of a remembered answer. */
interface ReadAs {
  /** Index of the column. */
  readonly column: number;
  readonly text: string;
  /** The first of its meanings. */
  readonly first: string;
}

/** Finds the cells that a rule reads. A column with an unknown header may be a property of the row's category. */
function createReadAs(
  mapping: ColumnMapping,
  rules: ValueRules,
): (row: Pick<SourceRow, "cells">) => readonly ReadAs[] {
  const columns = mapping.columns.flatMap((column) => {
    const { index } = column;
    const { target, name: header } = readingOf(column);
    if (target.kind === "field") return [{ index, field: target.field }];
    const isProperty = target.kind === "property" || (target.kind === "unknown" && header !== "");
    const name = target.kind === "property" ? target.name : header;
    return isProperty ? [{ index, field: `property:${name}` }] : [];
  });
  return ({ cells }) =>
    columns.flatMap(({ index: column, field }) => {
      const cell = cells[column] ?? null;
      const found = cell === null ? undefined : rules.find(field, cellToText(cell));
      return found === undefined ? [] : [{ column, text: found.join(" / "), first: found[0] }];
    });
}
