export {
  assertReadable,
  resolveSheetLink,
  type SheetLink,
  listSheets,
  openSheet,
  type OpenSheetOptions,
  type SheetEntry,
} from "./open-sheet.ts";
export {
  type CellTrait,
  type CellValue,
  type SheetRow,
  escapeFormula,
  unescapeFormula,
  type Amount,
  isAmount,
  type OutCell,
  type Rows,
  type TableCell,
} from "./cell.ts";
export { createTwiceRepair, type TwiceRepair, type EncodingReading } from "./csv/encoding.ts";
export {
  type CsvTable,
  formatAmount,
  writeCsv,
  type JsonlTable,
  writeJsonl,
  createTextOutput,
  type TextOutput,
} from "./write-file.ts";
export {
  type CountKnownHeaders,
  DEFAULT_LIMITS,
  type ReadLimits,
  MAX_COUNTED_ROWS,
  readBatches,
} from "./sheet-rows.ts";
export { type SheetNotice, type JoinedSheet, type OpenedSheet } from "./opened-sheet.ts";
export {
  type FileHint,
  SheetError,
  type SheetErrorCode,
  type SheetErrorDetails,
} from "./sheet-error.ts";
export { wasSavedSince } from "./xlsx/zip/read-zip.ts";
export {
  MAX_STREAM_CELL_CHARS,
  MAX_SHEET_ROWS,
  type StreamColumn,
  type StreamSheet,
  streamXlsx,
  type StreamXlsxOptions,
} from "./xlsx/write/stream-xlsx.ts";
export {
  type TemplateColumn,
  type TemplateDropDown,
  type TemplateList,
  type TemplateWorkbook,
  writeTemplate,
} from "./xlsx/write/write-template.ts";
export { toKeptValue } from "./xlsx/write/worksheet.ts";
export {
  writeXlsx,
  type WriteXlsxOptions,
  type XlsxColumn,
  type XlsxRow,
  type XlsxSheet,
} from "./xlsx/write/write-xlsx.ts";
