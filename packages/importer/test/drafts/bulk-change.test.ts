import { writeXlsx } from "@catalog/sheets";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import {
  createTextReplacement,
  fillTemplate,
  parseTemplate,
  toListedName,
} from "../../src/drafts/bulk-texts.ts";
import type { BulkChange, BulkInput, BulkPreview } from "../../src/drafts/draft-views.ts";
import type { LiveDraft } from "../../src/drafts/drafts.ts";
import { type DraftStore, openDraftStore } from "./helpers/open-test-draft.ts";

describe("createTextReplacement", () => {
  const cases: readonly (readonly [text: string, find: string, replace: string, result: string])[] =
    [
      ["IŞIKLI tabak, ışıklı kase", "ışıklı", "mat", "mat tabak, mat kase"],
      ["İNCE ince Ince ınce", "ince", "x", "x x x x"],
      ["1.234,50", ".", "", "1234,50"],
      ["çift  boşluk", "  ", " ", "çift boşluk"],
      ["e\u0301mail émail", "email", "posta", "posta posta"],
      ["aaa", "aa", "b", "ba"],
      ["yok", "var", "x", "yok"],
      ["bir\n\niki  üç\r\n dört", "  ", " ", "bir\n\niki üç\r\n dört"],
      ["bir\niki\u00a0üç\tdört", " ", "_", "bir\niki_üç_dört"],
      ["👍 iyi", "👍", "tamam", "tamam iyi"],
    ];
  for (const [text, find, replace, result] of cases) {
    it(`replaces “${find}” in “${text}”`, () => {
      expect(createTextReplacement({ find, replace })(text)).toBe(result);
    });
  }

  it("replaces whole cells only where that is asked for", () => {
    const replace = createTextReplacement({ find: "kase", replace: "Tabak", isWholeCell: true });

    expect(["KASE", "mat kase"].map(replace)).toEqual(["Tabak", "mat kase"]);
  });
});

type Cells = readonly (string | number | null)[];

const quote = (cell: string | number | null): string =>
  `"${String(cell ?? "").replaceAll('"', '""')}"`;

/** A checked draft of a CSV file. */
const openCsv = async (rows: readonly Cells[]): Promise<LiveDraft> =>
  await (await openDraftStore()).draft(rows.map((row) => `${row.map(quote).join(";")}\n`).join(""));

/** A checked draft of a workbook, whose numbers are number cells. */
async function openBook(store: DraftStore, rows: readonly Cells[]): Promise<LiveDraft> {
  const [header = [], ...below] = rows;
  const path = `${store.folder}/kitap.xlsx`;
  await writeXlsx({
    path,
    sheets: [
      {
        name: "Ürünler",
        columns: header.map((text) => ({ header: String(text), width: 12 })),
        rows: below.map((cells) => ({ cells: [...cells] })),
      },
    ],
  });
  return await store.draftOf(path);
}

/** What a change makes of the rows, as texts of their cells. */
async function run(
  live: LiveDraft,
  change: BulkChange,
  lang: "tr" | "en" = "tr",
): Promise<{ readonly preview: BulkPreview; readonly cells: readonly (readonly string[])[] }> {
  const { version } = await live.details();
  const preview = await live.previewBulk({ change, scope: {} }, lang);
  await live.bulk({ version }, { change, scope: {} }, lang);
  const rows = await live.rows([...(await live.order())]);
  return { preview, cells: rows.map(({ cells }) => cells) };
}

const price = (more: Partial<Extract<BulkChange, { kind: "price" }>>): BulkChange => ({
  kind: "price",
  of: "list",
  by: "percent",
  value: "10",
  ...more,
});

