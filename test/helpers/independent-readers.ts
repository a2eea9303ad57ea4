/** Reads files with other libraries than the program's own. */

import { readFileSync } from "node:fs";

import { CFB } from "@e965/xlsx";
import { readXlsx } from "hucre/xlsx";
import Papa from "papaparse";

type Table = readonly (readonly string[])[];

/** Rows of a CSV file; the first one is the header. */
export function parseCsv(text: string, delimiter: string): Table {
  const { data, errors } = Papa.parse<string[]>(text.replace(/^\ufeff/u, ""), {
    delimiter,
    skipEmptyLines: true,
  });
  if (errors.length > 0) throw new Error(JSON.stringify(errors.slice(0, 3)));
  return data;
}

/** The cells of the first sheet, its header first. */
export async function readFirstSheet(path: string): Promise<Table> {
  const { sheets } = await readXlsx(readFileSync(path));
  return (sheets[0]?.rows ?? []).map((cells) => cells.map((cell) => String(cell ?? "")));
}

/**
 * Formulas, links and their results in the XML of the first sheet: everything but text, numbers and
 * booleans.
 */
export function findFormulas(path: string): readonly string[] {
  return readSheetXml(path).match(/<f[\s>/]|<hyperlink|\st="(?:str|e)"/gu) ?? [];
}

function readSheetXml(path: string): string {
  const parts = CFB.read(readFileSync(path), { type: "buffer" });
  const content = CFB.find(parts, "/xl/worksheets/sheet1.xml")?.content;
  if (content === undefined) throw new Error(`${path} has no sheet`);
  return Buffer.from(content).toString("utf8");
}

/** The XML of all sheets of a workbook, the hidden ones included. */
export function readAllSheetXml(path: string): string {
  const parts = CFB.read(readFileSync(path), { type: "buffer" });
  const sheets = parts.FullPaths.filter((name: string) => name.includes("/xl/worksheets/sheet"));
  return sheets
    .map((name: string) => Buffer.from(CFB.find(parts, name)?.content ?? []).toString("utf8"))
    .join("\n");
}

/** The cells below this header. */
export function columnOf([header = [], ...rows]: Table, name: string): readonly string[] {
  const index = header.indexOf(name);
  if (index === -1) throw new Error(`no column ${name} among ${header.join(", ")}`);
  return rows.map((cells) => cells[index] ?? "");
}
