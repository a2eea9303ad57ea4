/** The packages that a file names, such as one that an export of orders has written. */

import { InputError } from "@catalog/i18n";
import { headerKey } from "@catalog/mapping";
import { openSheet } from "@catalog/sheets";

const HEADERS: ReadonlySet<string> = new Set(
  ["Paket ID", "Package ID", "package_id"].map((header) => headerKey(header)),
);

/**
 * Reads the ids of packages, each once, in the order of the file. Throws `InputError` for a file
 * without the column, or without an id, and `SheetError` for one that cannot be read.
 */
export async function readPackageIds(path: string): Promise<readonly string[]> {
  await using sheet = await openSheet({ path });
  const index = sheet.header.cells.findIndex((header) => HEADERS.has(headerKey(String(header))));
  if (index === -1) {
    throw new InputError({
      tr: `"${path}" dosyasında “Paket ID” sütunu yok. catalog export orders böyle bir dosya yazar.`,
      en: `"${path}" has no column “Package ID”. catalog export orders writes such a file.`,
    });
  }
  const ids = new Set<string>();
  for await (const { cells } of sheet.rows()) {
    const id = String(cells[index] ?? "").trim();
    if (id !== "") ids.add(id);
  }
  if (ids.size > 0) return [...ids];
  throw new InputError({
    tr: `"${path}" dosyasında paket yok; “Paket ID” sütunu boş.`,
    en: `"${path}" names no package: its column “Package ID” is empty.`,
  });
}
