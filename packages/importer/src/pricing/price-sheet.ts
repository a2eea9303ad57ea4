/** The sheets of price rules and of costs: read with all their mistakes, saved, and written back. */

import { extname } from "node:path";

import type { Connection } from "@catalog/connection";
import type { InputError, Lang, Localized } from "@catalog/i18n";
import {
  codeKey,
  createSheetReader,
  findCostColumns,
  mapColumns,
  parseMoney,
  type SourceRow,
} from "@catalog/mapping";
import { formatRules, parseRules, type PriceRule, type RuleProblem } from "@catalog/pricing";
import { openSheet, type ReadLimits, writeCsv, writeXlsx } from "@catalog/sheets";

import { toSheetError } from "../file/sheet-problems.ts";

type Memory = Pick<Connection["memory"], "prices">;

/** A workbook or CSV file of rules or costs. */
interface PriceSheet {
  readonly path: string;
  readonly limits?: Partial<ReadLimits> | undefined;
  /** Character encoding of a CSV file. @default it is found */
  readonly encoding?: string | undefined;
}

const openPriceSheet = ({ path, limits, encoding }: PriceSheet): ReturnType<typeof openSheet> =>
  openSheet({
    path,
    ...(limits !== undefined && { limits }),
    ...(encoding !== undefined && { encoding }),
  });

const refuse = (what: Localized, problems: readonly RuleProblem[]): InputError =>
  toSheetError("E_PRICE_SHEET", what, problems);

/** Reads the rules of a sheet. Throws `InputError` `E_PRICE_SHEET` with all its mistakes. */
export async function readRuleSheet(file: PriceSheet): Promise<readonly PriceRule[]> {
  await using sheet = await openPriceSheet(file);
  const rows = [];
  for await (const { row, cells, formats } of sheet.rows()) rows.push({ row, cells, formats });
  const parsed = parseRules(sheet.header, rows);
  if (parsed.ok) return parsed.rules;
  const what = {
    tr: "Kurallar kaydedilmedi; şunları düzeltin:",
    en: "The rules were not saved. Correct these places:",
  };
  throw refuse(what, parsed.problems);
}

/** Replaces the rules of a store by those of a sheet. */
export async function importPriceRules(
  { prices }: Memory,
  file: PriceSheet,
): Promise<{ readonly version: number; readonly rules: readonly PriceRule[] }> {
  const rules = await readRuleSheet(file);
  return { version: await prices.saveRules(rules), rules };
}

const SHEETS: Localized = { tr: "Fiyat kuralları", en: "Price rules" };
const WIDTH = 15;

/** Writes rules to a workbook or CSV file, by the file's extension. Without rules it is an empty form. */
export async function exportPriceRules(
  rules: readonly PriceRule[],
  { path, lang }: { readonly path: string; readonly lang: Lang },
): Promise<void> {
  const { header, rows } = formatRules(rules, lang);
  if (extname(path).toLowerCase() === ".csv") {
    await writeCsv({ path, header, rows, delimiter: lang === "tr" ? ";" : ",", decimal: "comma" });
    return;
  }
  const columns = header.map((text) => ({ header: text, width: WIDTH }));
  await writeXlsx({ path, sheets: [{ name: SHEETS[lang], columns, rows }] });
}

/**
 * Adds the costs of a sheet with a column of product codes and one of costs in TL. Throws
 * `InputError` `E_PRICE_SHEET` with all its mistakes; nothing is saved then.
 */
export async function importCosts({ prices }: Memory, file: PriceSheet): Promise<number> {
  await using sheet = await openPriceSheet(file);
  const { column, notation, readCode } = await readCostColumns(sheet);
  const problems: RuleProblem[] = [];
  const costs = new Map<string, ProductCost>();
  for await (const row of sheet.rows()) {
    const value = row.cells[column] ?? null;
    const code = readCode(row);
    if (value === null && code === undefined) continue;
    const cost = toCost({ value, code }, notation, costs);
    if ("codeKey" in cost) costs.set(cost.codeKey, cost);
    else problems.push({ row: row.row, column, value: String(value ?? ""), message: cost });
  }
  if (problems.length > 0) throw refuse(COSTS_WRONG, problems);
  if (costs.size === 0) throw refuse(NO_COSTS, []);
  await prices.saveCosts([...costs.values()]);
  return costs.size;
}

