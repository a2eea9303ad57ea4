export { breakLine, type BreakLineOptions } from "./break-line.ts";
export {
  type BrokenRun,
  type Command,
  type CommandContext,
  type CommandHelp,
  type StepProgress,
} from "./command.ts";
export { durationFlag } from "./duration.ts";
export { EXIT } from "./exit-codes.ts";
export {
  type Complain,
  countFlag,
  type CountFlagOptions,
  type FlagDefinition,
  type Flags,
  groupFlags,
  pairsFlag,
  textFlag,
  textsFlag,
  wordFlag,
  splitWords,
  wordsFlag,
  CONCURRENCY_FLAG,
  concurrencyFlag,
} from "./flags.ts";
export { isListenError, isPort, portFlag } from "./ports.ts";
export {
  createProgressLine,
  type ProgressLine,
  type ProgressLineOptions,
} from "./progress-line.ts";
export { createLogTerminal, LOG_FORMAT_FLAG, LOG_FORMATS, type LogFormat } from "./log-terminal.ts";
export { READING_FLAGS, sheetFlag, STORE_FLAGS, WAIT_FLAG } from "./reading-flags.ts";
export { ORIGIN_VARIABLE, readOrigin, type RunOrigin } from "./run-origin.ts";
export { type Choice, printJson, type Terminal, type TextView } from "./terminal.ts";
export { UsageError } from "./usage-error.ts";