describe("a price that is raised or lowered", () => {
  it.each<readonly [string, BulkChange, string | number, string]>([
    ["10 %", price({}), "1299,90", "1429,89"],
    ["10 % of a grouped text", price({}), "1.299,90 TL", "1.429,89 TL"],
    ["8 % with a point", price({ value: "8" }), "12.50", "13.50"],
    ["12.5 %, half a cent up", price({ value: "12.5" }), "10,04", "11,30"],
    ["-10 %", price({ value: "-10" }), "0,05", "0,05"],
    ["an amount", price({ by: "amount", value: "15.5" }), "₺ 100", "₺ 115,50"],
    ["an amount less", price({ by: "amount", value: "-0.9" }), "100,90", "100,00"],
    ["to the next .90", price({ rounding: { ending: "90", direction: "up" } }), "112,40", "123,90"],
    [
      "down to .99",
      price({ value: "8", rounding: { ending: "99", direction: "down" } }),
      "100",
      "107,99",
    ],
    [
      "to the nearest whole number",
      price({ value: "7", rounding: { ending: "00", direction: "nearest" } }),
      "99,90",
      "107,00",
    ],
    ["dollars", price({ by: "amount", value: "1" }), "12,50 USD", "13,50 USD"],
    ["thousands", price({ value: "100" }), "750,00", "1500,00"],
  ])("by %s", async (_, change, before, after) => {
    const live = await openCsv([
      ["Ürün Kodu", "Satış Fiyatı"],
      ["KOD-1", before],
    ]);

    const { cells, preview } = await run(live, change);

    expect(cells[0]?.[1]).toBe(after);
    expect(preview.cells).toBe(before === after ? 0 : 1);
  });

  it("stays a number cell of a workbook", async () => {
    const store = await openDraftStore();
    const live = await openBook(store, [
      ["Ürün Kodu", "Satış Fiyatı"],
      ["KOD-1", 1299.9],
      ["KOD-2", 12.5],
    ]);

    const { cells, preview } = await run(live, price({}));
    const [row] = await live.rows([2]);

    expect(cells.map((each) => each[1])).toEqual(["1429.89", "13.75"]);
    expect(row?.numbers).toMatchObject([{ column: 1, text: { tr: "1.429,89", en: "1,429.89" } }]);
    expect(preview.samples[0]).toMatchObject({
      before: { tr: "1.299,90" },
      after: { tr: "1.429,89" },
    });
  });

  it("leaves what cannot be read and what is left out, with the reason", async () => {
    const live = await openCsv([
      ["Ürün Kodu", "Satış Fiyatı"],
      ["KOD-1", "12,50"],
      ["KOD-2", "on iki"],
      ["KOD-3", ""],
      ["KOD-4", "0,10"],
      ["KOD-5", "30,00"],
    ]);
    await live.exclude({ version: 1 }, { rows: [6], isExcluded: true });

    const { cells, preview } = await run(live, price({ by: "amount", value: "-1" }));

    expect(cells.map((each) => each[1])).toEqual(["11,50", "on iki", "", "0,10", "30,00"]);
    expect(
      preview.left.map(({ reason, rows, examples }) => [reason.tr, rows, examples[0]]),
    ).toEqual(
      expect.arrayContaining([
        ["Sayı değil", 1, { name: "3", text: "on iki" }],
        ["Hücre boş", 1, { name: "4", text: "" }],
        ["Fiyat sıfıra ya da altına inerdi", 1, { name: "5", text: "0,10" }],
        ["Çıkarılmış satır", 1, { name: "6", text: "" }],
      ]),
    );
  });

  it("compares no discount with a price where the kind of the discount changes", async () => {
    const live = await openCsv([
      ["Ürün Kodu", "Satış Fiyatı", "İndirim Türü", "İndirim Değeri"],
      ["KOD-1", "100,00", "İndirim Tutarı", "10,00"],
      ["KOD-2", "100,00", "İndirimli Fiyat", "90,00"],
    ]);

    const { preview } = await run(live, {
      kind: "discount",
      give: { as: "price", value: "80" },
    });

    expect(preview.prices).toMatchObject({ rise: null, fall: { name: "3" } });
    expect(preview.paid?.fall?.percent).toBeCloseTo(-100 / 9);
  });

  it("says where the buyer pays what was paid before", async () => {
    const live = await openCsv([
      ["Ürün Kodu", "Satış Fiyatı", "İndirim Türü", "İndirim Değeri"],
      ["KOD-1", "100,00", "İndirimli Fiyat", "80,00"],
      ["KOD-2", "100,00", "İndirim Oranı (%)", "20"],
      ["KOD-3", "200,00", "", ""],
    ]);

    const { preview, cells } = await run(live, price({}));

    expect(preview.paid).toMatchObject({ unchanged: 1, fall: null, rise: { percent: 10 } });
    expect(preview.prices?.rise?.percent).toBeCloseTo(10);
    expect(cells.map((each) => each.slice(1))).toEqual([
      ["110,00", "İndirimli Fiyat", "80,00"],
      ["110,00", "İndirim Oranı (%)", "20"],
      ["220,00", "", ""],
    ]);
  });

  it("changes the discounted price alone, and never above the list price", async () => {
    const live = await openCsv([
      ["Ürün Kodu", "Satış Fiyatı", "İndirim Türü", "İndirim Değeri"],
      ["KOD-1", "100,00", "İndirimli Fiyat", "80,00"],
      ["KOD-2", "100,00", "İndirimli Fiyat", "95,00"],
      ["KOD-3", "100,00", "İndirim Oranı (%)", "20"],
      ["KOD-4", "200,00", "", ""],
    ]);

    const { preview, cells } = await run(live, price({ of: "discounted" }));

    expect(cells.map((each) => each[3])).toEqual(["88,00", "95,00", "20", ""]);
    expect(preview.left.map(({ reason }) => reason.tr).toSorted()).toEqual(
      [
        "Satırda indirim yok",
        "İndirim tutarsız",
        "İndirim yüzde ya da tutar olarak verilmiş; indirimli fiyatı yok",
      ].toSorted(),
    );
  });

  it("makes no discount of a list price that repeats the price", async () => {
    const live = await openCsv([
      ["Ürün Kodu", "Piyasa Fiyatı", "Satış Fiyatı"],
      ["KOD-1", "100,00", "100,00"],
      ["KOD-2", "100,00", "90,00"],
    ]);

    const { cells } = await run(live, price({}));

    expect(cells.map((each) => each.slice(1))).toEqual([
      ["110,00", "110,00"],
      ["110,00", "90,00"],
    ]);
  });

  it("is what it was after as much is taken off again", async () => {
    const store = await openDraftStore();
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 10_000_000 }), { minLength: 1, maxLength: 20 }),
        fc.integer({ min: 1, max: 100_000 }),
        fc.constantFrom("comma", "point", "number"),
        async (prices, more, notation) => {
          const texts = prices.map((minor) => {
            if (notation === "number") return minor / 100;
            const text = (minor / 100).toFixed(2);
            return notation === "comma" ? text.replace(".", ",") : text;
          });
          const rows = [
            ["Ürün Kodu", "Satış Fiyatı"],
            ...texts.map((text, at) => [`K-${at}`, text]),
          ];
          const live =
            notation === "number"
              ? await openBook(store, rows)
              : await store.draft(rows.map((row) => `${row.map(quote).join(";")}\n`).join(""));
          const value = (more / 100).toFixed(2);

          const raised = await run(live, price({ by: "amount", value }));
          const lowered = await run(live, price({ by: "amount", value: `-${value}` }));

          expect(raised.preview.cells).toBe(prices.length);
          expect(lowered.cells.map((each) => Number(each[1]?.replace(",", ".")))).toEqual(
            prices.map((minor) => minor / 100),
          );
        },
      ),
      { numRuns: 15 },
    );
  });
});

