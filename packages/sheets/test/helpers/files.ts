import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { onTestFinished } from "vitest";

import { openSheet, type OpenSheetOptions, SheetError, type SheetRow } from "../../src/index.ts";

/** A folder of its own for one test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "sheets-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A file with this content in a folder of its own. */
export function fileOf(name: string, content: string | Uint8Array): string {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, content);
  return path;
}

export interface ReadResult {
  readonly kind: string;
  readonly sheet: string;
  readonly headerRow: number;
  readonly encoding?: string;
  readonly delimiter?: string;
  readonly header: SheetRow["cells"];
  readonly rows: readonly SheetRow[];
}

/** Opens, reads to the end and closes. */
export async function readAll(
  path: string,
  options: Omit<OpenSheetOptions, "path"> = {},
): Promise<ReadResult> {
  await using sheet = await openSheet({ path, ...options });
  const rows = await collect(sheet.rows());
  return {
    kind: sheet.kind,
    sheet: sheet.sheet,
    ...sheet.guesses,
    header: sheet.header.cells,
    rows,
  };
}

/** The cells of every row below the header. */
export const readCells = async (
  path: string,
  options: Omit<OpenSheetOptions, "path"> = {},
): Promise<readonly SheetRow["cells"][]> =>
  (await readAll(path, options)).rows.map(({ cells }) => cells);

/** The `SheetError` that the promise rejects with; anything else fails the test. */
export async function refusal(promise: Promise<unknown>): Promise<SheetError> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof SheetError) return error;
    throw error;
  }
  throw new Error("Nothing was refused.");
}

/** The text as the given pieces, one after another. */
export async function* inPieces<Piece>(pieces: Iterable<Piece>): AsyncGenerator<Piece> {
  yield* pieces;
}

/** All that comes, in order. */
export async function collect<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** Rows that end in a failure. */
export async function* brokenRows(): AsyncGenerator<readonly string[]> {
  yield ["1"];
  throw new Error("store is gone");
}

/** The cell as a workbook returns it, whose texts have one LF for each line break. */
export const withPlainBreaks = <Cell>(cell: Cell): Cell | string =>
  typeof cell === "string" ? cell.replaceAll(/\r+\n/g, "\n") : cell;
