export {
  assertReadable,
  listSheets,
  openSheet,
  type OpenSheetOptions,
  resolveSheetLink,
  type SheetLink,
} from "./open-sheet.ts";
export { escapeFormula, type OutCell, type SheetRow, unescapeFormula } from "./cell.ts";
export { createTwiceRepair } from "./csv/encoding.ts";
export { createTextOutput, toCsvValue, writeCsv, writeJsonl } from "./write-file.ts";
export { DEFAULT_LIMITS, readBatches, type ReadLimits } from "./sheet-rows.ts";
export { type OpenedSheet } from "./opened-sheet.ts";
export { SheetError } from "./sheet-error.ts";
export { type UnpackedTable, unpackTable } from "./unpack-table.ts";
export { wasSavedSince } from "./xlsx/zip/read-zip.ts";
export { SHEET_MAX, type StreamColumn, streamXlsx } from "./xlsx/write/stream-xlsx.ts";
export { type TemplateWorkbook, writeTemplate } from "./xlsx/write/write-template.ts";
export { toKeptValue } from "./xlsx/write/worksheet.ts";
export { writeXlsx, type XlsxColumn, type XlsxRow } from "./xlsx/write/write-xlsx.ts";
