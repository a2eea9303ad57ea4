/** Opens the sheet of a file, and asks about its encoding where the file alone does not tell. */

import {
  type EncodingReading,
  type OpenedSheet,
  openSheet,
  type OpenSheetOptions,
  SheetError,
} from "@catalog/sheets";

/** A file whose letters may be read in several ways. */
export interface EncodingQuestion {
  /** Its base name. */
  readonly file: string;
  /** Best first; of each the same words, as they are in that encoding. */
  readonly readings: readonly EncodingReading[];
}

/** Asks a person; the answer is the encoding of a reading, or nothing where none of them is right. */
export type AskEncoding = (question: EncodingQuestion) => Promise<string | undefined>;

/** A sheet, and what was said of how to read it. */
export interface OpenedTable {
  readonly sheet: OpenedSheet;
  readonly given: Omit<OpenSheetOptions, "path" | "signal">;
}

/** Throws the `SheetError` of {@link openSheet} where nobody is asked or no answer is given. */
export async function openTable(
  options: OpenSheetOptions,
  ask: AskEncoding | undefined,
): Promise<OpenedTable> {
  try {
    return { sheet: await openSheet(options), given: options };
  } catch (error) {
    const question = toQuestion(error);
    const encoding = question === undefined ? undefined : await ask?.(question);
    if (encoding === undefined) throw error;
    const given = { ...options, encoding };
    return { sheet: await openSheet(given), given };
  }
}

function toQuestion(error: unknown): EncodingQuestion | undefined {
  if (!(error instanceof SheetError) || error.code !== "E_ENCODING_UNSURE") return undefined;
  const { file = "", readings = [] } = error.details;
  return { file, readings };
}
