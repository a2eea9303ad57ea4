/** Tables of a plan for the terminal: the columns of the file, and the biggest changes. */

import { fieldLabel } from "@catalog/connection";
import { type Flags, readFlag } from "@catalog/console";
import { wrapText } from "@catalog/console/wrap-text";
import { formatMinor, formatNumber, formatPercentChange, type Lang } from "@catalog/i18n";
import { parseVariantTitle } from "@catalog/importer";
import {
  formatFieldValue,
  markAssumed,
  type readBiggestChanges,
  type readColumnUses,
} from "@catalog/report";
import { rowAddress, type RunSheets } from "@catalog/runs";

import type { CommandContext, FileTexts } from "./context.ts";

/** Flags override the configuration file. */
export function toFileTexts(
  { fileTexts = {} }: Pick<CommandContext, "fileTexts">,
  flags: Flags,
): FileTexts {
  const given = readFlag.text(flags, "descriptions");
  const isKnown = given === "html" || given === "text";
  const pattern = readFlag.text(flags, "variant-title");
  return {
    isVariantTitleGiven: pattern !== undefined,
    descriptions: isKnown ? given : fileTexts.descriptions,
    variantTitle: parseVariantTitle(pattern ?? fileTexts.variantTitle),
  };
}

const MAX_HEADER_WIDTH = 32;
const MAX_FIELD_WIDTH = 24;

const widthOf = (words: readonly string[], max: number): number =>
  Math.min(max, Math.max(...words.map((text) => text.length)));

/** Formats the table in lines of at most `columns`. */
export function formatColumnUses(
  uses: Awaited<ReturnType<typeof readColumnUses>>,
  { lang, columns }: { readonly lang: Lang; readonly columns: number },
): string {
  if (uses.length === 0) return "";
  const texts = COLUMN_TEXTS[lang];
  const headers = widthOf(
    uses.map(({ header }) => header),
    MAX_HEADER_WIDTH,
  );
  const fields = widthOf(
    uses.map(({ field }) => field || texts.unused),
    MAX_FIELD_WIDTH,
  );
  const lines = uses.map(({ letter, header, field, sample }) => {
    const target = (field || texts.unused).padEnd(fields);
    const line = `  ${letter.padEnd(3)}${header.padEnd(headers)}  → ${target}  ${sample}`;
    return `${wrapText(line.trimEnd(), { columns, indent: 5 })}\n`;
  });
  return `\n${texts.title}\n${lines.join("")}`;
}

const COLUMN_TEXTS = {
  tr: { title: "Hangi sütun hangi alan (örnek değerle)", unused: "kullanılmadı" },
  en: { title: "Which column is which field (with a sample)", unused: "not used" },
} as const;

const CODE_WIDTH = 22;
const VALUE_WIDTH = 13;
const PERCENT_WIDTH = 9;
const WHOLE = { maxDecimals: 0 } as const;

const CHANGE_TEXTS = {
  tr: {
    prices: (rows: number) => `En büyük fiyat değişimleri (${rows} satırdan)`,
    stocks: (rows: number) => `En büyük stok değişimleri (${rows} satırdan)`,
    others: (field: string, rows: number) => `Değişen alan: ${field} (${rows} satır)`,
    rows: (rows: number) => `${rows} satır`,
    assumed: {
      add: (names: string) =>
        `API belgelerinde eklerken gönderilebileceği yazmayan alanlar da gönderilir: ${names}. Mağazanın uygulayıp uygulamadığı geri okunarak denetlenir.`,
      update: (names: string) =>
        `API belgelerinde güncellenebileceği yazmayan alanlar da gönderilir: ${names}. Mağazanın uygulayıp uygulamadığı geri okunarak denetlenir.`,
    },
    held: "bekler",
    paid: "alıcının ödediği",
    unsure: "belli değil",
  },
  en: {
    prices: (rows: number) => `Biggest price changes (of ${rows} ${rows === 1 ? "row" : "rows"})`,
    stocks: (rows: number) => `Biggest stock changes (of ${rows} ${rows === 1 ? "row" : "rows"})`,
    others: (field: string, rows: number) =>
      `Field that changes: ${field} (${rows} ${rows === 1 ? "row" : "rows"})`,
    rows: (rows: number) => `${rows} ${rows === 1 ? "row" : "rows"}`,
    assumed: {
      add: (names: string) =>
        `Fields that the API's documents do not list for new products are sent too: ${names}. Reading back shows whether the store takes them.`,
      update: (names: string) =>
        `Fields that the API's documents do not list for updates are sent too: ${names}. Reading back shows whether the store takes them.`,
    },
    held: "held",
    paid: "buyer pays",
    unsure: "not certain",
  },
} as const;

type BiggestChanges = Awaited<ReturnType<typeof readBiggestChanges>>;

