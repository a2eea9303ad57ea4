/** The lists of shipping, on the terminal, as one document or as the file of an export. */

import { EXIT, type Flags, printJson, readFlag, UsageError } from "@catalog/console";
import { wrapText } from "@catalog/console/wrap-text";
import { readExport } from "@catalog/exporter";
import { formatNumber, type Lang, quoteWord } from "@catalog/i18n";

import type { CommandContext } from "../../context.ts";
import { fitTerminal, textsFor } from "../export/progress.ts";
import {
  formatResumeCommand,
  readExportOptions,
  rememberUnit,
  runExportCommand,
  watchExport,
} from "../export/run.ts";
import { isShippingList, SHIPPING_FLAGS, SHIPPING_LISTS, type ShippingList } from "./index.ts";

type Table = NonNullable<Awaited<ReturnType<typeof readExport>>["table"]>;
type Cell = Table["rows"][number][number];

/** `catalog shipping LIST`. */
export async function runShippingCommand(context: CommandContext, flags: Flags): Promise<number> {
  const list = readList(flags);
  const given = toExportFlags(list, flags);
  if (given["out"] !== undefined) return await runExportCommand(context, given);
  return await printList(context, given, list);
}

const readList = (flags: Flags): ShippingList => {
  const word = String(flags["list"]);
  if (isShippingList(word)) return word;
  const lists = Object.keys(SHIPPING_LISTS).join(", ");
  throw new UsageError({
    tr: `"${word}" listelenemez. Bunlar listelenebilir: ${lists}.`,
    en: `"${word}" cannot be listed. These can: ${lists}.`,
  });
};

/** The flags of the export that reads the list. */
function toExportFlags(list: ShippingList, flags: Flags): Flags {
  const { list: _list, what: _what, file: _file, ...own } = flags;
  const [what, file] = [readFlag.text(flags, "what"), readFlag.text(flags, "file")];
  const given = { ...own, kind: SHIPPING_LISTS[list] };
  if (list === "prices") {
    if (file !== undefined) throw createStray(file);
    if (what === undefined && flags["package"] === undefined) throw createNoPackages();
    return what === undefined ? given : { ...given, packages: what };
  }
  if (what === undefined) return given;
  if (list !== "templates" || what !== "export") throw createStray(what);
  const out = flags["out"] ?? file;
  if (out !== undefined) return { ...given, out };
  throw new UsageError({
    tr: "Yazılacak dosyayı verin: catalog shipping templates export sablonlar.xlsx",
    en: "Give the file to write: catalog shipping templates export templates.xlsx",
  });
}

const createNoPackages = (): UsageError =>
  new UsageError({
    tr: "Paketleri verin: catalog shipping prices paketler.xlsx ya da --package PAKET-ID. Dosyayı catalog export orders --per package yazar.",
    en: "Give the packages: catalog shipping prices packages.xlsx, or --package PACKAGE-ID. catalog export orders --per package writes the file.",
  });

const createStray = (word: string): UsageError =>
  new UsageError({
    tr: `"${word}" burada bir şey demek değil. Yazılışı: catalog shipping --help`,
    en: `"${word}" means nothing here. How it is written: catalog shipping --help`,
  });

async function printList(
  context: CommandContext,
  flags: Flags,
  list: ShippingList,
): Promise<number> {
  const options = await readExportOptions(context, flags);
  await using connection = await context.openConnection();
  await rememberUnit(connection, options);
  const packages = readFlag.text(flags, "packages");
  const files = packages === undefined ? [] : [quoteWord(packages)];
  const { packages: _, ...others } = flags;
  const resume = (): string =>
    formatResumeCommand(others, SHIPPING_FLAGS, ["shipping", list, ...files]);
  const { kind } = options;
  const read = await watchExport(context, connection, { kind, resume }, (onEvent) =>
    readExport(connection, { ...options, isForPrograms: context.json, onEvent }),
  );
  const shown = { list, columns: options.columns === undefined ? SHOWN[list] : undefined };
  return show(context, read, { ...shown, resume });
}

interface ShownList {
  readonly list: ShippingList;
  /** @default all that are filled */
  readonly columns: readonly string[] | undefined;
  readonly resume: () => string;
}

