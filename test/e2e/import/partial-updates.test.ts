import { describe, expect, it } from "vitest";

import {
  openConnectionHarness,
  type ConnectionHarness,
} from "../../helpers/markets/connection-harness.ts";

/** Codes of the store's first two approved products: one without and one with a discount. */
async function openStore(): Promise<
  ConnectionHarness & { readonly plain: string; readonly reduced: string }
> {
  const harness = await openConnectionHarness({ products: 60 });
  const listed = harness.sandbox.products().filter(({ status }) => status === "approved");
  const codeWhere = (hasDiscount: boolean): string =>
    listed.find(({ has_discount: has }) => has === hasDiscount)?.product_code ?? "";
  return { ...harness, plain: codeWhere(false), reduced: codeWhere(true) };
}

const PRICE_GUARDS = ["price-drop", "price-rise", "price-scale"] as const;

describe("the body of an update", () => {
  it("has exactly the fields for which the sheet gives a value", async () => {
    const harness = await openStore();
    const { plain, reduced } = harness;
    const idOf = (code: string) =>
      harness.sandbox.products().find(({ product_code: one }) => one === code)?.id;
    const cases: readonly (readonly [sheet: string, body: object])[] = [
      [`Ürün Kodu;Fiyat\n${plain};1.234,56\n`, { product_id: idOf(plain), price: 123_456 }],
      [`Ürün Kodu;Stok\n${plain};7\n`, { product_id: idOf(plain), stock_count: 7 }],
      [
        `Ürün Kodu;Başlık;Alt Başlık;Açıklama;Fiyat;Stok;Görsel 1\n${plain};Yeni başlık;;;;;\n`,
        { product_id: idOf(plain), title: "Yeni başlık" },
      ],
      [
        `Ürün Kodu;Fiyat;İndirim Tipi;İndirim Değeri\n${reduced};;<SİL>;\n`,
        { product_id: idOf(reduced), has_discount: false },
      ],
      [
        `Product Code;Discount Type;Discount Value\n${plain};Percent off;10\n`,
        { product_id: idOf(plain), has_discount: true, discount_type: 2, discount_value: 10 },
      ],
      [
        `Product Code;Discount Value;Price\n${plain};<CLEAR>;\n`,
        { product_id: idOf(plain), has_discount: false },
      ],
    ];

    for (const [sheet, body] of cases) {
      harness.updates.length = 0;
      const run = await harness.importText(sheet, { allowed: PRICE_GUARDS });
      expect({ sheet, updates: harness.updates }).toEqual({ sheet, updates: [body] });
      expect(run.state).toBe("finished");
    }
  });

  it("skips cells that clear a required field", async () => {
    const harness = await openStore();

    const run = await harness.importText(
      `Ürün Kodu;Başlık;Stok\n${harness.plain};<SİL>;5\n${harness.reduced};<CLEAR>;\n`,
    );

    const rows = await harness.connection.journal.readRows(run.id, { limit: 10 });
    expect(
      rows.map(({ state, issues }) => `${state} ${issues.map(({ code }) => code).join(" ")}`),
    ).toEqual(["invalid E_CLEAR_REQUIRED", "invalid E_CLEAR_REQUIRED"]);
    expect(harness.updates).toEqual([]);
  });

  it("omits the stock once the store has refused it, with a note in the plan", async () => {
    const harness = await openConnectionHarness({
      products: 10,
      personality: { "update-stock": "refused" },
    });
    const [one, two, three] = harness.sandbox.products().map(({ product_code: code }) => code);

    const first = await harness.importText(`Ürün Kodu;Stok\n${one};301\n${two};302\n`);
    harness.updates.length = 0;
    const second = await harness.importText(
      `Ürün Kodu;Stok;Başlık\n${three};303;Yeni\n${one};304;\n`,
    );

    expect(first.warnings.map(({ code, message }) => `${code} ${message.tr}`)).toEqual([
      'W_FIELD_NOT_TAKEN Pazaryeri güncellemelerde "Stok" (stock_count) alanını reddediyor (2 satır). Sonraki planlarda gönderilmeyecek; yeniden denemek için --try-refused verin.',
    ]);
    expect(harness.updates).toEqual([
      { product_id: harness.sandbox.products()[2]?.id, title: "Yeni" },
    ]);
    expect(second.facts?.reading?.notes.map(({ en }) => en)).toContain(
      "Not sent in updates, because the store did not apply or refused it: Stock (stock_count); --try-refused tries again.",
    );
    expect(second.facts?.planned).toMatchObject({ update: 1, unchanged: 0 });
    expect(second.facts?.unsendable).toMatchObject({ rows: 1, partly: 1 });
  });
});
