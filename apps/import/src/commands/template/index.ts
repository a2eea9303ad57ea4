import type { Command } from "../../context.ts";

/** `catalog template`: writes a workbook to fill in, with its lists of choices. */
export const templateCommand: Command = {
  name: "template",
  positionals: [],
  describe: {
    tr: "Doldurulacak Excel şablonunu, seçim listeleriyle birlikte yazar",
    en: "Writes the workbook to be filled in, with its drop-down lists",
  },
  flags: {
    category: {
      type: "string",
      describe: {
        tr: "Şablonun kategorisi (ad, yol ya da kimlik): marka, model ve özellik listeleri",
        en: "Category (name, path or id): adds lists of brands, models, properties",
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
      describe: { tr: "Yazılacak dosya", en: "File to write" },
    },
  },
  examples: [
    "template",
    'template --category "Ev > Mutfak > Kaşık" --out kasik.xlsx',
    "template --kind stock-price",
  ],
  run: async (context, flags) => (await import("./run.ts")).runTemplateCommand(context, flags),
};
