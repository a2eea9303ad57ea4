/** Formats what `catalog template` has written, for people. */

import { existsSync } from "node:fs";

import type { Connection } from "@catalog/connection";
import { EXIT, type Flags, printJson, type TextView, UsageError, readFlag } from "@catalog/console";
import { wrapText } from "@catalog/console/wrap-text";
import { InputError, type Lang, type Localized } from "@catalog/i18n";
import { makeTemplate } from "@catalog/importer";

import type { CommandContext } from "../../context.ts";
import { textsFor } from "../../texts.ts";

const TEMPLATE_TEXTS = {
  tr: {
    written: "Şablon",
    lists: "Listeler",
    noModels: "Çok fazla marka olduğu için model listesi eklenmedi; modeli elle yazın.",
    general:
      "Mağaza ayarları olmadığı için genel şablon yazıldı: kategori, marka ve teslimat listeleri yok. Listeler için önce: catalog login",
  },
  en: {
    written: "Template",
    lists: "Lists",
    noModels: "There are too many brands for a list of models; type the model yourself.",
    general:
      "There are no settings of a store, so this is the general template, without lists of categories, brands and shipping templates. For those, first: catalog login",
  },
} as const;

const LABEL_WIDTH = 11;

/** Formats the path of the workbook and its lists of choices. */
export function formatMade(
  { path, lists, lacksModels }: Awaited<ReturnType<typeof makeTemplate>>,
  lang: Lang,
  { shown = String, outColumns: columns = Infinity }: TextView,
): string {
  const texts = TEMPLATE_TEXTS[lang];
  const line = (label: string, text: string): string =>
    `${wrapText(`${label.padEnd(LABEL_WIDTH)} ${shown(text)}`, { columns, indent: LABEL_WIDTH + 1 })}\n`;
  const counted = lists.map(
    ({ column, count }) => `${column.replace(/ \*$/u, "")} (${textsFor(lang).number(count)})`,
  );
  return [
    line(texts.written, path),
    line(texts.lists, counted.join(", ")),
    lacksModels ? line("", texts.noModels) : "",
  ].join("");
}

/** `catalog template`: writes a workbook to fill in, with its lists of choices. */
export async function runTemplateCommand(context: CommandContext, flags: Flags): Promise<number> {
  const { lang, stop: signal } = context;
  const kind: WorkbookKind = flags["kind"] === "stock-price" ? "stock-price" : "products";
  const categories = readFlag.texts(flags, "category");
  const out = readFlag.text(flags, "out") ?? FILE_NAMES[kind][lang];
  const path = context.resolve(out);
  if (kind === "stock-price" && categories.length > 0) throw categoryUnused();
  refuseOtherFormats(out);
  if (flags["overwrite"] !== true) refuseToReplace(path, out);
  await using store = await openConnectionFor(context, { kind, categories });
  const { connection } = store;
  const made = await makeTemplate({ path, lang, kind, categories, connection, signal });
  if (context.json) {
    const isGeneral = connection === undefined;
    printJson(context.terminal, {
      command: "template",
      ...made,
      general: isGeneral,
      exit: EXIT.done,
    });
    return EXIT.done;
  }
  context.terminal.out(formatMade(made, lang, context.terminal));
  if (connection === undefined && kind === "products") {
    const { columns, shown } = context.terminal;
    context.terminal.err(
      `${wrapText(shown(TEMPLATE_TEXTS[lang].general), { columns, indent: 0 })}\n`,
    );
  }
  return EXIT.done;
}

const FILE_NAMES = {
  products: { tr: "urun-sablonu.xlsx", en: "product-template.xlsx" },
  "stock-price": { tr: "stok-fiyat.xlsx", en: "stock-price.xlsx" },
} as const satisfies Readonly<Record<string, Localized>>;

type WorkbookKind = keyof typeof FILE_NAMES;

/** The columns of stock and prices are the same in every category. */
const categoryUnused = (): UsageError =>
  new UsageError({
    tr: "Stok ve fiyat şablonu her kategoride aynıdır: --category yazmadan deneyin, ya da kategorinin listeleri için --kind stock-price yazmayın.",
    en: "The template of stock and prices is the same for every category: leave --category out, or leave --kind stock-price out for the lists of the category.",
  });

/** Drop-downs, notes and the guide exist only in a workbook. */
function refuseOtherFormats(out: string): void {
  if (/\.xlsx$/iu.test(out)) return;
  const name = `${out.replace(/\.[^./\\]*$/u, "")}.xlsx`;
  throw new UsageError({
    tr: `Şablon bir Excel dosyasıdır; "${out}" adıyla yazılamaz. Adı .xlsx ile bitsin: --out ${name}`,
    en: `A template is a workbook and cannot be written as "${out}". Let the name end in .xlsx: --out ${name}`,
  });
}

/** A filled-in sheet must not be overwritten by an empty one. */
function refuseToReplace(path: string, out: string): void {
  if (!existsSync(path)) return;
  throw new UsageError({
    tr: `"${out}" zaten var; üzerine yazılmadı. Üzerine yazmak için --overwrite ekleyin, ya da --out ile başka bir ad verin.`,
    en: `"${out}" exists and was not replaced. Add --overwrite to replace it, or give another name with --out.`,
  });
}

interface OpenedConnection extends AsyncDisposable {
  /** `undefined` where no store is configured and none is needed. */
  readonly connection: Connection | undefined;
}

async function openConnectionFor(
  context: CommandContext,
  wanted: { readonly kind: WorkbookKind; readonly categories: readonly string[] },
): Promise<OpenedConnection> {
  const none = { connection: undefined, [Symbol.asyncDispose]: async () => undefined };
  if (wanted.kind === "stock-price") return none;
  try {
    const connection = await context.openConnection();
    return { connection, [Symbol.asyncDispose]: () => connection[Symbol.asyncDispose]() };
  } catch (error) {
    // Without a store the closed lists still exist.
    if (error instanceof InputError && wanted.categories.length === 0) return none;
    throw error;
  }
}
