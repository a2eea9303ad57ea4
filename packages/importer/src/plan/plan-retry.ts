/** Plans rows of an earlier run once more, from the cells that were kept: no file is needed. */

import { type Toolkit } from "@catalog/connection";
import { readAllRows, type RowState, type RunRecord } from "@catalog/runs";
import { type SheetRow } from "@catalog/sheets";

import { toMappable } from "../file/to-mapping-row.ts";
import { type SentImages } from "../images/open-images.ts";
import { type PlanFileOptions } from "./plan-file-options.ts";
import { planSheet } from "./plan-file.ts";
import { type PlanSheet } from "./plan-source.ts";

/** Which run's rows, and how the new run is kept. */
export interface PlanAgainOptions extends Pick<
  PlanFileOptions,
  | "command"
  | "lang"
  | "reportDir"
  | "settings"
  | "pictures"
  | "askPriceUnit"
  | "signal"
  | "onRun"
  | "onProgress"
> {
  readonly run: RunRecord;
}

/** Rows that were sent, or should have been, and are not in the store: sending them is safe. */
export const RETRIED_STATES: readonly RowState[] = ["rejected"];

/**
 * Plans the rows of `run` that the marketplace refused, as a new run. Their cells are read as they
 * were then: same columns, same constants, same notation of numbers. Row numbers stay the sheet's.
 * Pictures are looked at again, as `pictures` says.
 */
export async function planAgain(
  toolkit: Toolkit,
  { run, ...options }: PlanAgainOptions,
): Promise<RunRecord> {
  const { reading = {} } = run.progress;
  const columns = reading.notations && new Map(reading.notations);
  return await planSheet(
    toolkit,
    {
      ...options,
      path: run.file.path,
      mode: run.mode,
      decimal: reading.decimal,
      columns: new Map(reading.columns ?? []),
      constants: new Map(reading.constants ?? []),
      retryOf: run.id,
    },
    {
      sheet: toSheet(toolkit, run),
      file: run.file,
      notations: columns && { decimal: reading.decimal, columns },
      sentImages: (row) => readSentImages(toolkit, { run, row }),
    },
  );
}

interface RowOfRun {
  readonly run: RunRecord;
  readonly row: number;
}

/** What the refused request of a row said, which is all that is left where the files are gone. */
async function readSentImages(
  { journal }: Toolkit,
  { run, row }: RowOfRun,
): ReturnType<SentImages> {
  const [record] = await journal.readRows(run.id, { after: row - 1, limit: 1 });
  const payload = record?.row === row ? record.payload : null;
  return payload === null ? undefined : { images: payload.images };
}

/** The stored rows as if they were read from a sheet, with the row of machine keys it had. */
function toSheet(toolkit: Toolkit, run: RunRecord): PlanSheet {
  const { sheet, headerRow, header } = run.file;
  const keyRow = run.progress.reading?.keyRow;
  async function* rows(): AsyncGenerator<SheetRow> {
    if (keyRow !== undefined) yield { row: headerRow + 1, cells: keyRow };
    const states = RETRIED_STATES;
    for await (const records of readAllRows(toolkit.journal, run.id, { states })) {
      yield* records.map(toMappable);
    }
  }
  return { sheet, header: { row: headerRow, cells: header }, rows };
}