const discount = (give: Extract<BulkChange, { kind: "discount" }>["give"]): BulkChange => ({
  kind: "discount",
  give,
});

describe("a discount", () => {
  const OWN = ["Ürün Kodu", "Satış Fiyatı", "İndirim Türü", "İndirim Değeri"];
  const LISTED = ["Ürün Kodu", "Piyasa Fiyatı", "Satış Fiyatı"];
  it.each<readonly [string, BulkChange, readonly [header: Cells, before: Cells, after: Cells]]>([
    [
      "percent",
      discount({ as: "percent", value: "15" }),
      [OWN, ["200,00", "", ""], ["200,00", "İndirim Oranı (%)", "15"]],
    ],
    [
      "amount",
      discount({ as: "amount", value: "25.5" }),
      [OWN, ["200,00", "", ""], ["200,00", "İndirim Tutarı", "25,50"]],
    ],
    [
      "price",
      discount({ as: "price", value: "149.9" }),
      [OWN, ["200,00", "İndirim Oranı (%)", "10"], ["200,00", "İndirimli Fiyat", "149,90"]],
    ],
    [
      "rounded percent",
      discount({ as: "percent", value: "15", rounding: { ending: "90", direction: "down" } }),
      [OWN, ["200,00", "", ""], ["200,00", "İndirimli Fiyat", "169,90"]],
    ],
    [
      "percent of a list price",
      discount({ as: "percent", value: "15" }),
      [LISTED, ["200,00", "190,00"], ["200,00", "170,00"]],
    ],
    [
      "percent without a list price",
      discount({ as: "percent", value: "15" }),
      [LISTED, ["", "200,00"], ["200,00", "170,00"]],
    ],
    [
      "percent in a column of prices",
      discount({ as: "percent", value: "15" }),
      [
        ["Ürün Kodu", "Satış Fiyatı", "İndirimli Fiyat"],
        ["200.00", ""],
        ["200.00", "170.00"],
      ],
    ],
    [
      "end in an empty column of list prices",
      discount(null),
      [LISTED, ["", "150,00"], ["150,00", "150,00"]],
    ],
    ["end", discount(null), [OWN, ["200,00", "İndirim Oranı (%)", "10"], ["200,00", "", "<SİL>"]]],
    ["end of a list price", discount(null), [LISTED, ["200,00", "150,00"], ["200,00", "200,00"]]],
  ])("is given as %s", async (_, change, [header, before, after]) => {
    const live = await openCsv([header, ["KOD-1", ...before]]);

    const { cells } = await run(live, change);
    const { counts } = await live.details();

    expect(cells[0]?.slice(1)).toEqual(after);
    expect(counts?.kinds.filter(({ code }) => code === "E_DISCOUNT")).toEqual([]);
  });

  it("is a number cell in a workbook of number cells", async () => {
    const store = await openDraftStore();
    const live = await openBook(store, [OWN, ["KOD-1", 200, null, null]]);

    await run(live, discount({ as: "amount", value: "25.5" }));
    const [row] = await live.rows([2]);

    expect(row).toMatchObject({
      cells: ["KOD-1", "200", "İndirim Tutarı", "25.5"],
      numbers: [{ column: 1 }, { column: 3, text: { tr: "25,5" } }],
      issues: [],
    });
  });

  it("stays away where it would not be below the price", async () => {
    const live = await openCsv([OWN, ["KOD-1", "20,00", "", ""]]);

    const { preview } = await run(live, discount({ as: "price", value: "20" }));

    expect(preview).toMatchObject({
      cells: 0,
      left: [{ reason: { tr: "İndirim tutarsız" }, rows: 1 }],
    });
  });

  it("is refused where no column can hold it", async () => {
    const live = await openCsv([
      ["Ürün Kodu", "Satış Fiyatı"],
      ["KOD-1", "20,00"],
    ]);

    await expect(run(live, discount(null))).rejects.toThrow("Discount Type");
  });
});

