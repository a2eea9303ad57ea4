export { assertReadable } from "./assert-readable.ts";
export { type CellTrait, type CellValue, type SheetRow } from "./cell.ts";
export { createTwiceRepair, type TwiceRepair } from "./csv/twice-encoded.ts";
export { type EncodingReading } from "./csv/legacy-encoding.ts";
export { type CsvTable, formatAmount, writeCsv } from "./csv/write-csv.ts";
export { type JsonlTable, writeJsonl } from "./jsonl/write-jsonl.ts";
export { escapeFormula, unescapeFormula } from "./formula-safety.ts";
export { type CountKnownHeaders } from "./header-row.ts";
export { DEFAULT_LIMITS, type ReadLimits } from "./limits.ts";
export { MAX_COUNTED_ROWS } from "./xlsx/read/sheet-content.ts";
export { resolveSheetLink, type SheetLink } from "./sheet-link.ts";
export { type SheetNotice } from "./sheet-notice.ts";
export { listSheets, openSheet, type OpenSheetOptions, type SheetEntry } from "./open-sheet.ts";
export { type JoinedSheet, type OpenedSheet } from "./opened-sheet.ts";
export { readBatches } from "./row-source.ts";
export { type Amount, isAmount, type OutCell, type Rows, type TableCell } from "./out-cell.ts";
export { type FileHint } from "./sheet-error-messages.ts";
export { wasSavedSince } from "./xlsx/saved-since.ts";
export { SheetError, type SheetErrorCode, type SheetErrorDetails } from "./sheet-error.ts";
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
export { toKeptValue } from "./xlsx/write/kept-cells.ts";
export {
  writeXlsx,
  type WriteXlsxOptions,
  type XlsxColumn,
  type XlsxRow,
  type XlsxSheet,
} from "./xlsx/write/write-xlsx.ts";
export { createTextOutput, type TextOutput } from "./text-output.ts";
