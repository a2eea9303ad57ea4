/** `catalog explain --product CODE`: what has changed of one product, by whom and when. */

import { EXIT, type Flags, printJson, readFlag } from "@catalog/console";
import { wrapText } from "@catalog/console/wrap-text";
import { formatDateTime, type Lang } from "@catalog/i18n";
import { createProductHistory } from "@catalog/importer";

import type { CommandContext } from "../../context.ts";
import { findProduct } from "../../find-product.ts";

type History = ReturnType<typeof createProductHistory>;
type ProductChange = Awaited<ReturnType<History["read"]>>[number];

interface ProductTexts {
  readonly origins: Readonly<Record<"page" | "terminal" | "schedule", string>>;
  readonly others: string;
  readonly unknown: string;
  readonly none: string;
  readonly undo: (code: string) => string;
}

const TEXTS: Readonly<Record<Lang, ProductTexts>> = {
  tr: {
    origins: { page: "sayfa", terminal: "komut satırı", schedule: "zamanlama" },
    others: "bu programın dışından",
    unknown: "kim olduğu bilinmiyor",
    none: "Kayıtlarda bu ürünün bir değişikliği yok.",
    undo: (code) => `Hepsini geri almak için: catalog undo --product ${code}`,
  },
  en: {
    origins: { page: "page", terminal: "command line", schedule: "schedule" },
    others: "not by this program",
    unknown: "maker not known",
    none: "The records have no change of this product.",
    undo: (code) => `To take all of them back: catalog undo --product ${code}`,
  },
};

/** Shows the changes, the latest first. */
export async function runExplainProduct(context: CommandContext, flags: Flags): Promise<number> {
  const { terminal, lang, json } = context;
  const code = readFlag.text(flags, "product") ?? "";
  await using connection = await context.openConnection();
  const id = await findProduct(connection, code);
  const changes = await createProductHistory(connection).read(id, lang);
  if (json) {
    printJson(terminal, {
      command: "explain",
      exit: EXIT.done,
      product_id: id,
      changes: changes.map(toJson),
    });
    return EXIT.done;
  }
  const { outColumns: columns } = terminal;
  for (const change of changes) {
    terminal.out(
      `${wrapText(terminal.shown(formatChange(change, lang)), { columns, indent: 2 })}\n`,
    );
  }
  const texts = TEXTS[lang];
  const canUndo = changes.some(({ undoField }) => undoField !== null);
  if (changes.length === 0) terminal.out(`${texts.none}\n`);
  else if (canUndo) terminal.out(`\n${wrapText(texts.undo(code), { columns, indent: 2 })}\n`);
  return EXIT.done;
}

const toJson = (change: ProductChange): Readonly<Record<string, unknown>> => ({
  at: new Date(change.atMs).toISOString(),
  by: change.ours === undefined ? "others" : "ours",
  origin: change.ours?.run.maker?.origin ?? null,
  user: change.ours?.run.maker?.user ?? null,
  run: change.ours?.run.id ?? null,
  row: change.ours?.row ?? null,
  field: change.field,
  label: change.label,
  before: change.before,
  after: change.after,
});

function formatChange(change: ProductChange, lang: Lang): string {
  const time = formatDateTime(change.atMs, lang, { dateStyle: "short", timeStyle: "short" });
  const { before, after, label } = change;
  const values = after === null && before === null ? "" : `: ${before ?? "–"} → ${after ?? "–"}`;
  return `${time}  ${label}${values}  (${describeMaker(change, lang)})`;
}

function describeMaker({ ours }: ProductChange, lang: Lang): string {
  const texts = TEXTS[lang];
  if (ours === undefined) return texts.others;
  const { maker, id } = ours.run;
  const by =
    maker === undefined ? [texts.unknown] : [texts.origins[maker.origin], maker.user ?? []];
  return [...by.flat(), id].join(" · ");
}
