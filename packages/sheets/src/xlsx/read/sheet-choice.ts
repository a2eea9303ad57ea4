/** Chooses the sheet of a workbook. */

import { SheetError, type SheetErrorDetails } from "../../sheet-error.ts";
import { continuedName } from "../continued-sheet.ts";
import type { LeftOutSheet, SheetContent } from "./sheet-content.ts";
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

/** Each stands for every sheet, in a workbook without a sheet of that name. */
const ALL_SHEETS: ReadonlySet<string> = new Set(["all", "hepsi"]);

/** Whether all sheets are wanted. */
export const isAllSheets = (wanted: string | undefined): boolean =>
  wanted !== undefined && ALL_SHEETS.has(fold(wanted));

export interface SheetChoice {
  /** A name, where case and accents do not count, a position from 1, or all sheets. */
  readonly wanted: string | undefined;
  readonly file: string;
  /** Called only when more than one sheet is possible. */
  readonly contentOf: (sheet: ListedSheet) => Promise<SheetContent>;
}

export interface ChosenSheet {
  readonly listed: ListedSheet;
  /** Visible sheets with content that are not read although the user did not exclude them. */
  readonly leftOutSheets: readonly LeftOutSheet[];
}

/**
 * Chooses the wanted sheet, whatever its state. Without one, hidden sheets, those whose name
 * begins with `_` (unless all do), the guides and then the empty ones are left out; of the rest, one
 * called `Ürünler` or `Products` is taken first. More than one is `E_SHEET_CHOICE`, as is a table
 * that goes on on further sheets. Where all are wanted, the first one is chosen and the others are
 * left out. Where only hidden sheets have content, `E_FILE_EMPTY` names them.
 */
export async function chooseSheet(
  sheets: readonly ListedSheet[],
  choice: SheetChoice,
): Promise<ChosenSheet> {
  const { wanted } = choice;
  const isAll =
    isAllSheets(wanted) && !sheets.some(({ name }) => fold(name) === fold(wanted ?? ""));
  if (wanted === undefined || isAll) return await chooseOpen(sheets, choice, isAll);
  return only(findWanted(sheets, wanted, choice.file));
}

/** Chooses among the sheets that the user sees. */
async function chooseOpen(
  sheets: readonly ListedSheet[],
  choice: SheetChoice,
  isAll: boolean,
): Promise<ChosenSheet> {
  const open = withoutInternal(sheets).filter(({ isVisible }) => isVisible);
  const [first, ...others] = withoutGuides(open.filter((sheet) => sheet.part !== undefined));
  const hidden = withoutInternal(sheets).filter(({ isVisible }) => !isVisible);
  if (first !== undefined && others.length + hidden.length === 0) return only(first);

  const visible = first === undefined ? [] : [first, ...others];
  const filled = await findFilled(visible, choice);
  if (filled.length === 0) await refuseHidden(hidden, choice);
  const [single, ...more] = filled;
  const chosen = single?.listed ?? first;
  if (chosen === undefined) throw new SheetError("E_FILE_EMPTY", { file: choice.file });
  if (more.length === 0) return only(chosen);
  return isAll ? chosenOf(chosen, filled) : chooseData(filled, choice);
}

/** Lists the sheets that the user sees and that have content, in the order of the workbook. */
export async function listFilledSheets(
  sheets: readonly ListedSheet[],
  choice: SheetChoice,
): Promise<readonly LeftOutSheet[]> {
  const open = withoutInternal(sheets).filter(({ isVisible }) => isVisible);
  return (await findFilled(withoutGuides(open), choice)).map(toLeftOut);
}

interface FilledSheet {
  readonly listed: ListedSheet;
  readonly content: SheetContent;
}

async function findFilled(
  sheets: readonly ListedSheet[],
  choice: SheetChoice,
): Promise<readonly FilledSheet[]> {
  const filled: FilledSheet[] = [];
  for (const listed of sheets) {
    if (listed.part === undefined) continue;
    const content = await choice.contentOf(listed);
    if (content.rows > 0) filled.push({ listed, content });
  }
  return filled;
}

/** Throws where hidden sheets have content, which a file without any other is about. */
async function refuseHidden(hidden: readonly ListedSheet[], choice: SheetChoice): Promise<void> {
  const filled = await findFilled(hidden, choice);
  if (filled.length > 0) throw new SheetError("E_FILE_EMPTY", choiceOf(filled, choice.file));
}

const choiceOf = (filled: readonly FilledSheet[], file: string): SheetErrorDetails => ({
  file,
  names: filled.map(({ listed }) => listed.name),
  rowCounts: filled.map(({ content }) => content.rows),
});

const only = (listed: ListedSheet): ChosenSheet => ({ listed, leftOutSheets: [] });

/** Chooses among several sheets with content. */
function chooseData(filled: readonly FilledSheet[], choice: SheetChoice): ChosenSheet {
  const [data, ...moreData] = filled.filter(({ listed }) =>
    DATA_SHEETS.has(continuedName(fold(listed.name))),
  );
  if (data === undefined || moreData.length > 0) {
    throw new SheetError("E_SHEET_CHOICE", choiceOf(filled, choice.file));
  }
  return chosenOf(data.listed, filled);
}

const chosenOf = (listed: ListedSheet, filled: readonly FilledSheet[]): ChosenSheet => ({
  listed,
  leftOutSheets: filled.filter((sheet) => sheet.listed !== listed).map(toLeftOut),
});

const toLeftOut = ({ listed: { name }, content: { rows, head } }: FilledSheet): LeftOutSheet => ({
  name,
  rows,
  head,
});

/** Leaves out sheets whose name begins with `_`, unless the workbook has no others. */
function withoutInternal(sheets: readonly ListedSheet[]): readonly ListedSheet[] {
  const rest = sheets.filter(({ name }) => !name.startsWith("_"));
  return rest.length > 0 ? rest : sheets;
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
    throw new SheetError("E_SHEET_UNKNOWN", {
      found: wanted,
      names: namesOf(withoutInternal(sheets)),
    });
  }
  return sheet;
}

const namesOf = (sheets: readonly ListedSheet[]): readonly string[] =>
  sheets.map(({ name }) => name);

/** Ignores case, accents and the difference between the two Turkish i's. */
const fold = (name: string): string =>
  name.normalize("NFKD").replaceAll(/\p{M}/gu, "").replaceAll("ı", "i").toLowerCase().trim();
