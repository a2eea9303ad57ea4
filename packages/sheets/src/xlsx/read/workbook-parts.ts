/**
 * Reads what a workbook says of itself: its sheets, facts about each of them, and this program's hidden
 * sheet.
 */

import { MAX_COLUMN, parseCellAddress, type SheetRow } from "../../cell.ts";
import type { LeftOutSheet, ReadLimits } from "../../sheet-rows.ts";
import { parseAttributes, scanXml } from "./xml-scanner.ts";

/** A sheet as the workbook lists it. */
export interface ListedSheet {
  readonly name: string;
  /** Its position among all sheets, from 1. */
  readonly position: number;
  readonly isVisible: boolean;
  /** The name of its part; undefined for a chart or a macro sheet. */
  readonly part: string | undefined;
}

/**
 * What the workbook part states. Names of parts are full, and a named part may be missing from the
 * file. Shared parts that it does not name are expected in its own folder.
 */
export interface WorkbookParts {
  readonly sheets: readonly ListedSheet[];
  readonly sharedStrings: string;
  readonly styles: string;
  /** Whether dates count from 1904 instead of 1900. */
  readonly isDate1904: boolean;
}

/** A part that another one names. */
interface Relationship {
  readonly id: string;
  /**
   * The last segment of its type, such as `worksheet`; the rest depends on the variant of OOXML.
   */
  readonly kind: string;
  readonly part: string;
}

export const ROOT_RELATIONSHIPS = "_rels/.rels";

/** Name of the part that lists a part's relationships. */
export function relationshipsOf(part: string): string {
  const slash = part.lastIndexOf("/") + 1;
  return `${part.slice(0, slash)}_rels/${part.slice(slash)}.rels`;
}

/** Reads a part of relationships that belongs to the part `owner`. */
export function parseRelationships(xml: string, owner: string): readonly Relationship[] {
  return elements(xml, new Set(["Relationship"]))
    .filter(({ attributes }) => attributes.get("TargetMode") !== "External")
    .map(({ attributes }) => ({
      id: attributes.get("Id") ?? "",
      kind: attributes.get("Type")?.split("/").at(-1) ?? "",
      part: resolvePart(attributes.get("Target") ?? "", owner),
    }));
}

/** Reads the workbook part, which has the name `owner`. */
export function parseWorkbook(
  xml: string,
  owner: string,
  relationships: readonly Relationship[],
): WorkbookParts {
  const sheetParts = new Map(
    relationships.filter(({ kind }) => kind === "worksheet").map(({ id, part }) => [id, part]),
  );
  const found = elements(xml, new Set(["sheet", "workbookPr"]));
  const partOf = (wanted: string): string =>
    relationships.find(({ kind }) => kind === wanted)?.part ?? resolvePart(`${wanted}.xml`, owner);
  return {
    sheets: found
      .filter(({ name, attributes }) => name === "sheet" && (attributes.get("name") ?? "") !== "")
      .map(({ attributes }, index) => ({
        name: attributes.get("name") ?? "",
        position: index + 1,
        // Programs write other words for visible sheets, such as `show`.
        isVisible: !/hidden$/iu.test(attributes.get("state") ?? ""),
        part: sheetParts.get(attributes.get("id") ?? ""),
      })),
    sharedStrings: partOf("sharedStrings"),
    styles: partOf("styles"),
    isDate1904: found.some(({ attributes }) => isTrue(attributes.get("date1904"))),
  };
}

/** Whether a text is one of OOXML's forms of true. */
export const isTrue = (value: string | undefined): boolean => value === "1" || value === "true";

/**
 * Resolves a part's name: one with a slash is absolute, any other is relative to the folder of
 * `owner`.
 */
function resolvePart(target: string, owner: string): string {
  const folder = target.startsWith("/") ? [] : owner.split("/").slice(0, -1);
  const path: string[] = [...folder];
  for (const step of target.split("/")) {
    if (step === "..") path.pop();
    else if (step !== "." && step !== "") path.push(step);
  }
  return path.join("/");
}

interface Element {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
}

function elements(xml: string, names: ReadonlySet<string>): readonly Element[] {
  const found: Element[] = [];
  scanXml(xml, {
    open: (name, source) => {
      if (names.has(name)) found.push({ name, attributes: parseAttributes(source) });
    },
    text: () => {},
    close: () => {},
  });
  return found;
}

