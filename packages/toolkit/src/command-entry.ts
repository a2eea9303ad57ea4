/** What a command is made of, as data: reading it loads nothing that a command works with. */

export { toVisibleLine, toVisibleText } from "@catalog/sheets/visible-text";

export {
  type Choice,
  type Command,
  type CommandContext,
  type FlagDefinition,
  type Flags,
  type Terminal,
  type ToolkitOverrides,
  UsageError,
} from "./command.ts";
export {
  EXPORT_FORMATS,
  EXPORT_KINDS,
  type ExportFormat,
  type ExportKind,
} from "./export/choices.ts";
export { parseTypedMoment } from "./export/moments.ts";
export { isLookupKind, LOOKUP_KINDS, type LookupKind } from "./lookup-kinds.ts";