describe("a stock", () => {
  it.each([
    ["set", 7, ["7", "7", "7", "7", "7"]],
    ["add", 5, ["8", "5", "1255", "", "x"]],
    ["take", 3, ["0", "Tükendi", "1247", "", "x"]],
  ] as const)("is changed by %s %d", async (how, pieces, after) => {
    const live = await openCsv([
      ["Ürün Kodu", "Stok"],
      ["KOD-1", "3"],
      ["KOD-2", "Tükendi"],
      ["KOD-3", "1250"],
      ["KOD-4", ""],
      ["KOD-5", "x"],
    ]);

    const { cells } = await run(live, { kind: "stock", how, pieces });

    expect(cells.map((each) => each[1])).toEqual(after);
  });

  it("below zero leaves the row and says so", async () => {
    const live = await openCsv([
      ["Ürün Kodu", "Stok"],
      ["KOD-1", "3"],
    ]);

    const { preview } = await run(live, { kind: "stock", how: "take", pieces: 4 });

    expect(preview.left).toMatchObject([
      { reason: { tr: "Stok sıfırın altına inerdi" }, examples: [{ text: "3" }] },
    ]);
  });
});

describe("a field", () => {
  const HEADER = ["Ürün Kodu", "Marka", "Başlık", "Satış Fiyatı", "Not"];
  it.each<readonly [string, BulkChange, Cells, readonly [column: number, text: string]]>([
    ["set", { kind: "set", column: 1, value: "Ege" }, ["A", "B", "1,50", ""], [1, "Ege"]],
    ["emptied", { kind: "set", column: 1, value: "" }, ["A", "B", "1,50", ""], [1, ""]],
    [
      "set to an amount",
      { kind: "set", column: 3, value: "1.299,9" },
      ["A", "B", "1,50 TL", ""],
      [3, "1299,90 TL"],
    ],
    [
      "put around",
      { kind: "affix", column: 2, before: "Yeni ", after: " 24 cm" },
      ["A", "Tabak", "1,50", ""],
      [2, "Yeni Tabak 24 cm"],
    ],
    ["copied", { kind: "copy", from: 1, to: 2 }, ["Ege", "B", "1,50", ""], [2, "Ege"]],
    [
      "copied into a price",
      { kind: "copy", from: 4, to: 3 },
      ["A", "B", "1,50", "12,75"],
      [3, "12,75"],
    ],
    [
      "made from a template",
      { kind: "template", column: 2, template: "{brand} {Not} {Başlık}" },
      ["Ege", "Tabak", "1,50", ""],
      [2, "Ege Tabak"],
    ],
  ])("is %s", async (_, change, cells, [column, after]) => {
    const live = await openCsv([HEADER, ["KOD-1", ...cells]]);

    const result = await run(live, change);

    expect(result.cells[0]?.[column]).toBe(after);
  });

  it("is not copied from a cell that is no amount", async () => {
    const live = await openCsv([HEADER, ["KOD-1", "A", "B", "1,50", "1.250"]]);

    const { preview, cells } = await run(live, { kind: "copy", from: 4, to: 3 });

    expect(cells[0]?.[3]).toBe("1,50");
    expect(preview.left).toMatchObject([
      { reason: { tr: "Binlik mi ondalık mı belli değil" }, examples: [{ text: "1.250" }] },
    ]);
  });

  it("of an unknown column is refused in a template", async () => {
    const live = await openCsv([HEADER, ["KOD-1", "A", "B", "1,50", ""]]);
    const change = { kind: "template", column: 2, template: "{Beden} {brand}" } as const;

    await expect(run(live, change)).rejects.toThrow("{Beden}");
  });
});

