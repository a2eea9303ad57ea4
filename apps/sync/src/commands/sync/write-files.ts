/** Writes the result files of a sync. */

import type { Connection } from "@catalog/connection";
import { wrapText } from "@catalog/console/wrap-text";
import { describeFileError, isFileError } from "@catalog/i18n";
import { NO_FILES, type ResultFiles, writeHeldFile, writeResultFiles } from "@catalog/report";
import type { RunRecord } from "@catalog/runs";

import type { CommandContext } from "../../context.ts";
import { textsFor } from "./texts.ts";

export interface FilesOptions {
  /** `undefined` where the feed had not changed. */
  readonly run: RunRecord | undefined;
  /** Whether all result files are asked for; otherwise only held rows get a file. */
  readonly writesFiles: boolean;
}

/**
 * Returns the written files. The sync has ended by then, so a folder that cannot be written is only
 * told.
 */
export async function writeFiles(
  context: CommandContext,
  connection: Connection,
  { run, writesFiles }: FilesOptions,
): Promise<ResultFiles> {
  if (run === undefined) return NO_FILES;
  const tools = { ...connection, journal: connection.feedJournal };
  const { terminal, lang } = context;
  const { program } = terminal;
  const write = writesFiles ? writeResultFiles : writeHeldFile;
  const tell = (text: string): void =>
    terminal.err(
      `${wrapText(terminal.shown(`! ${text}`), { columns: terminal.columns, indent: 2 })}\n`,
    );
  try {
    return await write(tools, run, {
      program,
      onKept: (text) => tell(text[lang]),
    });
  } catch (error) {
    if (!isFileError(error)) throw error;
    tell(textsFor(lang).filesUnwritten(describeFileError(error)[lang]));
    return NO_FILES;
  }
}
