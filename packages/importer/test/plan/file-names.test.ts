import { join } from "node:path";

import { createTestConnection, startMarketplaceServer } from "@catalog/connection/testing";
import { describe, expect, it } from "vitest";

import { readFileNames } from "../../src/plan/file-names.ts";
import { planFile } from "../../src/plan/plan-file.ts";

async function createReader() {
  const market = await startMarketplaceServer();
  const test = await createTestConnection({ baseUrl: market.baseUrl });
  return {
    ...test,
    market,
    write: (text: string) => {
      const path = test.write("urunler.csv", text);
      return { path, lang: "tr", mode: "upsert" } as const;
    },
  };
}

/** Cells of products, and a file of a platform whose variants take the category of their product. */
const FILES = {
  products: [
    "Ürün Kodu;Başlık;Kategori;Renk",
    "KOD-1;Mavi fincan;Fincann;Mavi",
    "KOD-2;Beyaz fincan;fincann;Beyaz",
    "KOD-3;Bardak;Bardaklar;",
    "KOD-4;Fincan;Fincan;Mor",
  ],
  variants: [
    "Handle,Title,Vendor,Product Category,Variant SKU,Variant Price,Option1 Name,Option1 Value,Image Src",
    "kupa,Kupa,Kuzey,Home > Mugs,K-1,10,Renk,Mavi,",
    "kupa,,,,K-2,10,Renk,Mor,",
    "tabak,Tabak,Kuzey,Home > Plates,T-1,20,,,",
  ],
} as const;

describe("readFileNames", () => {
  it.each(Object.entries(FILES))(
    "lists the open names that a plan of %s finds",
    async (_, lines) => {
      const { connection, folder, write } = await createReader();
      const file = write(lines.join("\n"));

      const { names } = await readFileNames(connection, file);

      expect(await connection.runs.list(9)).toEqual([]);
      const reportDir = join(folder, "sonuc", "{run}");
      const run = await planFile(connection, { ...file, command: "plan", reportDir });
      expect(names).toEqual(run.facts?.reading?.openNames);
      expect(names.length).toBeGreaterThan(1);
    },
  );

  it("lists what a name may be given, and tells the platform of the file", async () => {
    const { connection, write } = await createReader();

    const { names, platform, targetsOf } = await readFileNames(
      connection,
      write(FILES.products.join("\n")),
    );
    const shop = await readFileNames(connection, write(FILES.variants.join("\n")));

    expect(names.map(({ field, value, rows, titles }) => [field, value, rows, titles])).toEqual([
      ["category", "Fincann", 2, ["Mavi fincan", "Beyaz fincan"]],
      ["category", "Bardaklar", 1, ["Bardak"]],
      ["property:Renk", "Mor", 1, ["Fincan"]],
    ]);
    expect([platform, shop.platform]).toEqual([undefined, "shopify"]);
    expect(await targetsOf({ field: "category", value: "Fincann" })).toEqual([
      { id: "c-1", target: "Ev > Fincan" },
    ]);
    expect(await targetsOf({ field: "property:Renk", value: "Mor" })).toEqual([
      { id: "o-1", target: "Mavi" },
    ]);
  });
});