describe("the rows of a change", () => {
  const SHEET: readonly Cells[] = [
    ["Ürün Kodu", "Başlık", "Stok"],
    ["KOD-1", "Tabak", "1"],
    ["KOD-2", "Kase", "x"],
    ["KOD-3", "Tabak", "3"],
  ];
  const set = { kind: "set", column: 1, value: "Fincan" } as const;

  it.each<readonly [string, BulkInput["scope"], readonly string[]]>([
    ["all", {}, ["Fincan", "Fincan", "Fincan"]],
    ["those with errors", { filter: { show: "errors" } }, ["Tabak", "Fincan", "Tabak"]],
    ["those with a text", { filter: { text: "TABAK" } }, ["Fincan", "Kase", "Fincan"]],
    ["chosen ones", { rows: [3, 4, 99] }, ["Tabak", "Fincan", "Fincan"]],
    [
      "chosen ones of a filter",
      { rows: [3, 4], filter: { text: "tabak" } },
      ["Tabak", "Kase", "Fincan"],
    ],
  ])("are %s", async (_, scope, titles) => {
    const live = await openCsv(SHEET);

    await live.bulk({ version: 1 }, { change: set, scope }, "tr");

    const rows = await live.rows([2, 3, 4]);
    expect(rows.map(({ cells }) => cells[1])).toEqual(titles);
  });

  it("stay where their cells may have slipped", async () => {
    const { draft } = await openDraftStore();
    const live = await draft("Ürün Kodu;Başlık;Stok\nKOD-1;Tabak;1\nKOD-2;Mavi;Kase;2\n");

    const { preview } = await run(live, set);

    expect(preview).toMatchObject({ rows: 1, left: [{ reason: { tr: "Hücre sayısı farklı" } }] });
  });

  it("stay as they are for a change of an older version", async () => {
    const live = await openCsv(SHEET);
    await live.edit({ version: 1 }, [{ row: 2, column: 2, value: "5" }]);

    await expect(live.bulk({ version: 1 }, { change: set, scope: {} }, "tr")).rejects.toMatchObject(
      {
        code: "E_DRAFT_CHANGED",
      },
    );
  });

  it("are those that the preview has named, cell by cell", async () => {
    const live = await openCsv(SHEET);
    const change = { kind: "replace", find: "a", replace: "o" } as const;

    const { preview, cells } = await run(live, change);

    const written = preview.samples.map(({ row, column }) => cells[row - 2]?.[column]);
    expect(written).toEqual(preview.samples.map(({ after }) => after.tr));
    expect(preview).toMatchObject({ cells: 3, rows: 3 });
  });
});

