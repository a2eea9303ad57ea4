/**
 * Formats the output of `catalog lookup` for people: a column of ids, with names and paths beside
 * them.
 */

import { EXIT, type Flags, printJson, UsageError, readFlag } from "@catalog/console";
import { wrapText } from "@catalog/console/wrap-text";
import { formatNumber, type Lang } from "@catalog/i18n";
import { findByName } from "@catalog/importer";
import { isLookupKind, LOOKUP_KINDS, type LookupKind } from "@catalog/importer/lookup-kinds";

import type { CommandContext } from "../../context.ts";
import { MAX_LOOKUP_RESULTS } from "../../flags.ts";

type LookupFindings = Awaited<ReturnType<typeof findByName>>;

export interface LookupView {
  readonly kind: LookupKind;
  /** The searched text; `undefined` when everything is listed. */
  readonly text: string | undefined;
  /** Number of results that were asked for, at most. */
  readonly limit: number;
  readonly lang: Lang;
  /** Width of the output in columns; `Infinity` keeps every result on one line. */
  readonly columns: number;
}

interface LookupTexts {
  readonly none: Readonly<Record<LookupKind, string>>;
  readonly unnamed: (text: string) => string;
  readonly nothingClose: string;
  readonly similar: string;
  readonly options: (count: number) => string;
  readonly districts: (count: number) => string;
  readonly more: (shown: number, total: number) => string;
  readonly maybeMore: (shown: number) => string;
}

const tr = (count: number): string => formatNumber(count, "tr");
const en = (count: number): string => formatNumber(count, "en");

const TEXTS: Readonly<Record<Lang, LookupTexts>> = {
  tr: {
    none: {
      categories: "Kategori yok.",
      brands: "Bu kategoride marka yok.",
      models: "Bu markanın bu kategoride modeli yok.",
      properties: "Bu kategorinin özelliği yok.",
      templates: "Mağazanın teslimat şablonu yok. Mağaza panelinden bir tane oluşturun.",
      cities: "Pazaryerinin şehir listesinde kayıt yok.",
      companies: "Pazaryerinin kargo firmaları listesinde kayıt yok.",
      addresses: "Teslimat şablonlarının kullandığı bir adres yok.",
      "order-statuses": "Pazaryerinin sipariş durumu listesinde kayıt yok.",
    },
    unnamed: (text) => `Adı ya da kimliği tam olarak “${text}” olan yok.`,
    nothingClose: "Yakın bir ad da yok. Hepsini görmek için aranan metni yazmayın.",
    similar: "Benzer adlar:",
    options: (count) => `${count} seçenek`,
    districts: (count) => `${count} ilçe`,
    more: (shown, total) =>
      `${tr(total)} kayıttan ilk ${tr(shown)} tanesi gösterildi, ${tr(total - shown)} kayıt daha var. Hepsi için --all; aramak için bir sözcük ekleyin.`,
    maybeMore: (shown) => `İlk ${tr(shown)} sonuç gösterildi. Hepsi için --all.`,
  },
  en: {
    none: {
      categories: "There are no categories.",
      brands: "There are no brands in this category.",
      models: "This brand has no models in this category.",
      properties: "This category has no properties.",
      templates: "The store has no shipping templates. Make one in the store's panel.",
      cities: "The marketplace lists no cities.",
      companies: "The marketplace lists no shipping companies.",
      addresses: "No address is used by a shipping template.",
      "order-statuses": "The marketplace lists no order statuses.",
    },
    unnamed: (text) => `Nothing has exactly the name or id “${text}”.`,
    nothingClose: "Nothing comes close either. For the whole list, leave the text out.",
    similar: "Similar names:",
    options: (count) => (count === 1 ? "1 option" : `${count} options`),
    districts: (count) => (count === 1 ? "1 district" : `${count} districts`),
    more: (shown, total) =>
      `Shown: ${en(shown)} of ${en(total)}. For all of them: --all; to search, add a word.`,
    maybeMore: (shown) => `The first ${en(shown)} results are shown. For all of them: --all.`,
  },
};

