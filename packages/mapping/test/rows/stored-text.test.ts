import { describe, expect, it } from "vitest";

import { mapSheet } from "../helpers/map-sheet.ts";

describe("a default value that the store does not have", () => {
  const header =
    "SKU|Başlık|Alt Başlık|Kategori|Marka|Model|Açıklama|Fiyat|Stok|Garanti Tipi|Garanti Süresi|" +
    "Görsel 1|Kargo Şablonu";
  const file = { header, rows: [["K1"]] } as const;

  it("is named in the issue, with the command that corrects it", async () => {
    const defaults = new Map([["shipping_template", "Standart Krgo"]]);

    const { rows } = await mapSheet({ ...file, defaults });

    const [issue] = rows[0]?.asAdd?.().issues ?? [];
    expect(issue).toMatchObject({ code: "E_TEMPLATE_UNKNOWN", value: "Standart Krgo" });
    expect(issue?.message.en).toContain("its saved default “Standart Krgo”");
    expect(issue?.suggestion?.tr).toContain(
      'catalog rules default "Teslimat Şablonu" "Standart Kargo"',
    );
  });

  it("leaves the name open in the command where none is near, and asks for no rule", async () => {
    const defaults = new Map([["shipping_template", "Yokşablon"]]);

    const { mapper, rows } = await mapSheet({ ...file, defaults });

    const [issue] = rows[0]?.asAdd?.().issues ?? [];
    expect(issue?.suggestion?.en).toContain('rules default "Shipping Template" "…"');
    expect(await mapper.findOpenNames({ row: 2, cells: ["K1"] })).toEqual([]);
  });
});
