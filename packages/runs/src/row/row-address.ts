/**
 * Names rows for people. The rows of several sheets have numbers that differ in one run; a person
 * knows them by the sheet and the number that the spreadsheet program shows.
 */

import { type Localized, quoteWord } from "@catalog/i18n";

import type { RowIssue } from "./issues.ts";

/** One of several sheets whose rows are in one run. */
export interface RunSheet {
  readonly name: string;
  /** The number of a row in the run is its number in the sheet and this. */
  readonly rowsBefore: number;
}

/** The sheets of a run's file; missing if it has only one. */
export interface RunSheets {
  readonly sheets?: readonly RunSheet[] | undefined;
}

/** The file whose issues are shown; that of a sync has its feed. */
interface IssueFile extends RunSheets {
  /** @default a table, whose cells have addresses */
  readonly kind?: "csv" | "xlsx" | "xml" | "json" | undefined;
  /** Key of the feed. @default the rows are of an import */
  readonly feed?: string | undefined;
}

/** A row in its sheet. */
interface SheetLocation {
  readonly sheet: string;
  /** As the spreadsheet program shows it. */
  readonly row: number;
}

/** The sheet of a row and its number there; `undefined` for a file with one sheet. */
export function locateRow({ sheets = [] }: RunSheets, row: number): SheetLocation | undefined {
  const sheet = sheets.findLast(({ rowsBefore }) => rowsBefore < row);
  return sheet && { sheet: sheet.name, row: row - sheet.rowsBefore };
}

/** The row as people name it: `7`, or `Kış!7` in a file with several sheets. */
export const rowAddress = (file: RunSheets, row: number): string => cellInSheet(file, row, "");

/**
 * The row as `--rows` takes it on a command line. The name of a sheet needs its quotes where it has a
 * comma, blanks at its ends, or begins as a flag does.
 */
