/** The columns of exports alone, for those who choose among them; loading this file loads no client. */

export { type ExportColumn, listExportColumns } from "./columns/list-columns.ts";