/** Prints what was read; returns the exit code. */
function show(
  { terminal, lang, json }: CommandContext,
  { table, rows, isWhole, warnings: all }: Awaited<ReturnType<typeof readExport>>,
  { list, columns, resume }: ShownList,
): number {
  const warnings = all.map((warning) => warning[lang]);
  const finishedExit = isWhole ? EXIT.done : EXIT.someFailed;
  const exit = table === undefined ? EXIT.interrupted : finishedExit;
  if (json) {
    const records = table === undefined ? [] : toRecords(table);
    const counts = { rows };
    printJson(terminal, { command: "shipping", list, exit, counts, rows: records, warnings });
    return exit;
  }
  for (const warning of warnings) terminal.err(`${fitTerminal(terminal, `! ${warning}`)}\n`);
  if (table === undefined) {
    const texts = textsFor(lang);
    terminal.err(`${texts.stopped(rows)}\n${texts.goOn(resume())}\n`);
    return exit;
  }
  terminal.out(formatTable(table, { columns, lang, width: terminal.outColumns }));
  if (list === "prices" && table.rows.length > 0) terminal.err(`${CHEAPEST[lang]}\n`);
  return exit;
}

const toRecords = ({ columns, rows }: Table): readonly Readonly<Record<string, Cell>>[] =>
  rows.map((row) => Object.fromEntries(columns.map(({ key }, index) => [key, row[index] ?? null])));

const readCell = ({ columns }: Table, row: readonly Cell[], key: string): Cell =>
  row[columns.findIndex((column) => column.key === key)] ?? null;

/** The columns that a terminal shows unasked. @default all that are filled */
const SHOWN: Readonly<Partial<Record<ShippingList, readonly string[]>>> = {
  templates: [
    "template_name",
    "free_shipping",
    "shipping_time",
    "sender_address",
    "shipping_companies",
    "shipping_template_id",
  ],
};

/** Said by a warning, or by the mark at the cheapest. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  "amount_unit",
  "cheapest_price",
  "cheapest_company",
]);

interface TableView {
  readonly columns: readonly string[] | undefined;
  readonly lang: Lang;
  /** In characters. */
  readonly width: number;
}

const CHEAPEST: Readonly<Record<Lang, string>> = { tr: "* en ucuz", en: "* cheapest" };

const EMPTY: Readonly<Record<Lang, string>> = {
  tr: "Pazaryeri kayıt vermedi.",
  en: "The marketplace gave no records.",
};

const GAP = "  ";

/** A line for each row, or a paragraph where the lines would be too long. */
export function formatTable(table: Table, { columns: wanted, lang, width }: TableView): string {
  if (table.rows.length === 0) return `${EMPTY[lang]}\n`;
  const shown = table.columns.flatMap((column, index) => {
    const isFilled = table.rows.some((row) => (row[index] ?? null) !== null);
    const isShown = wanted?.includes(column.key) ?? (isFilled && !LEFT_OUT.has(column.key));
    return isShown ? [{ ...column, index }] : [];
  });
  if (wanted !== undefined) {
    shown.sort((a, b) => wanted.indexOf(a.key) - wanted.indexOf(b.key));
  }
  const lines = table.rows.map((row) => {
    const cheapest = readCell(table, row, "cheapest_price");
    return shown.map(({ key, index, isMoney }) => {
      const cell = row[index] ?? null;
      const isCheapest = key.startsWith("price.") && cell !== null && cell === cheapest;
      return `${formatCell(cell, isMoney, lang)}${isCheapest ? " *" : ""}`;
    });
  });
  const heads = shown.map(({ header }) => header);
  const widths = heads.map((head, at) =>
    Math.max(head.length, ...lines.map((line) => line[at]?.length ?? 0)),
  );
  const total = widths.reduce((all, one) => all + one + GAP.length, 0);
  if (total > width) return lines.map((line) => formatParagraph(heads, line, width)).join("\n");
  const toLine = (cells: readonly string[]): string =>
    `${cells
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join(GAP)
      .trimEnd()}\n`;
  return [heads, ...lines].map(toLine).join("");
}

function formatParagraph(
  heads: readonly string[],
  cells: readonly string[],
  width: number,
): string {
  const filled = cells.flatMap((cell, at) => (cell === "" ? [] : [`${heads[at] ?? ""}: ${cell}`]));
  const lines = filled.map((line, at) => {
    const indent = at === 0 ? 0 : GAP.length;
    return wrapText(`${" ".repeat(indent)}${line}`, { columns: width, indent: 2 * GAP.length });
  });
  return `${lines.join("\n")}\n`;
}

const YES_NO: Readonly<Record<Lang, { readonly yes: string; readonly no: string }>> = {
  tr: { yes: "evet", no: "hayır" },
  en: { yes: "yes", no: "no" },
};

function formatCell(cell: Cell, isMoney: boolean, lang: Lang): string {
  if (cell === null) return "";
  if (typeof cell === "number") {
    return isMoney ? formatNumber(cell, lang, { minDecimals: 2, maxDecimals: 2 }) : String(cell);
  }
  if (typeof cell === "boolean") return cell ? YES_NO[lang].yes : YES_NO[lang].no;
  return cell
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join(" / ");
}
