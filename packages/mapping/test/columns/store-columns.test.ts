import fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { ColumnMapping } from "../../src/columns/column-mapping.ts";
import { mapColumns } from "../../src/columns/map-columns.ts";
import type { KnownStores } from "../../src/columns/store-columns.ts";
import { createRowMapper } from "../../src/rows/row-mapper.ts";
import { createSheetReader } from "../../src/rows/sheet-reader.ts";
import type { CellValue, SourceRow } from "../../src/source-row.ts";
import { createFakeNames } from "../../src/testing.ts";

const STORES: KnownStores = { own: "ankara", names: ["ankara", "İzmir"], areNamed: true };

interface SheetCase {
  readonly header: readonly string[];
  readonly rows?: readonly (readonly CellValue[])[];
  readonly stores?: KnownStores;
  readonly overrides?: Readonly<Record<string, string>>;
}

const mapSheet = ({ header, stores = STORES, overrides = {} }: SheetCase): ColumnMapping =>
  mapColumns({
    sheet: "Ürünler",
    headerRow: 1,
    header,
    stores,
    overrides: new Map(Object.entries(overrides)),
  });

const toRows = (rows: readonly (readonly CellValue[])[]): readonly SourceRow[] =>
  rows.map((cells, at) => ({ row: at + 2, cells }));

/** What each row says, with the cell of every issue. */
async function readSheet(sheet: SheetCase) {
  const mapping = mapSheet(sheet);
  const reader = createSheetReader(mapping);
  const rows = toRows(sheet.rows ?? []);
  const observer = reader.observeNumbers();
  for (const row of rows) observer.observe(row);
  const mapper = createRowMapper({
    sheet: "Ürünler",
    mapping,
    notations: observer.decide(),
    names: createFakeNames(),
  });
  for (const row of rows) await mapper.findOpenNames(row);
  const kindOf = reader.kindsBelow(1);
  return rows.map((row) => {
    const { changes, clears, issues, warnings, code, action } = mapper.map(row);
    return { kind: kindOf(row), action, code, changes, clears, issues, warnings };
  });
}

const useOf = ({ columns }: ColumnMapping): readonly string[] =>
  columns.map(({ target, only }) => {
    const use = target.kind === "field" ? target.field : target.kind;
    if (only === undefined) return use;
    const place = only.isAlone ? "alone" : (only.over ?? "-");
    return `${use} ${only.store} ${place}`;
  });

describe("a header that ends in a store's name", () => {
  it.each<readonly [string, SheetCase, readonly string[]]>([
    [
      "replaces the common column in its store",
      { header: ["Ürün Kodu", "Fiyat", "Fiyat [ankara]", "Fiyat [İzmir]"] },
      ["product_code", "price", "unused ankara 1", "unused İzmir -"],
    ],
    [
      "is compared as names of stores are",
      { header: ["Ürün Kodu", "Stok", "STOK * [ANKARA] *", "Stok [izmir]"] },
      ["product_code", "stock", "unused ankara 1", "unused İzmir -"],
    ],
    [
      "finds the common column of its field under another header",
      { header: ["Satıcı Stok Kodu", "Satış Fiyatı", "Fiyat [ankara]"] },
      ["product_code", "price", "unused ankara 1"],
    ],
    [
      "has the field by itself where no common column has it",
      { header: ["Ürün Kodu", "Fiyat [ankara]", "Stok [İzmir]"] },
      ["product_code", "price ankara alone", "unused İzmir -"],
    ],
    [
      "may be left out",
      {
        header: ["Ürün Kodu", "Fiyat", "Fiyat [ankara]"],
        overrides: { "Fiyat [ankara]": "-" },
      },
      ["product_code", "price", "unused"],
    ],
    [
      "may be named a field",
      {
        header: ["Ürün Kodu", "Stok", "Depo [ankara]"],
        overrides: { "Depo [ankara]": "stock" },
      },
      ["product_code", "stock", "unused ankara 1"],
    ],
    [
      "says nothing where no store has a name",
      {
        header: ["Ürün Kodu", "Fiyat", "Fiyat [ankara]"],
        stores: { own: "main", names: ["main"] },
      },
      ["product_code", "price", "unused"],
    ],
    [
      "keeps the meaning of other brackets",
      { header: ["Ürün Kodu", "Fiyat [TL]", "Garanti Süresi [Ay]"] },
      ["product_code", "price", "warranty_period"],
    ],
  ])("%s", (_, sheet, uses) => {
    const mapping = mapSheet(sheet);

    expect(useOf(mapping)).toEqual(uses);
    expect(mapping.issues).toEqual([]);
  });

  it.each<readonly [string, SheetCase, readonly (readonly [string, string])[]]>([
    [
      "names no store",
      { header: ["Ürün Kodu", "Fiyat", "Fiyat [ankra]"] },
      [["E_COLUMN_STORE", "C1"]],
    ],
    [
      "names no store, of a field that no other column has",
      { header: ["Ürün Kodu", "Fiyat [ankra]"] },
      [["E_COLUMN_STORE", "B1"]],
    ],
    [
      "would have another product in each store",
      { header: ["Ürün Kodu", "Fiyat", "Ürün Kodu [İzmir]"] },
      [["E_COLUMN_STORE", "C1"]],
    ],
    [
      "stands twice for one field",
      { header: ["Ürün Kodu", "Fiyat", "Fiyat [ankara]", "Satış Fiyatı [Ankara]"] },
      [["E_COLUMN_TWICE", "D1"]],
    ],
    [
      "stands twice by itself",
      { header: ["Ürün Kodu", "Fiyat [ankara]", "Fiyat [ANKARA]"] },
      [["E_HEADER_DUP", "C1"]],
    ],
    [
      "may stand for one of several columns that are added up",
      {
        header: ["Ürün Kodu", "Depo 1", "Depo 2", "Stok [ankara]"],
        overrides: { "Depo 1": "stock", "Depo 2": "stock" },
      },
      [["E_COLUMN_STORE", "D1"]],
    ],
    [
      "has another currency",
      { header: ["Ürün Kodu", "Fiyat", "Fiyat USD [ankara]"] },
      [["E_COLUMN_STORE", "C1"]],
    ],
  ])("is refused where it %s", (_, sheet, issues) => {
    const { issues: found } = mapSheet(sheet);

    expect(found.map(({ code, cell }) => [code, cell])).toEqual(issues);
  });

  it("is a question that leaves it out, and lists the stores", () => {
    const { questions } = mapSheet({ header: ["Ürün Kodu", "Fiyat", "Fiyat [ankra]"] });

    expect(
      questions.map(({ header, field, choices, issue }) => [
        header,
        field,
        choices.map(({ map }) => map),
        issue.message.tr,
      ]),
    ).toEqual([
      [
        "Fiyat [ankra]",
        "price",
        ["-"],
        "“Fiyat [ankra]” sütunundaki “ankra” adında bir mağaza yok. Mağazalar: ankara, İzmir.",
      ],
    ]);
  });

  it("shows a mistake at the cell that was used", async () => {
    const header = ["Ürün Kodu", "Fiyat", "Fiyat [ankara]"];
    const rows = [
      ["K1", "10", "on lira"],
      ["K2", "on lira", "12"],
      ["K3", "on lira", null],
    ];

    const found = await readSheet({ header, rows });

    expect(found.map(({ issues }) => issues.map(({ cell, column }) => [cell, column]))).toEqual([
      [["C2", "Fiyat [ankara]"]],
      [],
      [["B4", "Fiyat"]],
    ]);
  });
});

