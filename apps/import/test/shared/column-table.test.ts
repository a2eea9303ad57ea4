import { createTestConnection, storeRun } from "@catalog/connection/testing";
import { NOTHING_PLANNED } from "@catalog/report";
import { expect, it } from "vitest";

import { formatColumnUses, readColumnUses } from "../../src/planned-tables.ts";

it("shows each column with its field and the first value that is not empty", async () => {
  const { connection } = await createTestConnection();
  const stored = await storeRun(connection, {
    header: ["Stok Kodu", "Satış", "Renk", "KDV", "", "Handle"],
    rows: [{ cells: ["A-1", null, "", 20] }, { cells: ["A-2", 12.5, "Mavi", 20, "x", "kupa"] }],
  });
  const columns = {
    profile: null,
    columns: {},
    chosen: [],
    constants: { currency: "TL" },
    decimal: null,
    used: ["product_code", "price", "property:Renk", "-", "?", "variants"],
  };
  const run = {
    ...stored,
    progress: { reading: { defaults: [["sub_title", "Mağazamızdan"] as const] } },
    facts: {
      readBy: "listing",
      priceUnit: "minor",
      planned: NOTHING_PLANNED,
      reading: { notes: [], openNames: [], columns },
    } as const,
  };

  const uses = await readColumnUses(connection, run);

  expect(formatColumnUses(uses, { lang: "tr", columns: 100 })).toMatchInlineSnapshot(`
    "
    Hangi sütun hangi alan (örnek değerle)
      A  Stok Kodu                    → Ürün Kodu      A-1
      B  Satış                        → Fiyat          12.5
      C  Renk                         → Özellik: Renk  Mavi
      D  KDV                          → kullanılmadı   20
      F  Handle                       → (varyantlar)   kupa
         (bütün satırlar)             → Para Birimi    TL
         (yeni ürünlerde varsayılan)  → Alt Başlık     Mağazamızdan
    "
  `);
  expect(formatColumnUses([], { lang: "tr", columns: 100 })).toBe("");
});
