/** Plans rows of an earlier run again from their stored cells, without the file. */

import type { Connection } from "@catalog/connection";
import { NO_PLATFORM } from "@catalog/mapping";
import { readAllRows, type RowState, type RunRecord } from "@catalog/runs";
import type { SheetRow } from "@catalog/sheets";

import { toMappingRow } from "../file/product-rows.ts";
import type { SentImages } from "../images/open-images.ts";
import { planSheet } from "./plan-file.ts";
import type { PlanSheet, PlanFileOptions } from "./plan-options.ts";

/** The earlier run, and the settings of the new one. */
interface PlanRetryOptions extends Pick<
  PlanFileOptions,
  | "command"
  | "lang"
  | "reportDir"
  | "settings"
  | "images"
  | "askPriceUnit"
  | "signal"
  | "onRun"
  | "onProgress"
> {
  readonly run: RunRecord;
}

/**
 * States that are retried: their rows are known not to be in the store, so sending them again is
 * safe.
 */
const RETRIED_STATES: readonly RowState[] = ["rejected"];

/**
 * Plans the rows of `run` that the marketplace refused, as a new run. Their cells are mapped as
 * before: same columns, constants and notation of numbers. Row numbers stay the sheet's. Images are
 * checked again, as `images` says.
 */
export async function planRetry(
  connection: Connection,
  { run, ...options }: PlanRetryOptions,
): Promise<RunRecord> {
  const { reading = {} } = run.progress;
  const columns = reading.notations && new Map(reading.notations);
  return await planSheet(
    connection,
    {
      ...options,
      path: run.file.path,
      mode: run.mode,
      decimal: reading.decimal,
      columns: new Map(reading.columns ?? []),
      constants: new Map(reading.constants ?? []),
      defaults: new Map(reading.defaults ?? []),
      platform: reading.platform ?? NO_PLATFORM,
      variantTitle: reading.variantTitle,
      descriptions: reading.descriptions,
      retryOf: run.id,
    },
    {
      sheet: toSheet(connection, run),
      file: run.file,
      isJoined: true,
      notations: columns && { decimal: reading.decimal, columns },
      sentImages: (row) => readSentImages(connection, { run, row }),
    },
  );
}

interface RowOfRun {
  readonly run: RunRecord;
  readonly row: number;
}

/** Images of a row's refused request, for a row whose image files are missing now. */
async function readSentImages(
  { journal }: Connection,
  { run, row }: RowOfRun,
): ReturnType<SentImages> {
  const [record] = await journal.readRows(run.id, { after: row - 1, limit: 1 });
  const payload = record?.row === row ? record.payload : null;
  return payload === null ? undefined : { images: payload.images };
}

/** The stored rows as a sheet, with the row of machine keys that it had. */
function toSheet(connection: Connection, run: RunRecord): PlanSheet {
  const { sheet, sheets, headerRow, header } = run.file;
  const keyRow = run.progress.reading?.keyRow;
  async function* rows(): AsyncGenerator<SheetRow> {
    if (keyRow !== undefined) yield { row: headerRow + 1, cells: keyRow };
    const states = RETRIED_STATES;
    for await (const records of readAllRows(connection.journal, run.id, { states })) {
      yield* records.map(toMappingRow);
    }
  }
  return { sheet, ...(sheets && { sheets }), header: { row: headerRow, cells: header }, rows };
}
