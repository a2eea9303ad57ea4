import { describe, expect, it } from "vitest";

import type { ColumnMapping } from "../../src/columns/column-mapping.ts";
import { createHeaderReport } from "../../src/columns/header-matcher.ts";
import { chooseColumns, mapColumns } from "../../src/columns/map-columns.ts";
import {
  type ColumnTarget,
  type FieldKey,
  FIELDS,
  type HeaderMatch,
  RANK,
} from "../../src/fields/fields.ts";
import { HEADER_SETS } from "../helpers/header-sets.ts";
import { brief } from "../helpers/map-sheet.ts";

const match = (field: FieldKey, rank: number): HeaderMatch => ({
  target: { kind: "field", field },
  rank,
});

/** The targets of columns A, B, C …, the beaten columns, and the reported issues. */
const choose = (
  ...matches: readonly HeaderMatch[]
): readonly [readonly ColumnTarget[], readonly string[]] => {
  const reports: string[] = [];
  const { report } = createHeaderReport({ sheet: "S", headerRow: 1, headers: [] });
  const { targets, beaten } = chooseColumns({
    matches,
    refused: new Set([3]),
    report: (text, index, params) => {
      reports.push(`${index} ${text}`);
      return report(text, index, params);
    },
  });
  return [
    targets,
    [...beaten.map(({ index, winner }) => `${index} beaten by ${winner}`), ...reports],
  ];
};

const stock: ColumnTarget = { kind: "field", field: "stock" };
const unused: ColumnTarget = { kind: "unused" };

it("keeps the most certain of three columns and reports the other two", () => {
  const [targets, reports] = choose(
    match("stock", RANK.header),
    match("stock", RANK.alias),
    match("stock", RANK.header),
  );

  expect(targets).toEqual([stock, unused, unused]);
  expect(reports).toEqual(["1 beaten by 0", "2 E_COLUMN_TWICE"]);
});

it("does not choose a refused column", () => {
  const [targets, reports] = choose(
    match("title", RANK.header),
    match("price", RANK.header),
    match("stock", RANK.alias),
    match("stock", RANK.chosen),
  );

  expect(targets.slice(2)).toEqual([stock, unused]);
  expect(reports).toEqual([]);
});

const map = (header: string, options: Partial<Parameters<typeof mapColumns>[0]> = {}) =>
  mapColumns({ sheet: "S", headerRow: 3, header: header.split("|"), ...options });

const fieldsOf = (mapping: ColumnMapping): Record<string, string> =>
  Object.fromEntries(
    mapping.columns.flatMap(({ target, header }) =>
      target.kind === "field" ? [[target.field, header]] : [],
    ),
  );

const kindsOf = (mapping: ColumnMapping): readonly string[] =>
  mapping.columns.map(({ target }) => (target.kind === "field" ? target.field : target.kind));

it.each(HEADER_SETS)(
  "the header sets of sellers maps $name without a question",
  ({ header, expected }) => {
    const mapping = mapColumns({ sheet: "S", headerRow: 1, header });

    expect(mapping.issues).toEqual([]);
    expect(fieldsOf(mapping)).toEqual(expected);
  },
);

const headersOf = (mapping: ColumnMapping, code: string): readonly string[] =>
  mapping.warnings.filter((warning) => warning.code === code).map(({ column }) => column);

describe("unmapped headers of sellers' files", () => {
  for (const { name, header, suggested = {}, ...set } of HEADER_SETS) {
    it(`are reported as expected for ${name}`, () => {
      const { neverSent = [], beaten = [], otherIds = [] } = set;
      const mapping = mapColumns({ sheet: "S", headerRow: 1, header });

      const hints = mapping.columns.flatMap(({ header: text, target }) =>
        target.kind === "unknown" && target.suggestion !== undefined
          ? [[text, target.suggestion]]
          : [],
      );
      expect(headersOf(mapping, "W_COLUMN_NOT_SENT")).toEqual(neverSent);
      expect(headersOf(mapping, "W_COLUMN_UNUSED")).toEqual(beaten);
      expect(headersOf(mapping, "W_COLUMN_OTHER_ID")).toEqual(otherIds);
      expect(Object.fromEntries(hints)).toEqual(suggested);
    });
  }

  it("never suggests a field for a header of two letters", () => {
    for (const header of ["Ad", "No", "KG", "Ty", "SK", "İd"]) {
      const [column] = map(`SKU|${header}`).columns.slice(1);
      expect(column?.target).not.toHaveProperty("suggestion");
    }
  });
});

