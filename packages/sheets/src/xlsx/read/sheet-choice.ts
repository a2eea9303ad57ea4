/** Chooses the sheet of a workbook. */

import { SheetError } from "../../sheet-error.ts";
import { continuedName } from "../continued-sheet.ts";
import type { ListedSheet } from "./workbook-parts.ts";

/** Names of guide sheets and of product sheets, as `fold` returns them. */
const GUIDES: ReadonlySet<string> = new Set([
  "aciklama",
  "aciklamalar",
  "guide",
  "help",
  "instructions",
  "kilavuz",
  "oku beni",
  "readme",
  "talimatlar",
  "yardim",
]);
const DATA_SHEETS: ReadonlySet<string> = new Set(["urunler", "products"]);

export interface SheetChoice {
  /** A name, where case and accents do not count, or a position from 1. */
  readonly wanted: string | undefined;
  readonly file: string;
  /** Called only when more than one sheet is possible. */
  readonly hasContent: (sheet: ListedSheet) => Promise<boolean>;
}

export interface ChosenSheet {
  readonly listed: ListedSheet;
  /**
   * Names of visible sheets with content that are not read although the user did not exclude them.
   */
  readonly leftOutSheets: readonly string[];
}

/**
 * Chooses the wanted sheet, whatever its state. Without one, hidden sheets, those whose name
 * begins with `_`, the guides and then the empty ones are left out; of the rest, one called
 * `Ürünler` or `Products` is taken first. More than one is `E_SHEET_CHOICE`, as is a table that goes
 * on on further sheets.
 */
export async function chooseSheet(
  sheets: readonly ListedSheet[],
  choice: SheetChoice,
): Promise<ChosenSheet> {
  if (choice.wanted !== undefined) return only(findWanted(sheets, choice.wanted, choice.file));
  const open = sheets.filter((sheet) => sheet.isVisible && !sheet.name.startsWith("_"));
  const [first, ...others] = withoutGuides(open.filter((sheet) => sheet.part !== undefined));
  if (first === undefined) throw new SheetError("E_FILE_EMPTY", { file: choice.file });
  if (others.length === 0) return only(first);

  const filled: ListedSheet[] = [];
  for (const sheet of [first, ...others]) if (await choice.hasContent(sheet)) filled.push(sheet);
  const [single = first, ...more] = filled;
  if (more.length === 0) return only(single);
  return chooseData(filled, choice);
}

const only = (listed: ListedSheet): ChosenSheet => ({ listed, leftOutSheets: [] });

/** Chooses among several sheets with content. */
function chooseData(filled: readonly ListedSheet[], choice: SheetChoice): ChosenSheet {
  const [data, ...moreData] = filled.filter(({ name }) =>
    DATA_SHEETS.has(continuedName(fold(name))),
  );
  if (data === undefined || moreData.length > 0) {
    throw new SheetError("E_SHEET_CHOICE", { file: choice.file, names: namesOf(filled) });
  }
  return { listed: data, leftOutSheets: namesOf(filled.filter((sheet) => sheet !== data)) };
}

/** Leaves out guides, unless the workbook has nothing else. */
function withoutGuides(sheets: readonly ListedSheet[]): readonly ListedSheet[] {
  const rest = sheets.filter((sheet) => !GUIDES.has(fold(sheet.name)));
  return rest.length > 0 ? rest : sheets;
}

function findWanted(sheets: readonly ListedSheet[], wanted: string, file: string): ListedSheet {
  const alike = sheets.filter(({ name }) => fold(name) === fold(wanted));
  const exact = sheets.find(({ name }) => name === wanted);
  if (exact === undefined && alike.length > 1) {
    throw new SheetError("E_SHEET_CHOICE", { file, names: namesOf(alike) });
  }
  const sheet =
    exact ?? alike[0] ?? sheets.find(({ position }) => String(position) === wanted.trim());
  if (sheet?.part === undefined) {
    throw new SheetError("E_SHEET_UNKNOWN", { found: wanted, names: namesOf(sheets) });
  }
  return sheet;
}

const namesOf = (sheets: readonly ListedSheet[]): readonly string[] =>
  sheets.map(({ name }) => name);

/** Ignores case, accents and the difference between the two Turkish i's. */
const fold = (name: string): string =>
  name.normalize("NFKD").replaceAll(/\p{M}/gu, "").replaceAll("ı", "i").toLowerCase().trim();
