export { type ExportHeader, listHeaders } from "./columns/list-headers.ts";
export { listReferences, REFERENCE_FIELDS } from "./columns/shipping-columns.ts";
export { maskName } from "./columns/out-column.ts";
export { EXPORT_FORMATS, EXPORT_KINDS, type ExportFormat, type ExportKind } from "./kinds.ts";
export { readPackageIds } from "./package-ids.ts";
export {
  type ExportResult,
  type ExportEvent,
  type ExportOptions,
  readExport,
  runExport,
} from "./run-export.ts";
export { type ExportPeriod } from "./sources/source.ts";
export { formatTime, parseTypedTimestamp, readTimestamp } from "./timestamps.ts";
export { type ListingsProgress } from "./read-listings.ts";
