/** Keeps the result files that a person has edited, where they are written again. */

import { existsSync } from "node:fs";
import { rename } from "node:fs/promises";

import type { Localized } from "@catalog/i18n";
import { wasSavedSince } from "@catalog/sheets";

/** A file that was edited, and the path that it has now. */
interface EditedFile {
  readonly path: string;
  readonly kept: string;
}

/** Called for each file that a person has edited, with a sentence that says where it is now. */
export type OnKept = (text: Localized) => void;

const describe = ({ path, kept }: EditedFile): Localized => ({
  tr: `${path} sizin değişikliklerinizi taşıyordu; kaybolmasın diye ${kept} adıyla saklandı.`,
  en: `${path} had your changes; it is kept as ${kept}.`,
});

/**
 * Gives a workbook that a person has saved since it was written another name, such as
 * `failed-edited.xlsx`; other files stay. Tells what was renamed.
 */
export async function keepEditedFile(path: string, onKept: OnKept): Promise<void> {
  if (!wasSavedSince(path)) return;
  const stem = path.replace(/\.xlsx$/u, "");
  let kept = `${stem}-edited.xlsx`;
  for (let number = 2; existsSync(kept); number += 1) kept = `${stem}-edited-${number}.xlsx`;
  await rename(path, kept);
  onKept(describe({ path, kept }));
}