/** One line for each kind of call that sends fields of unproven capability. */
export function listAssumed(fields: BiggestChanges["fields"], lang: Lang): readonly string[] {
  const texts = CHANGE_TEXTS[lang];
  const assumed = fields.filter(({ capability }) => capability === "assumed");
  return (["add", "update"] as const).flatMap((call) => {
    const names = assumed
      .filter(({ action }) => action === call)
      .map(({ field, rows }) => nameField(field, texts.rows(rows), lang));
    return names.length === 0 ? [] : [texts.assumed[call](names.join(", "))];
  });
}

function nameField(field: string, rows: string, lang: Lang): string {
  return `${fieldLabel(field, lang)} (${rows})`;
}

/** A block of a few lines for each field that changes; empty where nothing does. */
export function formatChanges(
  { prices, stocks, others, rows, names }: Omit<BiggestChanges, "fields">,
  lang: Lang,
  file: RunSheets = {},
): string {
  const texts = CHANGE_TEXTS[lang];
  const block = (title: string, changes: BiggestChanges["prices"]): string =>
    changes.length === 0
      ? ""
      : `\n${title}\n${changes.map((change) => formatChange(change, lang, file)).join("")}`;
  return [
    block(texts.prices(rows.price), prices),
    block(texts.stocks(rows.stock_count), stocks),
    ...others.map((other) =>
      formatOther(other, { lang, names: new Map(Object.entries(names)), file }),
    ),
  ].join("");
}

/** Columns of an old and of a new value that is no number. */
const TEXT_WIDTH = 20;

interface OtherView {
  readonly lang: Lang;
  readonly names: ReadonlyMap<string, string>;
  readonly file: RunSheets;
}

function formatOther(
  { field, rows, samples }: BiggestChanges["others"][number],
  { lang, names, file }: OtherView,
): string {
  const texts = CHANGE_TEXTS[lang];
  const show = (value: unknown): string =>
    cut(
      formatFieldValue(field, value, { payload: null, lang, names }).replaceAll(/\s+/gu, " "),
      TEXT_WIDTH,
    );
  const lines = samples.map((change) => {
    const which = (change.about ?? change.code ?? "").replaceAll(/\s+/gu, " ");
    const head = ` ${rowAddress(file, change.row).padStart(5)}  ${cut(which).padEnd(CODE_WIDTH)}`;
    const held = change.isHeld ? `  ${texts.held}` : "";
    const after = markAssumed(show(change.new), change, lang);
    return `${head}${show(change.old)} → ${after}${held}\n`;
  });
  return `\n${texts.others(fieldLabel(field, lang), rows)}\n${lines.join("")}`;
}

/** At most 78 columns: address, code, old, new, percent, and whether it is held. */
function formatChange(
  change: BiggestChanges["prices"][number],
  lang: Lang,
  file: RunSheets,
): string {
  const { row, code, percent, isHeld } = change;
  const { held } = CHANGE_TEXTS[lang];
  const format = (value: number): string =>
    (change.field === "price"
      ? formatMinor(value, lang)
      : formatNumber(value, lang, WHOLE)
    ).padStart(VALUE_WIDTH);
  const parts = [
    ` ${rowAddress(file, row).padStart(5)} `,
    ` ${cut(code ?? "").padEnd(CODE_WIDTH)}`,
    format(change.old),
    " →",
    format(change.new),
    (percent === null ? "" : formatPercent(percent, lang)).padStart(PERCENT_WIDTH),
  ];
  const line = `${parts.join("").trimEnd()}${isHeld ? `  ${held}` : ""}\n`;
  return line + formatPaid(change, lang);
}

/** What the buyer pays, below the price before the discount and in its columns. */
function formatPaid({ paid }: BiggestChanges["prices"][number], lang: Lang): string {
  if (paid === undefined) return "";
  const texts = CHANGE_TEXTS[lang];
  const { old, new: next, percent } = paid;
  const after = next === null ? texts.unsure : formatMinor(next, lang);
  const parts = [
    "".padEnd(" 12345  ".length),
    texts.paid.padEnd(CODE_WIDTH),
    formatMinor(old, lang).padStart(VALUE_WIDTH),
    " →",
    after.padStart(VALUE_WIDTH),
    (percent === null ? "" : formatPercent(percent, lang)).padStart(PERCENT_WIDTH),
  ];
  return `${parts.join("").trimEnd()}\n`;
}

/** Whole percents; less than one has a decimal, since +0% would say that nothing changes. */
const formatPercent = (percent: number, lang: Lang): string =>
  formatPercentChange(percent, lang, { maxDecimals: Math.abs(percent) < 1 ? 1 : 0 });

const cut = (text: string, width = CODE_WIDTH): string =>
  text.length > width - 1 ? `${text.slice(0, width - 2)}…` : text;