describe("two columns for one field", () => {
  it("are an error at the second one when their ranks are equal", () => {
    const mapping = map("Ürün Kodu|Ürün Adı|Ürün Başlığı");

    expect(brief(mapping.issues)).toEqual(["C3 E_COLUMN_TWICE"]);
    expect(mapping.issues[0]?.message.en).toContain("B and C");
    expect(kindsOf(mapping)).toEqual(["product_code", "title", "unused"]);
  });

  it("give the field to its own header, with a warning at the alias", () => {
    const mapping = map("Ürün Adı|Başlık|Ürün Kodu");

    expect(mapping.issues).toEqual([]);
    expect(brief(mapping.warnings)).toEqual(["A3 W_COLUMN_UNUSED"]);
    expect(kindsOf(mapping)).toEqual(["unused", "title", "product_code"]);
  });

  it("lead to a question when both can be the seller's code", () => {
    expect(brief(map("Ürün Kodu|Stok Kodu").issues)).toEqual(["B3 E_COLUMN_TWICE"]);
  });

  it("are resolved by a person's choice", () => {
    const overrides = new Map([["Stok Kodu", "product_code"]]);
    const mapping = map("Ürün Kodu|Stok Kodu", { overrides });

    expect(mapping.issues).toEqual([]);
    expect(kindsOf(mapping)).toEqual(["unused", "product_code"]);
  });

  it("are an error for properties too", () => {
    const mapping = map("SKU|Özellik: Renk|property:renk");

    expect(brief(mapping.issues)).toEqual(["C3 E_COLUMN_TWICE"]);
  });

  it("are allowed for numbered images beside a list of images", () => {
    expect(map("SKU|Görsel 1|Görsel 2|Resimler").issues).toEqual([]);
  });
});

describe("headers that cannot be used", () => {
  it("reports a header that occurs twice only once", () => {
    const mapping = map("SKU|Fiyat|Fiyat|Renk|Renk");

    expect(brief(mapping.issues)).toEqual(["C3 E_HEADER_DUP", "E3 E_HEADER_DUP"]);
  });

  it.each(["__proto__", "constructor", "prototype", "toString", "__parsed_extra"])(
    "refuses the header %s",
    (header) => {
      const mapping = map(`SKU|${header}`);

      expect(brief(mapping.issues)).toEqual(["B3 E_HEADER_NAME"]);
      expect(kindsOf(mapping)).toEqual(["product_code", "unused"]);
    },
  );

  it("requires a product code or a product id", () => {
    expect(brief(map("Fiyat|Stok").issues)).toEqual(["A3 E_COLUMN_MISSING"]);
    expect(map("Ürün ID|Stok").issues).toEqual([]);
  });
});

describe("headers that are not used", () => {
  it("are reported once per column, except those of result files", () => {
    const mapping = map("SKU|Barkod|Renk||Sonuç|Hata|Öneri");

    expect(brief(mapping.warnings)).toEqual(["B3 W_COLUMN_NOT_SENT", "C3 W_COLUMN_UNKNOWN"]);
    expect(kindsOf(mapping).slice(4)).toEqual(["own-result", "own-result", "own-result"]);
  });

  it("include the second product id of a result file", () => {
    const mapping = map("Ürün ID|SKU|Sonuç|Ürün ID|Hata Kodu");

    expect(mapping.issues).toEqual([]);
    expect(kindsOf(mapping)[3]).toBe("own-result");
  });

  it("get a suggestion only while no column has the field", () => {
    const [open] = map("SKU|Model Kodu").warnings;
    const [taken] = map("SKU|Model Kodu|Model").warnings;

    expect(open?.suggestion?.tr).toContain('--map "Model Kodu=Model"');
    expect(taken?.code).toBe("W_COLUMN_UNKNOWN");
    expect(taken?.suggestion).toBeUndefined();
  });
});

describe("the row of machine keys", () => {
  it("takes precedence over the headers", () => {
    const below = ["product_code", "price", "property:Renk"];
    const mapping = map("Stok|Başlık|Fiyat", { below });

    expect(mapping.hasKeyRow).toBe(true);
    expect(kindsOf(mapping)).toEqual(["product_code", "price", "property"]);
  });

  it("leaves a column without a key to its header", () => {
    const mapping = map("Kod|Stok", { below: ["product_code", null] });

    expect(kindsOf(mapping)).toEqual(["product_code", "stock"]);
  });

  it("distinguishes columns of one name", () => {
    const mapping = map("Kod|Foto|Foto", { below: ["product_code", "image_1", "image_2"] });

    expect(mapping.issues).toEqual([]);
  });

  it("is absent when the row below the header is data", () => {
    const mapping = map("SKU|Fiyat", { below: ["K1", "1,5"] });

    expect(mapping.hasKeyRow).toBe(false);
  });
});

