/** Opens the sheet of a file, and asks for what the file does not tell: its encoding or the sheet. */

import { type OpenedSheet, openSheet, type OpenSheetOptions, SheetError } from "@catalog/sheets";

/** A file whose encoding is ambiguous. */
export interface EncodingQuestion {
  /** Base name of the file. */
  readonly file: string;
  /** Encodings, best first, each with the same words as they read in it. */
  readonly readings: NonNullable<SheetError["details"]["readings"]>;
}

/** Asks a person; the answer is the encoding of a reading, or `undefined` where none is right. */
export type AskEncoding = (question: EncodingQuestion) => Promise<string | undefined>;

/** A workbook with several sheets that may hold the products. */
export interface SheetQuestion {
  /** Base name of the file. */
  readonly file: string;
  /** The sheets with their numbers of filled rows. */
  readonly sheets: readonly { readonly name: string; readonly rows: number | undefined }[];
}

/**
 * Asks a person; the answer is the name of a sheet, several names, `all`, or `undefined` where none
 * shall be read.
 */
export type AskSheet = (question: SheetQuestion) => Promise<string | readonly string[] | undefined>;

/** Questions about a file. @default no question is asked */
export interface FileQuestions {
  readonly askEncoding?: AskEncoding | undefined;
  readonly askSheet?: AskSheet | undefined;
}

/** A sheet, and what was given for reading it. */
export interface OpenedTable {
  readonly sheet: OpenedSheet;
  readonly given: Omit<OpenSheetOptions, "path" | "signal">;
}

/** Throws the `SheetError` of {@link openSheet} where a question is missing or gets no answer. */
export async function openTable(
  options: OpenSheetOptions,
  questions: FileQuestions,
): Promise<OpenedTable> {
  try {
    return { sheet: await openSheet(options), given: options };
  } catch (error) {
    const answer = await askAbout(error, questions);
    if (answer === undefined) throw error;
    const given = { ...options, ...answer };
    return { sheet: await openSheet(given), given };
  }
}

async function askAbout(
  error: unknown,
  { askEncoding, askSheet }: FileQuestions,
): Promise<Pick<OpenSheetOptions, "encoding" | "sheet"> | undefined> {
  if (!(error instanceof SheetError)) return undefined;
  const { code, details } = error;
  if (code === "E_ENCODING_UNSURE") {
    const { file = "", readings = [] } = details;
    const encoding = await askEncoding?.({ file, readings });
    return encoding === undefined ? undefined : { encoding };
  }
  if (code !== "E_SHEET_CHOICE") return undefined;
  const sheet = await askSheet?.(toSheetQuestion(details));
  return sheet === undefined ? undefined : { sheet };
}

const toSheetQuestion = ({
  file = "",
  names = [],
  rowCounts = [],
}: SheetError["details"]): SheetQuestion => ({
  file,
  sheets: names.map((name, index) => ({ name, rows: rowCounts[index] })),
});
