/** Whether a zip is a workbook that is safe to unpack, by its directory alone. */

import { type ReadLimits } from "../limits.ts";
import { SheetError } from "../sheet-error.ts";
import { type ByteSource, readZipDirectory, type ZipEntry, ZipError } from "./zip.ts";

/** Below this size a part may be packed as far as it likes. */
const RATIO_FLOOR_BYTES = 1024 * 1024;

export const WORKBOOK_PART = "xl/workbook.xml";

/** The parts of a workbook by name; throws a `SheetError` for everything else. */
export function readPackage(
  source: ByteSource,
  limits: ReadLimits,
  file: string,
): ReadonlyMap<string, ZipEntry> {
  const entries = readZipDirectory(source, limits.zipEntries);
  const parts = new Map(entries.map((entry) => [entry.name, entry]));
  const problem =
    parts.size < entries.length ? "two parts of one name" : unsafeBySize(entries, limits);
  if (problem !== undefined) throw new SheetError("E_FILE_UNSAFE", { file, found: problem });
  if (parts.has(WORKBOOK_PART)) return parts;
  if (parts.has("xl/workbook.bin")) throw otherKind(file, "binary-excel");
  if (parts.has("content.xml") && parts.has("mimetype")) throw otherKind(file, "open-document");
  throw new SheetError("E_NOT_XLSX", { file });
}

const otherKind = (file: string, hint: "binary-excel" | "open-document"): SheetError =>
  new SheetError("E_FILE_TYPE", { file, hint });

function unsafeBySize(entries: readonly ZipEntry[], limits: ReadLimits): string | undefined {
  const total = entries.reduce((sum, entry) => sum + entry.unpackedBytes, 0);
  if (total > limits.unpackedBytes) return `${total} bytes unpacked`;
  const bomb = entries.find(
    (entry) =>
      entry.unpackedBytes > RATIO_FLOOR_BYTES &&
      entry.unpackedBytes > entry.packedBytes * limits.zipRatio,
  );
  return bomb && `the part ${bomb.name} unpacks to ${bomb.unpackedBytes} bytes`;
}

/** A failure of the zip as a `SheetError`; any other value as it is. */
export function fromZipError(error: unknown, file: string): unknown {
  if (!(error instanceof ZipError)) return error;
  return error.reason === "truncated"
    ? new SheetError("E_FILE_TRUNCATED", { file }, { cause: error })
    : new SheetError("E_FILE_UNSAFE", { file, found: error.message }, { cause: error });
}
