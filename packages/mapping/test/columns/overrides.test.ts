import { describe, expect, it } from "vitest";

import { mapColumns } from "../../src/columns/map-columns.ts";
import { findDefaultProblem } from "../../src/columns/overrides.ts";
import { findNamedField } from "../../src/fields/fields.ts";

describe("fields with a default value", () => {
  it.each([
    ["sub_title", "sub_title"],
    ["Alt Başlık", "sub_title"],
    ["teslimat şablonu *", "shipping_template"],
    ["Warranty Type", "warranty_type"],
  ])("are found by %s", (name, key) => {
    expect(findNamedField(name)).toMatchObject({ key, takesDefault: true });
  });

  it.each(["Fiyat", "stock", "product_code", "Para Birimi", "Kategori", "Görsel 1", "x"])(
    "are not %s",
    (name) => {
      expect(findNamedField(name)?.takesDefault).not.toBe(true);
    },
  );
});

describe("a default value", () => {
  it("must be a word of the field's list, where it has one", () => {
    expect(findDefaultProblem("warranty_type", "Garantisiz")).toBeUndefined();
    expect(findDefaultProblem("warranty_period", "2 yıl")).toBeUndefined();
    expect(findDefaultProblem("sub_title", "her şey")).toBeUndefined();
    expect(findDefaultProblem("warranty_type", "Ömürlük")?.tr).toContain("“Garantisiz”");
  });

  it("gives way to a value for all rows", () => {
    const { defaults } = mapColumns({
      sheet: "S",
      headerRow: 1,
      header: ["Ürün Kodu"],
      constants: new Map([["sub_title", "elle"]]),
      defaults: new Map([
        ["sub_title", "hep"],
        ["warranty_type", "Garantisiz"],
        ["price", "5"],
      ]),
    });

    expect([...defaults]).toEqual([["warranty_type", "Garantisiz"]]);
  });
});
