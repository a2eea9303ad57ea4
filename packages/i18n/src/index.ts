export { formatDateTime } from "./dates.ts";
export { formatDuration } from "./durations.ts";
export { describeFileError, isDiskFull, isFileError, turkishFileCause } from "./file-errors.ts";
export { InputError, LocalizedError } from "./errors.ts";
export { type Lang, type Localized } from "./localized.ts";
export { makeFolder } from "./make-folder.ts";
export { NAMED_COMMANDS, nameProgram, quoteText, quoteWord } from "./named-commands.ts";
export {
  formatBytes,
  formatMinor,
  formatNumber,
  decimalsOfChange,
  formatPercentChange,
  roundPercentChange,
} from "./numbers.ts";
