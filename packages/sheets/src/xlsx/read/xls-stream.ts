/** The stream of records of an `.xls`, for files that the library cannot read as they are. */

/** The part of the library that reads compound files. */
export interface CompoundFiles {
  read(bytes: Buffer, options: { readonly type: "buffer" }): unknown;
  find(file: unknown, path: string): { content?: unknown } | null;
  write(file: unknown, options: { readonly type: "buffer" }): unknown;
}

export interface XlsStream {
  /** Whether its records are encrypted. */
  isEncrypted(): boolean;
  /** The file without its defined names, which can hold formulas unknown to the library. */
  withoutDefinedNames(): Buffer | undefined;
}

/** Names of the stream since Excel 97 and before. */
const STREAMS = ["/Workbook", "/Book"] as const;
const RECORD_HEAD_BYTES = 4;
/** Records that may stand before the one of the encryption. */
const FIRST_RECORDS = 4;
const ENCRYPTION = 0x2f;
const DEFINED_NAMES: ReadonlySet<number> = new Set([0x18, 0x218]);
/** Type of a record that means nothing. */
const NOTHING = 0x0fff;

/** Finds the stream; `undefined` where the compound file is damaged or holds none. */
export function findXlsStream(files: CompoundFiles, bytes: Buffer): XlsStream | undefined {
  const file = openFile(files, bytes);
  if (file === undefined) return undefined;
  const entry = STREAMS.map((name) => files.find(file, name)).find((found) => found !== null);
  if (!(entry?.content instanceof Uint8Array)) return undefined;
  const stream = Buffer.from(entry.content);
  return {
    isEncrypted: () =>
      [...recordsOf(stream)].slice(0, FIRST_RECORDS).some(({ type }) => type === ENCRYPTION),
    withoutDefinedNames() {
      const names = [...recordsOf(stream)].filter(({ type }) => DEFINED_NAMES.has(type));
      if (names.length === 0) return undefined;
      for (const { at } of names) stream.writeUInt16LE(NOTHING, at);
      entry.content = stream;
      const written = files.write(file, { type: "buffer" });
      return Buffer.isBuffer(written) ? written : undefined;
    },
  };
}

function openFile(files: CompoundFiles, bytes: Buffer): unknown {
  try {
    return files.read(bytes, { type: "buffer" });
  } catch {
    // The caller reports the failure that it knows already.
    return undefined;
  }
}

interface XlsRecord {
  readonly type: number;
  readonly at: number;
}

function* recordsOf(stream: Buffer): Generator<XlsRecord> {
  for (let at = 0; at + RECORD_HEAD_BYTES <= stream.length;) {
    yield { type: stream.readUInt16LE(at), at };
    at += RECORD_HEAD_BYTES + stream.readUInt16LE(at + 2);
  }
}