export function rowArgument(file: RunSheets, row: number): string {
  const located = locateRow(file, row);
  const isPlain = located !== undefined && /^[^\s',-](?:[^',]*[^\s',])?$/u.test(located.sheet);
  return quoteWord(isPlain ? `${located.sheet}!${located.row}` : rowAddress(file, row));
}

/** The cell as people name it: `B7`, or `Kış!B7` in a file with several sheets. */
export const cellInSheet = (file: RunSheets, row: number, column: string): string => {
  const located = locateRow(file, row);
  return located === undefined
    ? `${column}${row}`
    : `${quote(located.sheet)}!${column}${located.row}`;
};

/** The number of a row that a person names by its number in the run or in its sheet. */
export function parseRowAddress(file: RunSheets, text: string): number | undefined {
  const { sheet, row = "" } = /^(?:(?<sheet>.*)!)?\s*(?<row>\d+)\s*$/su.exec(text)?.groups ?? {};
  const number = Number(row);
  if (!Number.isSafeInteger(number) || number < 1) return undefined;
  if (sheet === undefined) return number;
  const name = toKey(unquote(sheet.trim()));
  const found = file.sheets?.find((each) => toKey(each.name) === name);
  return found && number + found.rowsBefore;
}

/** Names the sheet of a cell; unchanged for a file with one sheet, and for a row without a cell. */
export function locateCell(file: RunSheets, row: number, cell: string): string {
  const letters = /^[A-Z]*/u.exec(cell)?.[0] ?? "";
  return file.sheets === undefined || letters === "" ? cell : cellInSheet(file, row, letters);
}

/** An issue whose sheet and cell are those of the file. */
export interface LocatedIssue extends RowIssue {
  /** Number of the row in its sheet, where the file has several. */
  readonly sheet_row?: number;
  /** Where the row begins in a file of XML or JSON, and its product code. */
  readonly record?: { readonly line: number; readonly code: string | null };
}

/** Says at an issue of a row of XML or JSON where its record begins. */
export const atRecord = <Issue extends RowIssue>(
  issue: Issue,
  { line, code }: { readonly line?: number | undefined; readonly code: string | null },
): Issue & LocatedIssue => (line === undefined ? issue : { ...issue, record: { line, code } });

/**
 * Names the sheet of an issue, and in its advice the row and the run, where the caller gives its id.
 * A file with one sheet has no names of sheets. Advice on a row of a feed is that for a sync.
 */
export function locateIssue<Issue extends RowIssue>(
  file: IssueFile,
  stored: Issue,
  runId?: string,
): Issue & LocatedIssue {
  const advised = file.feed === undefined ? stored : toFeedAdvice(stored);
  const issue = runId === undefined ? advised : fillAdvice(file, advised, runId);
  const located = locateRow(file, issue.row);
  if (isDocument(file)) return { ...issue, cell: cellInRecord(issue) };
  if (located === undefined) return issue;
  const cell = locateCell(file, issue.row, issue.cell);
  return { ...issue, sheet: located.sheet, cell, sheet_row: located.row };
}

const isDocument = ({ kind }: IssueFile): boolean => kind === "xml" || kind === "json";

/** A value of a document, which has no letters of columns: `7 · Resimler/Resim`. */
const cellInRecord = ({ row, column, cell }: RowIssue): string =>
  cell === "" || column === "" ? cell : `${row} · ${column}`;

/** Stored advice has `<run>` and `<row>` in its commands, as a text is made before its run. */
function fillAdvice<Issue extends RowIssue>(file: RunSheets, issue: Issue, runId: string): Issue {
  const { suggestion } = issue;
  if (suggestion === undefined) return issue;
  const row = rowArgument(file, issue.row);
  const fill = (text: string): string =>
    text.replaceAll(/<(?:çalıştırma|run)>/gu, runId).replaceAll(/<(?:satır|row)>/gu, row);
  return { ...issue, suggestion: { tr: fill(suggestion.tr), en: fill(suggestion.en) } };
}

/** Names with other signs than letters and digits stand in quotes, as in formulas. */
const quote = (name: string): string =>
  /^[\p{L}\p{N}_.]+$/u.test(name) ? name : `'${name.replaceAll("'", "''")}'`;

const unquote = (name: string): string =>
  /^'.*'$/su.test(name) ? name.slice(1, -1).replaceAll("''", "'") : name;

const toKey = (name: string): string => name.normalize("NFC").toLocaleLowerCase("tr");

const BY_CODE: ReadonlyMap<string, Localized> = new Map([
  [
    "E_PRODUCT_UNKNOWN",
    {
      tr: "Kodu kontrol edin. Eşitleme ürün eklemez; ürün yeniyse önce bir dosyayla içe aktarın. Mağazada olması gerekmeyen kodlar için eşitlemenin --ignore-unknown-codes seçeneği vardır.",
      en: "Check the code. A sync adds nothing; if the product is new, import it first. For codes that the store is not supposed to have, sync takes --ignore-unknown-codes.",
    },
  ],
  [
    "E_CHANGED",
    {
      tr: "Beslemedeki değer doğruysa bir şey yapmanız gerekmez: sıradaki eşitleme mağazadaki şimdiki değerle yeniden karşılaştırır. Mağazadaki değer kalacaksa beslemeyi düzeltin.",
      en: "If the feed's value is right, there is nothing to do: the next sync compares it with the store's present value. If the store's value is to stay, correct the feed.",
    },
  ],
  [
    "E_REJECTED",
    {
      tr: "Satırı beslemede düzeltin; sıradaki eşitleme gönderir.",
      en: "Correct the row in the feed; the next sync sends it.",
    },
  ],
  [
    "E_GUARD_PRICE_UNIT",
    {
      tr: "Birimi biliyorsanız eşitlemeyi bir kez --price-unit minor (kuruş) ya da --price-unit major (lira) ile çalıştırın; satır karşılaştırılır, uygunsa gönderilir.",
      en: "If you know the unit, run the sync once with --price-unit minor or --price-unit major; the row is compared, and sent if it is right.",
    },
  ],
]);

/**
 * The issue with advice for a sync; stored advice is that for an import. Advice that replaces it
 * names no command, as the program is named before.
 */
function toFeedAdvice<Issue extends RowIssue>(issue: Issue): Issue {
  const { code, suggestion } = issue;
  if (suggestion === undefined) return issue;
  const { tr, en } = BY_CODE.get(code) ?? suggestion;
  return {
    ...issue,
    suggestion: {
      tr: tr.replace(CORRECTED.tr, TO_FEED.tr).replace(ALLOWED.tr, TO_SYNC.tr),
      en: en.replace(CORRECTED.en, TO_FEED.en).replace(ALLOWED.en, TO_SYNC.en),
    },
  };
}

/** Where a value is corrected that a guard holds. */
const CORRECTED: Localized = {
  tr: "kendi dosyanızda düzeltip dosyayı yeniden yükleyin",
  en: "correct it in your own file and import that file again",
};

const TO_FEED: Localized = { tr: "beslemede düzeltin", en: "correct it in the feed" };

/** How a guard is switched off for an import. */
const ALLOWED = {
  tr: /dosyayı (--allow [a-z,-]*[a-z]) ile yeniden yükleyin/u,
  en: /import the file again with (--allow [a-z,-]*[a-z])/u,
} as const;

const TO_SYNC: Localized = {
  tr: "eşitlemeyi bir kez $1 ile çalıştırın",
  en: "run the sync once with $1",
};
