import type { Command } from "../../context.ts";

/** `catalog template`: writes a workbook to fill in, with its lists of choices. */
export const templateCommand: Command = {
  name: "template",
  positionals: [],
  describe: {
    tr: "Doldurulacak Excel şablonunu, seçim listeleriyle birlikte yazar",
    en: "Writes a workbook to fill in, with drop-down lists",
  },
  flags: {
    category: {
      type: "string",
      many: true,
      describe: {
        tr: "Kategori (ad, yol ya da kimlik; birkaç kez verilebilir, üst kategori de olur): marka, model ve özellik listeleri eklenir",
        en: "Category (name, path or id; may be repeated, and may be a parent): adds lists of brands, models and properties",
      },
    },
    kind: {
      type: "string",
      choices: ["products", "stock-price"],
      default: "products",
      describe: {
        tr: "Bütün ürün alanları ya da yalnızca stok ve fiyat",
        en: "All fields of products, or only stock and price",
      },
    },
    out: {
      type: "string",
      describe: { tr: "Yazılacak Excel dosyası (.xlsx)", en: "Workbook to write (.xlsx)" },
    },
    overwrite: {
      type: "boolean",
      describe: { tr: "Dosya varsa üzerine yaz", en: "Replace the file if it exists" },
    },
  },
  examples: [
    "template",
    {
      tr: "template --category Kaşık --out kasik.xlsx",
      en: "template --category Kaşık --out spoons.xlsx",
    },
    {
      tr: "template --category Tabak --category Bardak --out mutfak.xlsx",
      en: "template --category Tabak --category Bardak --out kitchen.xlsx",
    },
    "template --kind stock-price",
  ],
  run: async (context, flags) => (await import("./run.ts")).runTemplateCommand(context, flags),
};
