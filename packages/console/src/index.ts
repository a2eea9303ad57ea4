export { breakLine, type BreakLineOptions } from "./break-line.ts";
export { type Command, type CommandContext } from "./command.ts";
export { durationFlag } from "./duration.ts";
export { EXIT } from "./exit-codes.ts";
export {
  type Complain,
  countFlag,
  type CountFlagOptions,
  type FlagDefinition,
  type Flags,
  pairsFlag,
  textFlag,
  textsFlag,
  wordFlag,
  wordsFlag,
  type WordsFlagOptions,
  CONCURRENCY_FLAG,
  concurrencyFlag,
} from "./flags.ts";
export {
  createProgressLine,
  type ProgressLine,
  type ProgressLineOptions,
} from "./progress-line.ts";
export { type Choice, printJson, type Terminal } from "./terminal.ts";
export { UsageError } from "./usage-error.ts";
