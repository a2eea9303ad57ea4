/** Workbooks of drafts, as they are downloaded. */

import { basename, extname, join } from "node:path";

import type { Lang } from "@catalog/i18n";
import type { LiveDraft, WriteDraftOptions } from "@catalog/importer";

import { DRAFT_FILES } from "../../api/drafts.ts";
import { plainAdvice } from "../plain-advice.ts";
import { makeFileFolder } from "../work/made-files.ts";
import type { WrittenFile } from "./drafts.ts";

type Rows = WriteDraftOptions["rows"];

const NAMES: Readonly<Record<Rows, Readonly<Record<Lang, string>>>> = DRAFT_FILES;

/** The rows that a file of the fixed list holds; `undefined` for another name. */
export const rowsOfFile = (name: string): Rows | undefined =>
  (["all", "errors"] as const).find((rows) =>
    Object.values(NAMES[rows]).some((known) => name === known),
  );

const reword = (text: string): string => plainAdvice(text) ?? "";

/** Writes the workbook below the folder of the page, where old files are removed. */
export async function writeDraftFile(
  live: LiveDraft,
  folder: string,
  { rows, lang }: { readonly rows: Rows; readonly lang: Lang },
): Promise<WrittenFile> {
  const { path: place } = makeFileFolder(join(folder, "files"));
  const { name } = await live.details();
  const path = join(place, NAMES[rows][lang]);
  await live.write({ path, lang, rows, reword });
  return { path, name: `${basename(name, extname(name))} - ${basename(path)}` };
}
