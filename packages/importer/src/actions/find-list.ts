/** Tells the lists that people fill in and give back from files of products. */

import { createKnownHeaderCount } from "@catalog/mapping";
import { openSheet, SheetError } from "@catalog/sheets";

import { findSheetKind, type HeaderKind, listSheetHeaders } from "./action-sheet.ts";

/** The kind of list that a file is, by its headers; `undefined` for any other file. */
export async function findListKind(path: string): Promise<HeaderKind | undefined> {
  const kinds = ["answers", "packages", "templates"] as const;
  const headers = kinds.flatMap((kind) => listSheetHeaders(kind));
  try {
    const sheet = await openSheet({ path, countKnownHeaders: createKnownHeaderCount(headers) });
    try {
      return findSheetKind(sheet.header.cells.map((cell) => String(cell ?? "")));
    } finally {
      await sheet.close();
    }
  } catch (error) {
    // What cannot be read so is for the reader of products, which asks about it.
    if (error instanceof SheetError) return undefined;
    throw error;
  }
}
