/** Checks what result files say of the rows of a run. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { type CellValue, type RowRecord, type RowState, toCountClass } from "@catalog/runs";
import type { FakeMarketplace } from "@catalog/runs/testing";
import { openSheet } from "@catalog/sheets";
import { readXlsx } from "hucre/xlsx";

/** A row of a file by its headers; the header of a column of the input comes first. */
type FileRow = ReadonlyMap<string, CellValue>;

/**
 * Workbooks are read by another library in this process, as our reader would start a process for
 * each.
 */
async function readFileRows(path: string): Promise<readonly FileRow[]> {
  const [header = [], ...rows] = path.endsWith(".xlsx")
    ? ((await readXlsx(readFileSync(path))).sheets[0]?.rows ?? [])
    : await readCsv(path);
  const headers = header.map(String);
  return rows.map(
    (cells) => new Map(headers.map((name, index) => [name, toCell(cells[index])] as const)),
  );
}

async function readCsv(path: string): Promise<readonly (readonly unknown[])[]> {
  await using sheet = await openSheet({ path, headerRow: 1 });
  const rows = await Array.fromAsync(sheet.rows());
  return [sheet.header.cells, ...rows.map(({ cells }) => cells)];
}

function toCell(value: unknown): CellValue {
  if (value === undefined || value === null || value === "") return null;
  if (typeof value === "number" || typeof value === "boolean") return value;
  if (typeof value === "string") return value;
  throw new TypeError(`a cell of a result is neither text nor number: ${JSON.stringify(value)}`);
}

/** A CSV file holds only texts, with the decimal sign of its language. */
const toText = (cell: CellValue | undefined): string =>
  (typeof cell === "number" ? String(cell).replace(".", ",") : String(cell ?? ""))
    .replace(/^true$/u, "TRUE")
    .replace(".", ",");

/** Words of the result column, of both languages, by class. */
const WORDS: Readonly<Record<string, string>> = {
  Eklendi: "added",
  Added: "added",
  Güncellendi: "updated",
  Updated: "updated",
  Değişmedi: "unchanged",
  Unchanged: "unchanged",
  Atlandı: "skipped",
  Skipped: "skipped",
  Hatalı: "invalid",
  Invalid: "invalid",
  Tekrar: "duplicate",
  Duplicate: "duplicate",
  Reddedildi: "rejected",
  Rejected: "rejected",
  Bekletildi: "held",
  Held: "held",
  Belirsiz: "unknown",
  Unknown: "unknown",
  Gönderilmedi: "pending",
  "Not sent": "pending",
};

export interface Input {
  readonly header: readonly string[];
  readonly rows: readonly { readonly cells: readonly CellValue[] }[];
}

/** Checks that the result is the input: every row in order, with its values and its own outcome. */
export async function judgeResult(
  path: string,
  input: Input,
  records: readonly RowRecord[],
): Promise<readonly string[]> {
  const found = await readFileRows(path);
  if (found.length !== input.rows.length) {
    return [`${path} has ${found.length} of ${input.rows.length} rows`];
  }
  return found.flatMap((row, index) =>
    judgeRow(row, records[index])
      .concat(differences(row, input, index))
      .map((text) => `${path} row ${index + 2} ${text}`),
  );
}

function judgeRow(row: FileRow, record: RowRecord | undefined): readonly string[] {
  const output = WORDS[String(row.get("Sonuç") ?? row.get("Result"))];
  const id = row.get("Ürün ID") ?? row.get("Product ID") ?? null;
  const is = record === undefined ? undefined : toCountClass(record.state, record.action);
  return [
    ...(output === is ? [] : [`says ${output}, and is ${is}`]),
    ...(id === (record?.productId ?? null) ? [] : [`names ${id}`]),
  ];
}

function differences(row: FileRow, { header, rows }: Input, index: number): readonly string[] {
  return header.flatMap((name, column) => {
    const [was, is] = [toText(rows[index]?.cells[column]), toText(row.get(name))];
    return was === is ? [] : [`${name} was ${JSON.stringify(was)} and is ${JSON.stringify(is)}`];
  });
}

/** Checks that a file holds exactly the rows in these states, in order and with their cells. */
export async function judgeSome(
  path: string | null,
  states: readonly RowState[],
  { input, records }: { readonly input: Input; readonly records: readonly RowRecord[] },
): Promise<readonly string[]> {
  const wanted = records.flatMap(({ state }, index) => (states.includes(state) ? [index] : []));
  if (path === null) return wanted.length === 0 ? [] : [`no file of ${states.join(" ")}`];
  const found = await readFileRows(path);
  if (found.length !== wanted.length) {
    return [`${path} has ${found.length} rows instead of ${wanted.length}`];
  }
  return found.flatMap((row, at) =>
    differences(row, input, wanted[at] ?? 0).map((text) => `${path} row ${at + 2}: ${text}`),
  );
}

/** Differences between two folders whose files should be equal; summary and page name their folder. */
export function judgeTwins(one: string, other: string): readonly string[] {
  const names = readdirSync(one).toSorted();
  if (names.join() !== readdirSync(other).toSorted().join()) return [`${other} has other files`];
  return names
    .filter((name) => contentOf(one, name) !== contentOf(other, name))
    .map((name) => `${name} is not the same when it is made again`);
}

const contentOf = (folder: string, name: string): string =>
  readFileSync(join(folder, name), "latin1").replaceAll(folder, "");

/** Checks that the store has the values of the rows, each product for its own row. */
export function judgeProducts(
  records: readonly RowRecord[],
  { products }: FakeMarketplace,
): readonly string[] {
  const byCode = Map.groupBy(products, ({ product }) => product.product_code);
  return records.flatMap((record) => {
    const own = byCode.get(record.code ?? "") ?? [];
    const wrong = own.length > 1 ? "is in the store twice" : judgeProduct(record, own[0]?.product);
    return wrong === undefined ? [] : [`row ${record.row} ${wrong}`];
  });
}

function judgeProduct(
  { action, state, productId, payload }: RowRecord,
  product: FakeMarketplace["products"][number]["product"] | undefined,
): string | undefined {
  if (state === "rejected" && action === "add" && product !== undefined) {
    return "is rejected, and in the store";
  }
  if (state !== "done") return undefined;
  if (product?.id !== productId) return "names another product";
  return product?.title === payload?.title ? undefined : "is done, and its title is not there";
}
