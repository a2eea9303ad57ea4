/** Decides from the directory alone whether a zip is a workbook that is safe to unpack. */

import { MB, type ReadLimits } from "../../limits.ts";
import { SheetError, type SheetErrorDetails } from "../../sheet-error.ts";
import { type ByteSource, readZipDirectory, type ZipEntry, ZipError } from "./zip-directory.ts";
import { RATIO_FLOOR_BYTES } from "./zip-part.ts";

/** The parts of a file by name, independent of spelling. */
export interface PackageParts {
  readonly names: readonly string[];
  get(name: string): ZipEntry | undefined;
}

/**
 * Lists the parts; throws a `SheetError` if they are too many or too large, or if two have the same
 * name.
 */
export function readPackage(source: ByteSource, limits: ReadLimits, file: string): PackageParts {
  const entries = readZipDirectory(source, limits.zipEntries);
  const parts = new Map(entries.map((entry) => [partKey(entry.name), entry]));
  if (parts.size < entries.length) throw new SheetError("E_ZIP_DUP_ENTRY", { file });
  const bomb = findBomb(entries, limits);
  if (bomb !== undefined) throw new SheetError("E_ZIP_RATIO", { file, ...bomb });
  return {
    names: entries.map(({ name }) => name),
    get: (name) => parts.get(partKey(name)),
  };
}

/** Some programs write backslashes, and Excel ignores case. */
const partKey = (name: string): string =>
  name.replaceAll("\\", "/").replace(/^\/+/, "").toLowerCase();

/** Finds an entry that states too large a size, so that unpacking need not be tried. */
function findBomb(
  entries: readonly ZipEntry[],
  { unpackedMb, zipRatio }: ReadLimits,
): SheetErrorDetails | undefined {
  const total = entries.reduce((sum, entry) => sum + entry.unpackedBytes, 0);
  const [first] = entries;
  if (first !== undefined && total > unpackedMb * MB) {
    return { found: first.name, limit: unpackedMb, setting: "unpackedMb" };
  }
  const bomb = entries.find(
    (entry) =>
      entry.unpackedBytes > RATIO_FLOOR_BYTES && entry.unpackedBytes > entry.packedBytes * zipRatio,
  );
  return bomb && { found: bomb.name, limit: zipRatio, setting: "zipRatio" };
}

/** Throws a `SheetError` that names what a zip without a workbook is. */
export function refuseOtherKinds(parts: PackageParts, file: string): void {
  if (parts.get("xl/workbook.bin") === undefined) return;
  throw new SheetError("E_FILE_TYPE", { file, hint: "binary-excel" });
}

/** Whether the file is an OpenDocument spreadsheet. */
export const isOpenDocument = (parts: PackageParts): boolean =>
  parts.get("content.xml") !== undefined && parts.get("mimetype") !== undefined;

/** Turns a failure of the zip into a `SheetError`; returns any other value as it is. */
export function fromZipError(error: unknown, file: string): unknown {
  if (!(error instanceof ZipError)) return error;
  const code = (
    { truncated: "E_FILE_TRUNCATED", damaged: "E_FILE_DAMAGED", bomb: "E_ZIP_RATIO" } as const
  )[error.reason];
  const details = { file, found: error.message, ...error.exceeded };
  return new SheetError(code, details, { cause: error });
}
