export {
  type Applied,
  applyPlanned,
  type ApplyPlannedOptions,
  type ApplyProgress,
  readRun,
} from "./apply-planned.ts";
export { ToolkitError, type ToolkitErrorCode } from "./errors.ts";
export {
  isLookupKind,
  LOOKUP_KINDS,
  type LookupFindings,
  type LookupKind,
  type LookupQuery,
  type LookupResult,
  lookUp,
} from "./look-up.ts";
export { type CallMeter, openToolkit, type Toolkit, type ToolkitOptions } from "./open-toolkit.ts";
export {
  type PictureMode,
  type PictureOptions,
  type PictureShape,
} from "./pictures/picture-options.ts";
export { planFile, type PlanFileOptions, type PlanProgress } from "./plan-file.ts";
export { writeResultFiles, writeSummary } from "./result-files.ts";
export {
  NO_FILES,
  NOTHING_PLANNED,
  readSummary,
  type ResultFiles,
  type RunSummary,
} from "./run-summary.ts";
export {
  type Command,
  type CommandContext,
  type FlagDefinition,
  type Flags,
  type Lang,
  type Terminal,
  type ToolkitOverrides,
  UsageError,
} from "./command.ts";
export {
  createProductWorkbook,
  PRODUCT_COLUMNS,
  type ProductWorkbookOptions,
} from "./product-workbook.ts";
