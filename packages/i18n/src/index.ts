export { bareAddress, isAddress } from "./addresses.ts";
export {
  formatDateTime,
  formatDuration,
  formatBytes,
  formatMinor,
  formatNumber,
  decimalsOfChange,
  formatPercentChange,
  roundPercentChange,
} from "./formats.ts";
export {
  describeFileError,
  isDiskFull,
  isFileError,
  turkishFileCause,
  InputError,
  LocalizedError,
  type Lang,
  type Localized,
} from "./errors.ts";
export { FIRST_STORE_NAME, storeNameKey } from "./store-names.ts";
export { isTableFileName, isTableName } from "./table-names.ts";
export { makeFolder } from "./make-folder.ts";
export { NAMED_COMMANDS, nameProgram, quoteText, quoteWord } from "./named-commands.ts";
