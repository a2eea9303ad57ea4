import type { SheetRow } from "./cell.ts";
import type { ReadLimits } from "./limits.ts";
import type { SheetFacts } from "./xlsx/read/sheet-facts.ts";

/** An inspected file whose rows can be read from the first one, any number of times. */
export interface RowSource {
  /** `xlsx` is any workbook. */
  readonly kind: "csv" | "xlsx";
  readonly sheet: string;
  readonly encoding?: string;
  readonly delimiter?: string;
  /** CSV only: rows must have as many cells as the header. */
  readonly isWidthFixed?: boolean;
  /** CSV only: whether the file ends with a line break, so that its last row was not cut off. */
  readonly isComplete?: boolean;
  /** Workbooks only. */
  readonly facts?: SheetFacts;
  /** The lines of a workbook's sheet `_meta`, by name. */
  readonly meta?: ReadonlyMap<string, string>;
  /** Every row with content, headers included, in order. */
  rows(): AsyncIterable<SheetRow>;
  /** The same rows, those of one piece of the file at a time. Each is read when it is asked for. */
  batches?(): AsyncIterable<Iterable<SheetRow>>;
  close(): Promise<void>;
}

/** Reads the rows of a source in its pieces; each is a piece where it has none. */
export function readBatches(
  source: Pick<RowSource, "rows" | "batches">,
): AsyncIterable<Iterable<SheetRow>> {
  return source.batches?.() ?? rowByRow(source);
}

/** Reads the rows of all pieces. */
export async function* readRows(
  batches: AsyncIterable<Iterable<SheetRow>>,
): AsyncGenerator<SheetRow> {
  for await (const batch of batches) yield* batch;
}

async function* rowByRow(source: Pick<RowSource, "rows">): AsyncGenerator<Iterable<SheetRow>> {
  for await (const row of source.rows()) yield [row];
}

/** What every kind of file needs to become a `RowSource`. */
export interface SourceOptions {
  readonly path: string;
  /** The base name of `path`, for messages. */
  readonly file: string;
  readonly sheet?: string;
  /** Workbooks only: reads no rows, and gives every sheet as left out. */
  readonly isList?: boolean;
  readonly headerRow?: number;
  readonly encoding?: string;
  readonly delimiter?: string;
  readonly signal?: AbortSignal;
  readonly limits: ReadLimits;
}
