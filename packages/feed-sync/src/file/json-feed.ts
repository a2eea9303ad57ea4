/** Reads a JSON feed as a sheet: one row for each object, one column for each key. */

import { readFile, stat } from "node:fs/promises";
import { basename } from "node:path";

import { CatalogError } from "@catalog/connection";
import type { PlanSource } from "@catalog/importer";
import type { CellValue } from "@catalog/runs";
import { DEFAULT_LIMITS, type ReadLimits, SheetError, type SheetRow } from "@catalog/sheets";

const MB = 1024 * 1024;

/** Keys under which an object may hold the list. */
const LIST_KEYS = ["items", "products", "rows", "data", "urunler"] as const;

/**
 * Opens an array of objects, an object that holds one under a usual key, or one object a line. Rows
 * are numbered as if the keys stood in row 1. Throws {@link CatalogError} `E_FEED_JSON`, and
 * `SheetError` for a file beyond its limits.
 */
export async function openJsonFeed(
  path: string,
  given: Partial<ReadLimits> = {},
): Promise<PlanSource["sheet"]> {
  const file = basename(path);
  const { jsonMb, rows: maxRows } = { ...DEFAULT_LIMITS, ...given };
  if ((await stat(path)).size > jsonMb * MB) {
    throw new SheetError("E_TOO_LARGE", { file, limit: jsonMb, setting: "jsonMb" });
  }
  const items = parseItems(decode(await readFile(path)));
  if (items.length > maxRows) {
    throw new SheetError("E_TOO_MANY_ROWS", { file, limit: maxRows });
  }
  const keys = [...new Set(items.flatMap((item) => Object.keys(item)))];
  async function* rows(): AsyncGenerator<SheetRow> {
    let row = 1;
    for (const item of items) {
      row += 1;
      const cells = new Map(Object.entries(item));
      yield { row, cells: keys.map((key) => toCell(cells.get(key))) };
    }
  }
  return { sheet: file, header: { row: 1, cells: keys }, rows };
}

/** JSON is UTF-8; read in another encoding, a product code would become another code. */
function decode(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new CatalogError("E_FEED_JSON", { tr: "UTF-8 değil", en: "it is not UTF-8" });
  }
}

function parseItems(text: string): readonly object[] {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const isLines = lines.length > 1 && lines[0]?.trim().endsWith("}") === true;
  const found =
    isLines && !isWhole(text) ? lines.map((line) => parse(line)) : findList(parse(text));
  const items = found?.filter((item) => typeof item === "object" && item !== null) ?? [];
  if (
    found === undefined ||
    items.length < found.length ||
    items.some((item) => Array.isArray(item))
  ) {
    throw new CatalogError("E_FEED_JSON", "[{…}]");
  }
  return items.flatMap((item) => (item instanceof Object ? [item] : []));
}

function findList(parsed: unknown): readonly unknown[] | undefined {
  if (Array.isArray(parsed)) return parsed;
  if (typeof parsed !== "object" || parsed === null) return undefined;
  const entries = new Map<string, unknown>(Object.entries(parsed));
  const lists = LIST_KEYS.map((key) => entries.get(key)).filter((value) => Array.isArray(value));
  // A single object is a feed of one row.
  return lists.length === 1 ? lists[0] : [parsed];
}

const isWhole = (text: string): boolean => text.trimStart().startsWith("[");

function parse(text: string): unknown {
  if (text.trim() === "") return [];
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CatalogError("E_FEED_JSON", reason.slice(0, 120));
  }
}

function toCell(value: unknown): CellValue {
  if (typeof value === "string") return value === "" ? null : value;
  if (typeof value === "number" || typeof value === "boolean") return value;
  return value === null || value === undefined ? null : JSON.stringify(value);
}
