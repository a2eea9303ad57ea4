/** Collects the images of a run for the page that shows them. */

import { mkdir, writeFile } from "node:fs/promises";
import { basename, dirname } from "node:path";

import type { Lang } from "@catalog/i18n";
import { describeProblem, formatContactSheet, type SheetImage } from "@catalog/images";
import { locateCell, type RunSheets } from "@catalog/runs";

import type { CheckedImage } from "./check-row-images.ts";

/** Maximum number of wrong images on the page, which browsers open slowly with more. */
const MAX_WRONG = 1_500;
const MAX_WELL = 500;

export interface ImagePage {
  add(checked: readonly CheckedImage[]): void;
  readonly total: number;
  readonly broken: number;
  /** Writes the page; the folder is created when it is missing. */
  write(path: string, options: { readonly file: string; readonly lang: Lang }): Promise<void>;
}

/** Keeps the first right and wrong images, and counts all. */
export function createImagePage(isStrict: boolean, sheets: RunSheets = {}): ImagePage {
  const wrong: SheetImage[] = [];
  const well: SheetImage[] = [];
  const toImage = (checked: CheckedImage): SheetImage => toSheetImage(checked, isStrict, sheets);
  let total = 0;
  let broken = 0;
  return {
    get total() {
      return total;
    },
    get broken() {
      return broken;
    },
    add(checked) {
      for (const each of checked) {
        total += 1;
        const isWell = each.problems.length === 0;
        if (!isWell) broken += 1;
        if (isWell && well.length < MAX_WELL) well.push(toImage(each));
        if (!isWell && wrong.length < MAX_WRONG) wrong.push(toImage(each));
      }
    },
    async write(path, { file, lang }) {
      const images = [...wrong, ...well];
      const page = formatContactSheet({ lang, title: basename(file), images, total, broken });
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await writeFile(path, page, { mode: 0o600 });
    },
  };
}

function toSheetImage(
  { image, facts, problems }: CheckedImage,
  isStrict: boolean,
  file: RunSheets,
): SheetImage {
  const { row, cell, column } = image.place;
  const described = problems.map((each) => ({
    isBlocking: isStrict && each.code.startsWith("E_"),
    ...describeProblem(each),
  }));
  return {
    row,
    cell: locateCell(file, row, cell),
    column,
    value: image.text,
    facts,
    problems: described,
  };
}
