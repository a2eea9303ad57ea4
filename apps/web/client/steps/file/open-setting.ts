import type { ReadingView } from "../../../src/api/index.ts";

const PROBLEMS = {
  sheet: ["E_SHEET_CHOICE", "E_SHEET_UNKNOWN", "E_SHEETS_DIFFER"],
  encoding: ["E_ENCODING", "E_ENCODING_UNSURE", "E_NUL"],
  delimiter: ["E_DELIMITER", "E_CSV_QUOTE"],
  headerRow: ["E_HEADER_ROW"],
} as const;

/** Whether the file cannot be read because of this setting, and not because of another one. */
export const isOpenSetting = (
  { problem }: Pick<ReadingView, "problem">,
  setting: keyof typeof PROBLEMS,
): boolean => PROBLEMS[setting].some((code) => code === problem?.code);
