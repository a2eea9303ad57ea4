/** Starts checking the images of a file while its rows still wait for other steps. */

import type { ImageReference } from "@catalog/images";
import { type Column, type ColumnMapping, splitImageAddresses } from "@catalog/mapping";
import { type Journal, readAllRows, type SourceRow } from "@catalog/runs";

export interface PrefetchImagesOptions {
  readonly runId: string;
  readonly journal: Journal;
  readonly mapping: ColumnMapping;
  readonly signal: AbortSignal;
  readonly check: (source: ImageReference) => Promise<unknown>;
}

/** Rows whose images are started at a time; few enough to keep memory constant. */
const BATCH_ROWS = 200;

/** Resolves when every image URL of the run was checked; the results are read row by row. */
export async function prefetchImages(options: PrefetchImagesOptions): Promise<void> {
  const { runId, journal, mapping, signal } = options;
  const columns = mapping.columns.filter(isImageColumn);
  if (columns.length === 0) return;
  if (signal.aborted) return;
  for await (const rows of readAllRows(journal, runId, {}, BATCH_ROWS)) {
    const addresses = new Set(rows.flatMap((row) => addressesOf(row, columns)));
    await Promise.all([...addresses].map((text) => options.check({ kind: "address", text })));
    if (signal.aborted) return;
  }
}

const isImageColumn = ({ target }: Column): boolean =>
  target.kind === "field" && /^image(?:s|_\d)$/u.test(target.field);

/** Collects cells that are certainly URLs; other cells are read with their rows. */
function addressesOf({ cells }: SourceRow, columns: readonly Column[]): readonly string[] {
  return columns
    .flatMap(({ index }) => splitImageAddresses(String(cells[index] ?? "")))
    .filter((text) => /^https:\/\/[^\s,]+$/iu.test(text));
}
