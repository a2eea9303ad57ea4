import { CFB, utils, type WorkBook, write } from "@e965/xlsx";

/** The library's types lack some of the kinds that it writes. */
const writeBook: (book: WorkBook, options: object) => unknown = write;

/** The file that the library writes of a workbook with one sheet. */
export function oldWorkbookOf(
  rows: readonly (readonly unknown[])[],
  bookType: "biff2" | "biff3" | "biff4" | "biff5" | "biff8" = "biff8",
): Buffer {
  const book = utils.book_new();
  utils.book_append_sheet(book, utils.aoa_to_sheet(rows.map((row) => [...row])), "Liste");
  return bufferOf(writeBook(book, { type: "buffer", bookType }));
}

/** Changes the records of the only stream of an `.xls`, each at its offset. */
export function changeRecords(
  xls: Buffer,
  change: (stream: Buffer, record: { readonly type: number; readonly at: number }) => void,
): Buffer {
  const file: unknown = CFB.read(xls, { type: "buffer" });
  const entry: { content: unknown } = CFB.find(file, "/Workbook");
  const stream = bufferOf(entry.content);
  for (let at = 0; at + 4 <= stream.length; at += 4 + stream.readUInt16LE(at + 2)) {
    change(stream, { type: stream.readUInt16LE(at), at });
  }
  entry.content = stream;
  return bufferOf(CFB.write(file, { type: "buffer" }));
}

const bufferOf = (bytes: unknown): Buffer =>
  bytes instanceof Uint8Array || Array.isArray(bytes) ? Buffer.from(bytes) : Buffer.alloc(0);