describe("a person's choice of columns", () => {
  it("maps a header in any case, and leaves a column out", () => {
    const overrides = new Map([
      ["tutar", "price"],
      ["Fiyat", "-"],
      ["Ton", "property:Renk"],
    ]);
    const mapping = map("SKU|Tutar|Fiyat|Ton", { overrides });

    expect(kindsOf(mapping)).toEqual(["product_code", "price", "unused", "property"]);
    expect([...mapping.issues, ...mapping.warnings]).toEqual([]);
  });

  it("reports an unknown field with the closest known one", () => {
    const overrides = new Map([["Tutar", "prise"]]);
    const [issue] = map("SKU|Tutar", { overrides }).issues;

    expect(issue).toMatchObject({ code: "E_MAP_FIELD", cell: "B3" });
    expect(issue?.suggestion?.en).toMatch(
      /^Did you mean “Price”\? The fields are: Action, .*, Note, Cost \(.*\), Option 1 \(.*\)\.$/u,
    );
    expect(issue?.suggestion?.tr).toMatch(/^Bunu mu demek istediniz: “Fiyat”\? Alanlar: İşlem, /u);
  });

  it("names no field where none is like the unknown one", () => {
    const overrides = new Map([["Tutar", "foo"]]);
    const [mapped] = map("SKU|Tutar", { overrides }).issues;
    const [set] = map("SKU", { constants: new Map([["foo", "1"]]) }).issues;

    for (const issue of [mapped, set]) {
      expect(issue?.suggestion?.en).toMatch(/^The fields are: Action, .*, Note[.,]/u);
      expect(issue?.suggestion?.tr).toMatch(/^Alanlar: İşlem, /u);
    }
    expect([mapped?.code, set?.code]).toEqual(["E_MAP_FIELD", "E_SET_FIELD"]);
  });

  it("takes every name of a field that a person sees, in both languages", () => {
    for (const { key, header } of FIELDS) {
      for (const name of [header.tr, header.en, `${header.tr} *`, header.en.toUpperCase()]) {
        expect(kindsOf(map("SKU|Tutar", { overrides: new Map([["Tutar", name]]) }))).toContain(key);
        const constants = new Map([[name, "5"]]);
        expect(map("SKU", { constants }).constants).toEqual(new Map([[key, "5"]]));
      }
    }
  });

  it("refuses two values for one field", () => {
    const constants = new Map([
      ["stock", "5"],
      ["Stok", "6"],
    ]);

    const [issue] = map("SKU", { constants }).issues;

    expect(issue?.message.tr).toBe("--set ile “Stok” alanına iki ayrı değer verilmiş: “5” ve “6”.");
  });

  it("warns of a header that the file does not have", () => {
    const overrides = new Map([["Yok", "price"]]);

    expect(map("SKU", { overrides }).warnings).toMatchObject([
      { code: "W_MAP_HEADER", value: "Yok", cell: "" },
    ]);
  });

  it("counts a constant as given", () => {
    const constants = new Map([
      ["stock", "5"],
      ["stok", "5"],
      ["stokk", "5"],
    ]);
    const mapping = map("SKU", { constants });

    expect(mapping.constants).toEqual(new Map([["stock", "5"]]));
    expect(mapping.missingRequired).not.toContain("stock");
    expect(mapping.issues).toMatchObject([{ code: "E_SET_FIELD" }]);
  });

  it.each(["…", " ... "])("refuses %j, with which advice leaves a value open", (value) => {
    const mapping = map("SKU", { constants: new Map([["sub_title", value]]) });

    expect(mapping.constants).toEqual(new Map());
    expect(mapping.issues).toMatchObject([{ code: "E_SET_PLACEHOLDER" }]);
  });
});

it("lists the required fields without a column, where any one image is enough", () => {
  const header = "Ürün Kodu|Başlık|Alt Başlık|Kategori|Marka|Model|Açıklama|Fiyat|Görsel 3";

  expect(map(header).missingRequired).toEqual([
    "stock",
    "warranty_type",
    "warranty_period",
    "shipping_template",
  ]);
});

it("asks about the only column of codes, and does not call it missing as well", () => {
  const header = ["Web Servis Kodu", "Ürün Adı", "Tedarikçi Ürün Kodu", "Stok Birimi", "Stok"];
  const mapping = mapColumns({ sheet: "S", headerRow: 1, header });

  expect(mapping.platform?.name).toBe("t-soft");
  expect(mapping.issues.map(({ code, column }) => `${code} ${column}`)).toEqual([
    "E_COLUMN_UNSURE Web Servis Kodu",
  ]);
  expect(mapping.likely.map(({ header: likely }) => likely)).not.toContain("Tedarikçi Ürün Kodu");
});
