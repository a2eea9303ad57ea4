import { InputError, type Localized } from "@catalog/i18n";
import { describe, expect, it } from "vitest";

import { chooseColumns } from "../../src/columns/choose-columns.ts";

const column = (key: string, tr: string, en: string) => ({
  key,
  header: { tr, en },
  cell: () => "",
});

const COLUMNS = [
  column("title", "Başlık *", "Title *"),
  column("brand_name", "Marka", "Brand"),
  column("brand", "Marka ID", "Brand ID"),
  column("stock", "Stok", "Stock"),
  ...["1", "2", "3"].map((n) => column(`image_${n}`, `Görsel ${n}`, `Image ${n}`)),
  column("paid_price", "Satış Tutarı, birimi bilinmiyor", "Paid Price, unit unknown"),
];

function complain(...wanted: readonly string[]): Localized {
  try {
    chooseColumns(COLUMNS, wanted);
  } catch (error) {
    if (error instanceof InputError) return error.localized;
    throw error;
  }
  throw new Error("not refused");
}

const LISTED = "Sütunlar: Başlık, Marka, Marka ID, Stok, Görsel 1-3, paid_price";

describe("chooseColumns", () => {
  it("takes keys and headers of both languages, in the given order", () => {
    const chosen = chooseColumns(COLUMNS, ["stock", "Başlık", "Brand ID"]);

    expect(chosen.map(({ key }) => key)).toEqual(["stock", "title", "brand"]);
  });

  it("names the nearest columns before the short list of all", () => {
    expect(complain("marca")).toEqual({
      tr: `--columns: “marca” diye bir sütun yok. Bunlardan biri mi: “Marka”, “Marka ID”?\n${LISTED}`,
      en: "--columns: there is no column “marca”. Did you mean one of these: “Brand”, “Brand ID”?\nThe columns: Title, Brand, Brand ID, Stock, Image 1-3, paid_price",
    });
  });

  it("names every unknown column at once, with the nearest one of each", () => {
    expect(complain("sto", "title", "baslik2", "foo").tr).toBe(
      `--columns: “sto”, “baslik2”, “foo” diye sütun yok. Bunlardan biri mi: “Stok”, “Başlık”?\n${LISTED}`,
    );
  });

  it("asks about a single near column as about one", () => {
    const { tr, en } = complain("stoc");

    expect([tr, en]).toEqual([
      expect.stringContaining(" Bunu mu demek istediniz: “Stok”?"),
      expect.stringContaining(" Did you mean “Stock”?"),
    ]);
  });

  it("lists the columns only where no name is near", () => {
    expect(complain("foo").tr).toBe(`--columns: “foo” diye bir sütun yok.\n${LISTED}`);
  });
});
