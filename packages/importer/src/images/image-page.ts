/** Collects the images of a run for the page that shows them. */

import { mkdir, writeFile } from "node:fs/promises";
import { basename, dirname } from "node:path";

import { type Lang } from "@catalog/i18n";
import { describeProblem, formatContactSheet, type SheetPicture } from "@catalog/images";

import { type LookedAt } from "./check-row-images.ts";

/** Maximum number of wrong images on the page, which browsers open slowly with more. */
const MOST_WRONG = 1_500;
const MOST_WELL = 500;

export interface PicturePage {
  add(looked: readonly LookedAt[]): void;
  readonly total: number;
  readonly broken: number;
  /** Writes the page; the folder is created when it is missing. */
  write(path: string, options: { readonly file: string; readonly lang: Lang }): Promise<void>;
}

/** Keeps the first right and wrong images, and counts all. */
export function createPicturePage(isStrict: boolean): PicturePage {
  const wrong: SheetPicture[] = [];
  const well: SheetPicture[] = [];
  let total = 0;
  let broken = 0;
  return {
    get total() {
      return total;
    },
    get broken() {
      return broken;
    },
    add(looked) {
      for (const each of looked) {
        total += 1;
        const isWell = each.problems.length === 0;
        if (!isWell) broken += 1;
        if (isWell && well.length < MOST_WELL) well.push(toSheetPicture(each, isStrict));
        if (!isWell && wrong.length < MOST_WRONG) wrong.push(toSheetPicture(each, isStrict));
      }
    },
    async write(path, { file, lang }) {
      const pictures = [...wrong, ...well];
      const page = formatContactSheet({ lang, title: basename(file), pictures, total, broken });
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await writeFile(path, page, { mode: 0o600 });
    },
  };
}

function toSheetPicture({ picture, facts, problems }: LookedAt, isStrict: boolean): SheetPicture {
  const { row, cell, column } = picture.place;
  const described = problems.map((each) => ({
    isBlocking: isStrict && each.code.startsWith("E_"),
    ...describeProblem(each),
  }));
  return { row, cell, column, value: picture.text, facts, problems: described };
}
