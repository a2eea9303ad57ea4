import { existsSync } from "node:fs";

import type { Connection } from "@catalog/connection";
import { UsageError, type Flags, EXIT, textFlag, printJson } from "@catalog/console";
import { wrapText } from "@catalog/console/wrap-text";
import { type Lang, type Localized, InputError } from "@catalog/i18n";
import { makeTemplate, type MadeTemplate, type WorkbookKind } from "@catalog/importer";

import type { CommandContext } from "../../context.ts";
import { textsFor } from "../../shared/texts.ts";

/** `catalog template`: writes a workbook to fill in, with its lists of choices. */
export async function runTemplateCommand(context: CommandContext, flags: Flags): Promise<number> {
  const { lang, stop: signal } = context;
  const kind: WorkbookKind = flags["kind"] === "stock-price" ? "stock-price" : "products";
  const category = textFlag(flags, "category");
  const path = context.resolve(textFlag(flags, "out") ?? FILE_NAMES[kind][lang]);
  refuseToReplace(path);
  await using store = await openConnectionFor(context, { kind, category });
  const { connection } = store;
  const made = await makeTemplate({ path, lang, kind, category, connection, signal });
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
  context.terminal.out(formatMade(made, lang, context.terminal.outColumns));
  if (connection === undefined && kind === "products") {
    const { columns } = context.terminal;
    context.terminal.err(`${wrapText(TEXTS[lang].general, { columns, indent: 0 })}\n`);
  }
  return EXIT.done;
}

const FILE_NAMES: Readonly<Record<WorkbookKind, Localized>> = {
  products: { tr: "urun-sablonu.xlsx", en: "product-template.xlsx" },
  "stock-price": { tr: "stok-fiyat.xlsx", en: "stock-price.xlsx" },
};

/** A filled-in sheet must not be overwritten by an empty one. */
function refuseToReplace(path: string): void {
  if (!existsSync(path)) return;
  throw new UsageError({
    tr: `"${path}" zaten var; üzerine yazılmadı. Başka bir ad verin: --out yeni.xlsx`,
    en: `"${path}" is there already and was not replaced. Give another name: --out new.xlsx`,
  });
}

interface OpenedConnection extends AsyncDisposable {
  /** `undefined` where no store is configured and none is needed. */
  readonly connection: Connection | undefined;
}

async function openConnectionFor(
  context: CommandContext,
  wanted: { readonly kind: WorkbookKind; readonly category: string | undefined },
): Promise<OpenedConnection> {
  const none = { connection: undefined, [Symbol.asyncDispose]: async () => undefined };
  if (wanted.kind === "stock-price") return none;
  try {
    const connection = await context.openConnection();
    return { connection, [Symbol.asyncDispose]: () => connection[Symbol.asyncDispose]() };
  } catch (error) {
    // Without a store the closed lists still exist.
    if (error instanceof InputError && wanted.category === undefined) return none;
    throw error;
  }
}

const TEXTS = {
  tr: {
    written: "Şablon",
    lists: "Listeler",
    noModels:
      "Bu kategoride çok fazla marka olduğu için model listesi eklenmedi; modeli elle yazın.",
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

function formatMade(
  { path, lists, lacksModels }: MadeTemplate,
  lang: Lang,
  columns: number,
): string {
  const texts = TEXTS[lang];
  const line = (label: string, text: string): string =>
    `${wrapText(`${label.padEnd(LABEL_WIDTH)} ${text}`, { columns, indent: LABEL_WIDTH + 1 })}\n`;
  const counted = lists.map(
    ({ column, count }) => `${column.replace(/ \*$/u, "")} (${textsFor(lang).number(count)})`,
  );
  return [
    line(texts.written, path),
    line(texts.lists, counted.join(", ")),
    lacksModels ? line("", texts.noModels) : "",
  ].join("");
}