/**
 * Row numbers as Excel shows them, columns from 1; the lists hold at most `MAX_LISTED` entries.
 */
export interface SheetFacts {
  /** The last row of each merged block. */
  readonly mergedRows: readonly number[];
  /** Hidden rows with content. */
  readonly hiddenRows: readonly number[];
  /** Hidden columns with content. */
  readonly hiddenColumns: readonly number[];
  /** Number of rows with content. */
  readonly filledRows: number;
  /** Number of the last row with content; 0 for an empty sheet. */
  readonly lastRow: number;
  /** Other sheets with content that were not read. */
  readonly leftOutSheets?: readonly LeftOutSheet[];
}

/** Maximum length of the lists; a notice then says "at least". */
const MAX_LISTED = 100_000;

/** The facts of a workbook whose sheets are only listed. */
export const toListFacts = (sheets: readonly LeftOutSheet[]): SheetFacts => ({
  mergedRows: [],
  hiddenRows: [],
  hiddenColumns: [],
  filledRows: 0,
  lastRow: 0,
  leftOutSheets: sheets,
});

/** The facts that are needed of a row. */
interface SeenRow {
  row(): number;
  /** Number of cells up to the last one. */
  size(): number;
  /** Columns count from 1. */
  isFilled(column: number): boolean;
}

interface SheetFactsCollector {
  column(attributes: ReadonlyMap<string, string>): void;
  merge(attributes: ReadonlyMap<string, string>): void;
  row(row: SeenRow, isHidden: boolean): void;
  result(): SheetFacts;
}

export function createSheetFacts(): SheetFactsCollector {
  const mergedRows: number[] = [];
  const hiddenRows: number[] = [];
  const hidden: boolean[] = [];
  let filledRows = 0;
  let lastRow = 0;
  const used: boolean[] = [];
  return {
    column(attributes) {
      if (!isTrue(attributes.get("hidden"))) return;
      const last = Math.min(Number(attributes.get("max")), MAX_COLUMN);
      for (let at = Math.max(1, Number(attributes.get("min"))); at <= last; at += 1)
        hidden[at] = true;
    },
    merge(attributes) {
      const last = parseCellAddress(attributes.get("ref")?.split(":").at(-1) ?? "");
      if (last !== undefined && mergedRows.length < MAX_LISTED) mergedRows.push(last.row);
    },
    row(row, isHidden) {
      filledRows += 1;
      lastRow = row.row();
      if (isHidden && hiddenRows.length < MAX_LISTED) hiddenRows.push(row.row());
      for (let at = used.length; at < row.size(); at += 1) used[at] = false;
      if (hidden.length === 0) return;
      for (let at = 0; at < row.size(); at += 1) if (row.isFilled(at + 1)) used[at] = true;
    },
    result: () => ({
      filledRows,
      lastRow,
      mergedRows,
      hiddenRows,
      hiddenColumns: used.flatMap((isUsed, index) =>
        isUsed && hidden[index + 1] === true ? [index + 1] : [],
      ),
    }),
  };
}

export const META_SHEET = "_meta";

/** Names and values, in the order of their lines. */
export type MetaLines = readonly (readonly [name: string, value: string])[];

const MAX_LINES = 50;

/** Limits for reading the sheet; this program does not write a larger one. */
export const META_LIMITS: Pick<ReadLimits, "rows" | "columns" | "cellChars"> = {
  rows: Infinity,
  columns: 2,
  cellChars: 1_000,
};

export const findMetaSheet = (sheets: readonly ListedSheet[]): ListedSheet | undefined =>
  sheets.find(({ name }) => name === META_SHEET);

interface MetaCollector {
  readonly add: (row: SheetRow) => void;
  /** Whether further lines would be ignored. */
  readonly isFull: () => boolean;
  readonly lines: () => MetaLines;
}

/** Collects the first lines. */
export function createMetaCollector(): MetaCollector {
  const lines: [string, string][] = [];
  const isFull = (): boolean => lines.length >= MAX_LINES;
  return {
    add({ cells: [name, value] }) {
      if (!isFull()) lines.push([String(name ?? ""), String(value ?? "")]);
    },
    isFull,
    lines: () => lines,
  };
}
