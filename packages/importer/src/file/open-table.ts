/** Opens the sheet of a file, and asks for its encoding where the file does not tell it. */

import {
  type EncodingReading,
  type OpenedSheet,
  openSheet,
  type OpenSheetOptions,
  SheetError,
} from "@catalog/sheets";

/** A file whose encoding is ambiguous. */
export interface EncodingQuestion {
  /** Base name of the file. */
  readonly file: string;
  /** Encodings, best first, each with the same words as they read in it. */
  readonly readings: readonly EncodingReading[];
}

/** Asks a person; the answer is the encoding of a reading, or `undefined` where none is right. */
export type AskEncoding = (question: EncodingQuestion) => Promise<string | undefined>;

/** A sheet, and the encoding that was given for it. */
export interface OpenedTable {
  readonly sheet: OpenedSheet;
  readonly given: Omit<OpenSheetOptions, "path" | "signal">;
}

/** Throws the `SheetError` of {@link openSheet} where `ask` is missing or gets no answer. */
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
