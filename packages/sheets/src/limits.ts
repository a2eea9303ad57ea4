/** Limits on the machine's resources that one file may use; `docs/limits.md` lists them for people. */

export interface ReadLimits {
  /** Maximum number of data rows with content. @default 1048576 */
  readonly rows: number;
  /** @default 300 */
  readonly columns: number;
  /** What Excel allows in one cell. @default 32767 */
  readonly cellChars: number;
  /**
   * Maximum length of a CSV record in characters; it ends the search for a quote that is never
   * closed. @default 1048576
   */
  readonly recordChars: number;
  /** Maximum size of the file in MB. @default 1024 */
  readonly fileMb: number;
  /** Maximum size of a file of JSON, which is parsed as a whole, in MB. @default 100 */
  readonly jsonMb: number;
  /** Maximum total size of all parts of a workbook once unpacked, in MB. @default 2048 */
  readonly unpackedMb: number;
  /** Parts inside a workbook. @default 2000 */
  readonly zipEntries: number;
  /** Maximum compression ratio of a part over 1 MB. @default 200 */
  readonly zipRatio: number;
  /** Maximum heap of the process that reads workbooks, in MB. @default 384 */
  readonly readerHeapMb: number;
  /** Maximum resident memory of that process, in MB. @default 512 */
  readonly readerRssMb: number;
  /**
   * Maximum run time of that process in seconds, for every 10 MB of the file begun: a small file
   * cannot occupy it for long. @default 60
   */
  readonly readerSeconds: number;
}

/** The limits that apply unless the caller changes them. */
export const DEFAULT_LIMITS: ReadLimits = {
  rows: 1_048_576,
  columns: 300,
  cellChars: 32_767,
  recordChars: 1_048_576,
  fileMb: 1024,
  jsonMb: 100,
  unpackedMb: 2048,
  zipEntries: 2_000,
  zipRatio: 200,
  readerHeapMb: 384,
  readerRssMb: 512,
  readerSeconds: 60,
};

/** Bytes of a megabyte, the unit of these limits. */
export const MB: number = 1024 * 1024;

/** Size of a file for whose every beginning the reading process gets its time once more. */
const TIMED_BYTES = 10 * MB;

/** Run time that the process reading a workbook of this size may take, in milliseconds. */
export const readerTimeoutMs = (
  { readerSeconds }: Pick<ReadLimits, "readerSeconds">,
  sizeBytes: number,
): number => Math.ceil(readerSeconds * 1000 * Math.max(1, Math.ceil(sizeBytes / TIMED_BYTES)));