const CELLS: Readonly<Record<string, readonly CellValue[]>> = {
  "Ürün Kodu": ["K1", "K2", "A-7", ""],
  Fiyat: ["10", "12,50", "1.299,90", "1299.90", "1.250", 14.5, "x", "-", "", null, "5 USD"],
  Stok: ["1", 0, "12", "-3", "çok", "", null],
  Başlık: ["Kaşık", "Tabak", "#YOK", "", null],
  "Piyasa Fiyatı": ["20", "5", "<SİL>", "", null, 30],
  "Garanti Süresi": ["12", "2 yıl", "9", "", null],
  Renk: ["Mavi", "", null],
};

const FIELDS = Object.keys(CELLS);

interface RandomColumn {
  readonly field: string;
  readonly store: string | undefined;
}

const sheets = fc
  .uniqueArray(
    fc.record({
      field: fc.constantFrom(...FIELDS.slice(1)),
      store: fc.constantFrom(undefined, undefined, "ankara", "İzmir"),
    }),
    { minLength: 1, maxLength: 9, selector: ({ field, store }) => `${field} ${store}` },
  )
  .chain((columns) => {
    const all: readonly RandomColumn[] = [{ field: "Ürün Kodu", store: undefined }, ...columns];
    const cells = all.map(({ field }) => fc.constantFrom(...(CELLS[field] ?? [])));
    return fc.record({
      columns: fc.constant(all),
      rows: fc.array(fc.tuple(...cells), { minLength: 1, maxLength: 20 }),
    });
  });

const isFilled = (cell: CellValue | undefined): boolean => String(cell ?? "") !== "";

/** The sheet as a person would write it for one store. */
function foldByHand(
  columns: readonly RandomColumn[],
  rows: readonly (readonly CellValue[])[],
  store: string,
): SheetCase {
  const kept = columns.flatMap(({ field, store: of }, index) => {
    const own = columns.findIndex((other) => other.field === field && other.store === store);
    const hasCommon = columns.some((other) => other.field === field && other.store === undefined);
    if (of === undefined) return [{ field, index, own }];
    return of === store && !hasCommon ? [{ field, index, own: -1 }] : [];
  });
  return {
    header: kept.map(({ field }) => field),
    rows: rows.map((cells) =>
      kept.map(({ index, own }) => (isFilled(cells[own]) ? cells[own] : cells[index]) ?? null),
    ),
  };
}

describe("a sheet with columns of several stores", () => {
  it("is read in a store as the sheet whose columns were folded by hand", async () => {
    await fc.assert(
      fc.asyncProperty(
        sheets,
        fc.constantFrom("ankara", "İzmir"),
        async ({ columns, rows }, store) => {
          const header = columns.map(({ field, store: of }) =>
            of === undefined ? field : `${field} [${of}]`,
          );
          const withoutPlace = (found: Awaited<ReturnType<typeof readSheet>>): unknown =>
            found.map(({ issues, warnings, ...rest }) => ({
              ...rest,
              issues: issues.map(({ code, row, value }) => `${code} ${row} ${value}`),
              warnings: warnings.map(({ code, row, value }) => `${code} ${row} ${value}`),
            }));

          const read = await readSheet({ header, rows, stores: { ...STORES, own: store } });
          const folded = await readSheet(foldByHand(columns, rows, store));

          expect(withoutPlace(read)).toEqual(withoutPlace(folded));
        },
      ),
      { numRuns: 100 },
    );
  });
});
