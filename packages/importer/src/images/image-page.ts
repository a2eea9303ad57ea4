/** Collects the images of a run for the page that shows them. */

import { writeFile } from "node:fs/promises";
import { basename, dirname } from "node:path";

import { type Lang, makeFolder } from "@catalog/i18n";
import { describeProblem, formatContactSheet, type SheetImage } from "@catalog/images";
import type { MappedRow } from "@catalog/mapping";
import { locateCell, type RunSheets } from "@catalog/runs";

import type { CheckedImage } from "./check-row-images.ts";

/** Maximum number of wrong images on the page, which browsers open slowly with more. */
const MAX_WRONG = 1_500;
const MAX_WELL = 500;

/** The row of the images. */
export type PageRow = Pick<MappedRow, "code" | "changes">;

export interface ImagePage {
  add(row: PageRow, checked: readonly CheckedImage[]): void;
  readonly total: number;
  readonly broken: number;
  /** Writes the page; the folder is created when it is missing. */
  write(path: string, options: { readonly file: string; readonly lang: Lang }): Promise<void>;
}

/** Keeps the first right and wrong images, and counts all. */
export function createImagePage(isStrict: boolean, sheets: RunSheets = {}): ImagePage {
  const wrong: SheetImage[] = [];
  const well: SheetImage[] = [];
  let total = 0;
  let broken = 0;
  return {
    get total() {
      return total;
    },
    get broken() {
      return broken;
    },
    add(row, checked) {
      for (const each of checked) {
        total += 1;
        const image = toSheetImage(each, isStrict, sheets);
        const isWell = image.problems.length === 0;
        if (!isWell) broken += 1;
        const [list, max] = isWell ? [well, MAX_WELL] : [wrong, MAX_WRONG];
        if (list.length < max) list.push({ ...image, code: row.code ?? "", title: titleOf(row) });
      }
    },
    async write(path, { file, lang }) {
      // Rows that wait for an upload are added later than the rows below them.
      const images = [...wrong, ...well].toSorted((a, b) => a.row - b.row);
      const page = formatContactSheet({ lang, title: basename(file), images, total, broken });
      makeFolder(dirname(path));
      await writeFile(path, page, { mode: 0o600 });
    },
  };
}

const titleOf = ({ changes }: PageRow): string => changes.title ?? "";

function toSheetImage(
  { image, facts, problems, refusal }: CheckedImage,
  isStrict: boolean,
  file: RunSheets,
): Omit<SheetImage, "code" | "title"> {
  const { row, cell, column } = image.place;
  const described = problems.map((each) => ({
    isBlocking: isStrict && each.code.startsWith("E_"),
    ...describeProblem(each),
  }));
  const refused = refusal === undefined ? [] : [{ isBlocking: true, ...describeProblem(refusal) }];
  return {
    row,
    cell: locateCell(file, row, cell),
    column,
    value: image.text,
    facts,
    problems: [...refused, ...described],
  };
}