type ProductCost = Parameters<Memory["prices"]["saveCosts"]>[0][number];
type CostNotation = Parameters<typeof parseMoney>[1];

interface CostColumns {
  /** Index of the column of costs. */
  readonly column: number;
  readonly notation: CostNotation;
  readonly readCode: (row: SourceRow) => string | undefined;
}

async function readCostColumns(sheet: Awaited<ReturnType<typeof openSheet>>): Promise<CostColumns> {
  const how = { sheet: sheet.sheet, headerRow: sheet.header.row, header: sheet.header.cells };
  const [cost, second] = findCostColumns(mapColumns(how).columns);
  if (cost === undefined || second !== undefined) throw refuse(WHICH_COST, []);
  // Read as a price, so that the column tells how its numbers are written.
  const mapping = mapColumns({ ...how, overrides: new Map([[cost.header, "price"]]) });
  const reader = createSheetReader(mapping, sheet.sheet);
  const hasCode = mapping.columns.some(
    ({ target }) => target.kind === "field" && target.field === "product_code",
  );
  if (!hasCode) throw refuse(WHICH_CODE, []);
  const observer = reader.observeNumbers();
  for await (const row of sheet.rows()) observer.observe(row);
  return {
    column: cost.index,
    notation: observer.decide().columns.get(cost.index),
    readCode: (row) => reader.codes.read(row)?.code,
  };
}

/** The cost of a row, or what is wrong with it. */
function toCost(
  { value, code }: { readonly value: CellValue; readonly code: string | undefined },
  notation: CostNotation,
  known: ReadonlyMap<string, ProductCost>,
): ProductCost | Localized {
  if (code === undefined) return NO_CODE;
  const read = value === null ? undefined : parseMoney(value, notation);
  if (read?.ok !== true) return NO_COST;
  const { minor, currency = "TL" } = read.value;
  if (currency !== "TL") return NOT_TL;
  const key = codeKey(code);
  return (known.get(key)?.cost ?? minor) === minor ? { codeKey: key, code, cost: minor } : TWICE;
}

type CellValue = SourceRow["cells"][number];

const NO_COSTS: Localized = { tr: "Sayfada maliyet yok.", en: "The sheet has no costs." };
const WHICH_COST: Localized = {
  tr: "Maliyet sütunu bulunamadı ya da birden çok. Sütunun başlığı “Maliyet” ya da “Alış Fiyatı” olsun.",
  en: "The column of costs was not found, or there are several. Call it “Cost” or “Purchase Price”.",
};
const WHICH_CODE: Localized = {
  tr: "Ürün kodu sütunu bulunamadı. Sütunun başlığı “Ürün Kodu” olsun.",
  en: "The column of product codes was not found. Call it “Product Code”.",
};
const COSTS_WRONG: Localized = {
  tr: "Maliyetler kaydedilmedi; şunları düzeltin:",
  en: "The costs were not saved. Correct these places:",
};
const NO_CODE: Localized = { tr: "Ürün kodu yok.", en: "The product code is missing." };
const NO_COST: Localized = {
  tr: "Sıfırdan büyük, en çok iki ondalıklı bir tutar olmalı.",
  en: "It must be an amount above zero with at most two decimals.",
};
const NOT_TL: Localized = {
  tr: "Maliyetler TL olmalı; tutarı TL'ye çevirin.",
  en: "Costs are in TL; convert the amount.",
};
const TWICE: Localized = {
  tr: "Aynı kod daha yukarıda başka bir maliyetle var.",
  en: "The same code has another cost further up.",
};
