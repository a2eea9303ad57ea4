/** Reads what a written workbook holds. */

import { readZipPart } from "@catalog/connection/testing";
import { openSheet, type SheetRow } from "@catalog/sheets";

/** The cells of the first sheet, its headers first. */
export async function readSheet(path: string): Promise<readonly SheetRow["cells"][]> {
  await using sheet = await openSheet({ path, headerRow: 1 });
  const rows = await Array.fromAsync(sheet.rows());
  return [sheet.header.cells, ...rows.map(({ cells }) => cells)];
}

/** Notes by the address of their cell. */
export function notesOf(path: string): Record<string, string> {
  const xml = readZipPart(path, "xl/comments1.xml") ?? "";
  const notes = [...xml.matchAll(/<comment ref="(?<cell>[A-Z]+\d+)".*?<\/comment>/gsu)];
  return Object.fromEntries(
    notes.map(({ 0: comment, groups }) => [
      groups?.["cell"] ?? "",
      [...comment.matchAll(/<t(?: [^>]*)?>(.*?)<\/t>/gsu)].map(([, text = ""]) => text).join(""),
    ]),
  );
}
