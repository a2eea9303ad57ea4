/** Limits on the machine's resources that one file may use. */

export interface ReadLimits {
  /** @default 52428800 (50 MB) */
  readonly fileBytes: number;
  /** Maximum number of data rows with content. @default 50000 */
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
  /** Parts inside an XLSX file. @default 2000 */
  readonly zipEntries: number;
  /** Total size of all parts of an XLSX file once unpacked. @default 536870912 (512 MB) */
  readonly unpackedBytes: number;
  /** Maximum compression ratio of a part over 1 MB. @default 200 */
  readonly zipRatio: number;
  /** Maximum heap of the process that reads workbooks, in MB. @default 384 */
  readonly readerHeapMb: number;
  /** Maximum resident memory of that process, in MB. @default 512 */
  readonly readerRssMb: number;
  /** Maximum run time of that process, in milliseconds. @default 60000 */
  readonly readerTimeoutMs: number;
}

const MB = 1024 * 1024;

/** The limits that apply unless the caller changes them. */
export const DEFAULT_LIMITS: ReadLimits = {
  fileBytes: 50 * MB,
  rows: 50_000,
  columns: 300,
  cellChars: 32_767,
  recordChars: MB,
  zipEntries: 2_000,
  unpackedBytes: 512 * MB,
  zipRatio: 200,
  readerHeapMb: 384,
  readerRssMb: 512,
  readerTimeoutMs: 60_000,
};
