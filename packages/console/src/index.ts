export { breakLine } from "./break-line.ts";
export {
  type BrokenRun,
  type Command,
  type CommandContext,
  type StepProgress,
  EXIT,
  FEED_LOGINS_VARIABLE,
  STORE_NAMES_VARIABLE,
  ORIGIN_VARIABLE,
  PERSON_ID_VARIABLE,
  PERSON_VARIABLE,
  readOrigin,
} from "./command.ts";
export {
  type FlagDefinition,
  type Flags,
  groupFlags,
  parseLoginReference,
  readFlag,
  resolveLoginReference,
  SHARED_FLAGS,
  splitWords,
  isListenError,
  isPort,
  UsageError,
} from "./flags.ts";
export {
  createProgressLine,
  type ProgressLine,
  createLogTerminal,
  type Choice,
  printJson,
  type Terminal,
  type TextView,
} from "./terminal.ts";