/** Formats the results, exact ones first, or states that there is none. */
export function formatFindings({ results, total }: LookupFindings, view: LookupView): string {
  const texts = TEXTS[view.lang];
  if (total === 0) return `${texts.none[view.kind]}\n`;
  if (view.text === undefined) {
    const more = texts.more(results.length, total);
    const rest =
      results.length < total ? `${wrapText(more, { columns: view.columns, indent: 0 })}\n` : "";
    return formatTable(results, view) + rest;
  }
  const similar = results.filter(({ match }) => match === "similar");
  const exact = results.filter(({ match }) => match !== "similar");
  const heading = exact.length === 0 ? `${texts.unnamed(view.text)}\n` : "";
  const closing = results.length === 0 ? `${texts.nothingClose}\n` : "";
  const others = similar.length === 0 ? "" : `${texts.similar}\n${formatTable(similar, view)}`;
  const rest = results.length === view.limit ? `${texts.maybeMore(results.length)}\n` : "";
  return heading + formatTable(exact, view) + formatOptions(exact, view) + others + closing + rest;
}

const GAP = "  ";

function formatTable(results: LookupFindings["results"], view: LookupView): string {
  const { lang, columns, kind } = view;
  const texts = TEXTS[lang];
  const countOf = kind === "cities" ? texts.districts : texts.options;
  const width = Math.max(0, ...results.map(({ id }) => id.length));
  const lines = results.map(({ id, name, path, options }) => {
    const count = options === undefined ? "" : `${GAP}(${countOf(options.length)})`;
    const line = `${id.padEnd(width)}${GAP}${path ?? name}${count}`;
    return `${wrapText(line, { columns, indent: width + GAP.length })}\n`;
  });
  return lines.join("");
}

/**
 * Lists the values of the one exact property, or the districts of the one exact city; with several
 * results they are left out.
 */
function formatOptions(exact: LookupFindings["results"], view: LookupView): string {
  const [only] = exact;
  if (exact.length !== 1 || only?.options === undefined) return "";
  const lines = only.options.map(({ id, name }) => {
    const line = `${GAP}${id}${GAP}${name}`;
    return `${wrapText(line, { columns: view.columns, indent: id.length + 2 * GAP.length })}\n`;
  });
  return lines.join("");
}

/** `catalog lookup KIND [TEXT]`: finds ids for names. */
export async function runLookupCommand(context: CommandContext, flags: Flags): Promise<number> {
  const kind = kindFlag(readFlag.text(flags, "kind"));
  const text = readFlag.text(flags, "text");
  const limit = limitFlag(flags);
  await using connection = await context.openConnection();
  const findings = await findByName(connection, {
    kind,
    text,
    category: readFlag.text(flags, "category"),
    brand: readFlag.text(flags, "brand"),
    limit,
    signal: context.stop,
  });
  if (context.json) {
    printJson(context.terminal, { command: "lookup", kind, ...findings, exit: EXIT.done });
    return EXIT.done;
  }
  const { lang, terminal } = context;
  terminal.out(formatFindings(findings, { kind, text, limit, lang, columns: terminal.outColumns }));
  return EXIT.done;
}

function limitFlag(flags: Flags): number {
  const limit = readFlag.count(flags, "limit");
  if (flags["all"] !== true) return limit ?? MAX_LOOKUP_RESULTS;
  if (limit === undefined) return Number.MAX_SAFE_INTEGER;
  throw new UsageError({
    tr: "--all ile --limit birlikte verilmez; birini seçin.",
    en: "--all and --limit exclude each other; give one of them.",
  });
}

function kindFlag(text = ""): LookupKind {
  if (isLookupKind(text)) return text;
  const kinds = LOOKUP_KINDS.join(", ");
  throw new UsageError({
    tr: `"${text}" aranamaz. Bunlar aranabilir: ${kinds}.`,
    en: `"${text}" cannot be looked up. These can: ${kinds}.`,
  });
}
