/** How much a file may ask of the machine before it is refused. */

export interface ReadLimits {
  /** @default 52428800 (50 MB) */
  readonly fileBytes: number;
  /** Data rows with something in them. @default 50000 */
  readonly rows: number;
  /** @default 300 */
  readonly columns: number;
  /** What Excel allows in one cell. @default 32767 */
  readonly cellChars: number;
  /** The longest CSV record; what ends the search for a quote that is never closed. @default 1048576 */
  readonly recordChars: number;
  /** Parts inside an XLSX file. @default 2000 */
  readonly zipEntries: number;
  /** All parts of an XLSX file once unpacked. @default 536870912 (512 MB) */
  readonly unpackedBytes: number;
  /** How far one part over 1 MB may be packed. @default 200 */
  readonly zipRatio: number;
  /** The heap of the process that reads workbooks. @default 384 */
  readonly readerHeapMb: number;
  /** All the memory of that process. @default 512 */
  readonly readerRssMb: number;
  /** How long that process may take. @default 60000 */
  readonly readerTimeoutMs: number;
}

const MB = 1024 * 1024;

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