const [ID, OTHER] = ["5f0000000000000000000001", "5f0000000000000000000002"];

it.each([
  ["a name", "Ege", "Ege"],
  ["nothing", "", "Kuzeytek"],
  ["the id of the product", ID, "Kuzeytek"],
  ["another id", OTHER, ""],
] as const)("names a brand by %s", (_, text, name) => {
  expect(toListedName(text, "brand", { brand_id: ID, brand_name: "Kuzeytek" })).toBe(name);
});

it.each([
  ["{a} {b} {c}", { a: "1", b: "", c: "3" }, "1 3"],
  ["{a} {b} {c}", { a: "", b: "", c: "3" }, "3"],
  ["{a} {b} {c}", { a: "1", b: "", c: "" }, "1"],
  ["{a}, {b} - {c}", { a: "1", b: "2  x", c: "3" }, "1, 2  x - 3"],
  ["{a}{b}", { a: "1", b: "2" }, "12"],
  ["{a} {b}", { a: "", b: "" }, undefined],
] as const)("fills in %s", (template, cells, filled) => {
  const names = ["a", "b", "c"] as const;
  const columns = names.map((header, index) => ({
    index,
    letter: header,
    header,
    target: { kind: "unknown" } as const,
  }));
  const texts: Readonly<Record<string, string>> = cells;

  const parts = parseTemplate(template, { columns });

  expect(fillTemplate(parts, ({ column = -1 }) => texts[names[column] ?? ""] ?? "")).toBe(filled);
});
