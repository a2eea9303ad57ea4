import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { listSheets, openSheet, resolveSheetLink } from "../src/index.ts";
import { assertReadable } from "../src/open-sheet.ts";
import { collect, fileOf, readAll, refusal, temporaryFolder } from "./helpers/files.ts";
import { type MadeSheet, workbookParts, xlsxOf, zipOf } from "./helpers/workbooks.ts";

describe("openSheet", () => {
  it("detects the kind by the content and not by the name", async () => {
    expect(await readAll(fileOf("liste.xls", "Kod;Ad\n1;a\n"))).toMatchObject({ kind: "csv" });
  });

  it("returns no rows for a file with headers only", async () => {
    expect(await readAll(fileOf("a.csv", "Kod;Ad\n"))).toMatchObject({
      header: ["Kod", "Ad"],
      rows: [],
    });
  });

  it("finds the headers below a title", async () => {
    const path = fileOf("a.csv", "Stok raporu\n\nKod;Ad\n1;a\n");

    expect(await readAll(path)).toMatchObject({
      headerRow: 3,
      header: ["Kod", "Ad"],
      rows: [{ row: 4, cells: ["1", "a"] }],
    });
  });

  it("takes the header row that was given", async () => {
    const path = fileOf("a.csv", "a;b\nKod;Ad\n1;c\n");

    expect(await readAll(path, { headerRow: 2 })).toMatchObject({
      headerRow: 2,
      header: ["Kod", "Ad"],
      rows: [{ row: 3 }],
    });
  });

  it("returns the rows again for each call, also to two readers at once", async () => {
    await using sheet = await openSheet({ path: fileOf("a.csv", "a;b\n1;2\n3;4\n") });

    const [once, twice] = await Promise.all([collect(sheet.rows()), collect(sheet.rows())]);

    expect(once).toEqual(twice);
    expect(await collect(sheet.rows())).toHaveLength(2);
  });

  it("accepts as many rows as allowed, not counting empty ones and headers", async () => {
    const limits = { rows: 2 };

    expect((await readAll(fileOf("a.csv", "a;b\n1;2\n\n3;4\n"), { limits })).rows).toHaveLength(2);
    expect(
      await refusal(readAll(fileOf("a.csv", "a;b\n1;2\n3;4\n5;6\n"), { limits })),
    ).toMatchObject({
      code: "E_TOO_MANY_ROWS",
      details: { limit: 2 },
    });
  });

  const refused = [
    ["an empty file", "", "E_FILE_EMPTY"],
    ["an HTML page named like a workbook", "<html><p>Giriş yapın</p></html>", "E_FILE_TYPE"],
    ["text named like a workbook", "Kod;Ad\n1;a\n", "E_FILE_TYPE"],
    [
      "an old Excel file that is damaged",
      Buffer.from("d0cf11e0a1b11ae100000000", "hex"),
      "E_FILE_DAMAGED",
    ],
  ] as const;
  for (const [what, content, code] of refused) {
    it(`refuses ${what} with ${code}`, async () => {
      expect((await refusal(readAll(fileOf("a.xlsx", content)))).code).toBe(code);
    });
  }

  it("refuses bytes that are not text", async () => {
    expect((await refusal(readAll(fileOf("a.csv", Buffer.from([1, 2, 0, 3]))))).code).toBe("E_NUL");
  });

  it("explains what to do about a file with a password", async () => {
    const mark = Buffer.from("d0cf11e0a1b11ae1", "hex");
    const content = Buffer.concat([
      mark,
      Buffer.alloc(504),
      Buffer.from("EncryptedPackage", "utf16le"),
    ]);

    const { code, localized } = await refusal(readAll(fileOf("a.xlsx", content)));

    expect(code).toBe("E_FILE_TYPE");
    expect(localized.tr).toContain("şifreyi kaldırın");
  });

  it("refuses a file of blanks", async () => {
    expect((await refusal(readAll(fileOf("a.csv", " ;\n\n;\n")))).code).toBe("E_FILE_EMPTY");
  });

  it("names the address where the table behind a link can be downloaded", async () => {
    const link = "https://docs.google.com/spreadsheets/d/1AbCdEfGhIjKlMnOpQrStUvWx/edit#gid=42";

    expect(await refusal(openSheet({ path: link }))).toMatchObject({
      code: "E_FILE_LINK",
      details: {
        found:
          "https://docs.google.com/spreadsheets/d/1AbCdEfGhIjKlMnOpQrStUvWx/export?format=csv&gid=42",
      },
    });
  });

  it("refuses a missing file by its name", async () => {
    const error = await refusal(openSheet({ path: join(temporaryFolder(), "yok.csv") }));

    expect(error).toMatchObject({ code: "E_FILE_MISSING", details: { file: "yok.csv" } });
  });

  it("refuses a folder", async () => {
    expect((await refusal(openSheet({ path: temporaryFolder() }))).code).toBe("E_FILE_DIRECTORY");
  });

  it.skipIf(process.platform === "win32")(
    "refuses a path that is neither file nor folder",
    async () => {
      expect((await refusal(openSheet({ path: "/dev/null" }))).code).toBe("E_FILE_UNREADABLE");
    },
  );

  it("refuses a file over the limit before reading it", async () => {
    const path = fileOf("a.csv", "a;b\n1;2\n");

    expect(await refusal(openSheet({ path, limits: { fileMb: 0.000_007 } }))).toMatchObject({
      code: "E_TOO_LARGE",
      details: { limit: 0.000_007, setting: "fileMb" },
    });
  });

  it("refuses a header row that is empty or missing", async () => {
    for (const headerRow of [2, 9]) {
      const path = fileOf("a.csv", "a;b\n\n1;2\n");

      expect(await refusal(openSheet({ path, headerRow }))).toMatchObject({
        code: "E_HEADER_ROW",
        details: { row: headerRow },
      });
    }
  });

  it.each([
    ["csv", "a;b\n1;2\n"],
    ["xlsx", xlsxOf("")],
  ] as const)("rejects with the reason of the signal, for %s", async (kind, content) => {
    const signal = AbortSignal.abort(new Error("enough"));

    await expect(openSheet({ path: fileOf("a", content), signal })).rejects.toThrow("enough");
  });

  it("stops returning rows when the signal aborts", async () => {
    const stop = new AbortController();
    const path = fileOf("a.csv", "a;b\n".repeat(300_000));
    await using sheet = await openSheet({ path, signal: stop.signal, limits: { rows: 1e6 } });
    let count = 0;

    const reading = async (): Promise<void> => {
      for await (const _ of sheet.rows()) {
        count += 1;
        stop.abort(new Error("enough"));
      }
    };

    await expect(reading()).rejects.toThrow("enough");
    expect(count).toBeLessThan(299_999);
  });
});

it("rows of another width than the headers are refused with the row that was taken for the headers, which may be another one", async () => {
  const path = fileOf("a.csv", "Rapor;Liste\nMal No;Ad;Bakiye\n1;a;3\n2;b;4\n");

  const error = await refusal(readAll(path));

  expect(error).toMatchObject({ code: "E_DELIMITER", details: { row: 1 } });
  expect(error.localized.tr).toContain(
    "başlık: 1. satır). Başlıklar başka bir satırdaysa --header-row",
  );
});

const folder = (): string => mkdtempSync(join(tmpdir(), "readable-"));

it("accepts a file, without reading what it holds", async () => {
  const path = join(folder(), "a.xlsx");
  writeFileSync(path, "");

  await expect(assertReadable(path)).resolves.toBeUndefined();
});

it("refuses a folder and a path without a file", async () => {
  await expect(assertReadable(folder())).rejects.toMatchObject({ code: "E_FILE_DIRECTORY" });
  await expect(assertReadable(join(folder(), "no.xlsx"))).rejects.toMatchObject({
    code: "E_FILE_MISSING",
  });
});

const ID = "1AbCdEfGhIjKlMnOpQrStUvWx_yz-0123456789";
const EXPORT = `https://docs.google.com/spreadsheets/d/${ID}/export?format=`;

describe("resolveSheetLink", () => {
  const cases = [
    [`https://docs.google.com/spreadsheets/d/${ID}/edit#gid=42`, `${EXPORT}csv&gid=42`],
    [`https://docs.google.com/spreadsheets/d/${ID}/edit?gid=7#gid=7`, `${EXPORT}csv&gid=7`],
    [`https://docs.google.com/spreadsheets/u/1/d/${ID}/edit?usp=sharing`, `${EXPORT}xlsx`],
    [` https://docs.google.com/spreadsheets/d/${ID} `, `${EXPORT}xlsx`],
    ["https://ornek.example/liste.xlsx", "https://ornek.example/liste.xlsx"],
    [
      `https://docs.google.com.example/spreadsheets/d/${ID}/edit`,
      `https://docs.google.com.example/spreadsheets/d/${ID}/edit`,
    ],
  ] as const;
  for (const [link, downloadUrl] of cases) {
    it(`finds the table behind ${link.trim()}`, () => {
      expect(resolveSheetLink(link)?.downloadUrl).toBe(downloadUrl);
    });
  }

  it("returns undefined for a path", () => {
    for (const path of ["liste.xlsx", "/tmp/https://x", "C:\\liste.csv", "file:///etc/passwd"]) {
      expect(resolveSheetLink(path)).toBeUndefined();
    }
  });
});

type Row = readonly (string | number)[];

const cellOf = (value: string | number, row: number, column: number): string => {
  const ref = `${String.fromCodePoint(65 + column)}${row}`;
  return typeof value === "number"
    ? `<c r="${ref}"><v>${value}</v></c>`
    : `<c r="${ref}" t="inlineStr"><is><t>${value}</t></is></c>`;
};

const sheetOf = (name: string, rows: readonly Row[], attributes = ""): MadeSheet => ({
  name,
  rows: rows
    .map((cells, index) => {
      const at = index + 1;
      const texts = cells.map((cell, column) => cellOf(cell, at, column));
      return `<row r="${at}"${attributes}>${texts.join("")}</row>`;
    })
    .join(""),
});

const fileWith = (...sheets: readonly MadeSheet[]): string =>
  fileOf("katalog.xlsx", zipOf(workbookParts(sheets)));

const HEADER = ["Ürün Kodu", "Stok"];
const SUMMER = sheetOf("Yaz", [HEADER, ["Y-1", 1], ["Y-2", 2]]);
const WINTER = sheetOf("Kış", [["2026 kışı"], HEADER, ["K-1", 3]]);

describe("all sheets of a workbook", () => {
  it("are read as one where their headers are the same, each row numbered by its sheet", async () => {
    const path = fileWith(SUMMER, WINTER);

    await using sheet = await openSheet({ path, sheet: "all" });

    expect(sheet).toMatchObject({
      sheet: "Yaz",
      sheets: [
        { name: "Yaz", rowsBefore: 0 },
        { name: "Kış", rowsBefore: 2_000 },
      ],
    });
    expect(await collect(sheet.rows())).toMatchObject([
      { row: 2, cells: ["Y-1", 1] },
      { row: 3, cells: ["Y-2", 2] },
      { row: 2_003, cells: ["K-1", 3] },
    ]);
  });

  it("are read whole in pieces too", async () => {
    await using sheet = await openSheet({ path: fileWith(SUMMER, WINTER), sheet: "all" });

    const rows: number[] = [];
    for await (const batch of sheet.batches()) for (const { row } of batch) rows.push(row);

    expect(rows).toEqual([2, 3, 2_003]);
  });

  it("number their rows beyond the longest of them", async () => {
    const rows = Array.from({ length: 1_200 }, (_, index): Row => [`K-${index}`, index]);
    const path = fileWith(sheetOf("Yaz", [HEADER, ...rows]), WINTER);

    const { rows: read } = await readAll(path, { sheet: "HEPSİ" });

    expect(read).toHaveLength(1_201);
    expect(read.at(-1)).toMatchObject({ row: 20_003 });
  });

  it("leave out sheets with other headers, and name them", async () => {
    const notes = sheetOf("Notlar", [
      ["Sorumlu", "Telefon"],
      ["Ayşe", 5],
    ]);
    const path = fileWith(notes, SUMMER, WINTER);

    await using sheet = await openSheet({
      path,
      sheet: "all",
      countKnownHeaders: (cells) => cells.filter((cell) => cell === "Stok").length,
    });

    expect(await collect(sheet.rows())).toHaveLength(3);
    expect(sheet.notices()).toMatchObject([{ code: "W_SHEETS_LEFT_OUT", count: 1 }]);
    expect(sheet.notices()[0]?.message.tr).toContain("“Notlar” (2 dolu satır)");
  });

  it("are refused where headers are only partly the same, naming the first that differs", async () => {
    const other = sheetOf("Kış", [
      ["Ürün Kodu", "Stok", "Fiyat"],
      ["K-1", 3, 5],
    ]);

    const error = await refusal(readAll(fileWith(SUMMER, other), { sheet: "all" }));

    expect(error).toMatchObject({
      code: "E_SHEETS_DIFFER",
      details: { names: ["Yaz", "Kış"], headers: ["", "Fiyat"], column: 3 },
    });
    expect(error.localized.tr).toContain("C sütununda");
  });

  it("name the sheet in notices about its rows", async () => {
    const hidden = sheetOf("Kış", [HEADER, ["K-1", 3]], ' hidden="1"');

    await using sheet = await openSheet({ path: fileWith(SUMMER, hidden), sheet: "all" });

    expect(sheet.notices().map(({ message }) => message.tr)).toEqual([
      "“Kış” sayfası: 1 gizli satır da okundu (ilki 2. satır). İstemiyorsanız dosyadan silin.",
    ]);
  });

  it("count together against the limit of rows", async () => {
    const path = fileWith(SUMMER, WINTER);

    const error = await refusal(readAll(path, { sheet: "all", limits: { rows: 2 } }));

    expect(error).toMatchObject({ code: "E_TOO_MANY_ROWS", details: { limit: 2 } });
  });

  it("mean the sheet of that name where there is one", async () => {
    const path = fileWith(SUMMER, sheetOf("All", [HEADER, ["A-1", 1]]));

    await using sheet = await openSheet({ path, sheet: "all" });

    expect(sheet.sheet).toBe("All");
    expect(sheet.sheets).toBeUndefined();
  });

  it("are one sheet in a workbook with a single one", async () => {
    expect(await readAll(fileWith(SUMMER), { sheet: "all" })).toMatchObject({ sheet: "Yaz" });
  });
});

const countKnownHeaders = (cells: readonly unknown[]): number =>
  cells.filter((cell) => HEADER.includes(String(cell))).length;

describe("several named sheets of a workbook", () => {
  const AUTUMN = sheetOf("Güz, 2026", [HEADER, ["G-1", 4]]);
  const NOTES = sheetOf("Notlar", [
    ["Sorumlu", "Telefon"],
    ["Ayşe", 5],
  ]);

  it("are read as one in the order of their names, and no other sheet is", async () => {
    const path = fileWith(SUMMER, WINTER, AUTUMN, NOTES);

    await using sheet = await openSheet({ path, sheet: ["güz, 2026", "1"] });

    expect(sheet.sheets?.map(({ name }) => name)).toEqual(["Güz, 2026", "Yaz"]);
    expect(await collect(sheet.rows())).toMatchObject([
      { row: 2, cells: ["G-1", 4] },
      { row: 2_002, cells: ["Y-1", 1] },
      { row: 2_003, cells: ["Y-2", 2] },
    ]);
    expect(sheet.notices()).toEqual([]);
  });

  it("are read once where two names are those of one sheet", async () => {
    await using sheet = await openSheet({ path: fileWith(SUMMER, WINTER), sheet: ["Yaz", "1"] });

    expect(sheet.sheets).toBeUndefined();
    expect(await collect(sheet.rows())).toHaveLength(2);
  });

  it("are refused where one has other headers, naming both", async () => {
    const error = await refusal(readAll(fileWith(SUMMER, NOTES), { sheet: ["Yaz", "Notlar"] }));

    expect(error).toMatchObject({
      code: "E_SHEETS_DIFFER",
      details: { names: ["Yaz", "Notlar"], headers: ["Ürün Kodu", "Sorumlu"], column: 1 },
    });
  });

  it("are refused where one is unknown, with the names of all", async () => {
    const error = await refusal(readAll(fileWith(SUMMER, WINTER), { sheet: ["Yaz", "Güz"] }));

    expect(error).toMatchObject({
      code: "E_SHEET_UNKNOWN",
      details: { found: "Güz", names: ["Yaz", "Kış"] },
    });
  });

  it("are refused where a list has the word for all sheets", async () => {
    const error = await refusal(readAll(fileWith(SUMMER, WINTER), { sheet: ["all", "Yaz"] }));

    expect(error).toMatchObject({
      code: "E_SHEET_UNKNOWN",
      details: { found: "all", names: ["Yaz", "Kış"] },
    });
  });

  it("mean nothing in a text file", async () => {
    const path = fileOf("katalog.csv", "Ürün Kodu;Stok\nY-1;1\n");

    expect((await readAll(path, { sheet: ["Yaz", "Kış"] })).rows).toHaveLength(1);
  });
});

describe("the list of a workbook's sheets", () => {
  it("has those that are seen and filled, with their rows and known headers", async () => {
    const guide = sheetOf("Açıklamalar", [["Nasıl doldurulur"]]);
    const path = fileWith(guide, sheetOf("Boş", []), SUMMER, WINTER);

    expect(await listSheets({ path, countKnownHeaders })).toEqual([
      { name: "Yaz", rows: 3, hasMoreRows: false, knownHeaders: 2 },
      { name: "Kış", rows: 3, hasMoreRows: false, knownHeaders: 2 },
    ]);
  });

  it("is empty for a text file", async () => {
    expect(await listSheets({ path: fileOf("a.csv", "Ürün Kodu;Stok\nY-1;1\n") })).toEqual([]);
  });
});

describe("a workbook with several sheets, of which none is named", () => {
  const LISTED = new Set(["Ürün Kodu", "Stok", "Fiyat", "Marka"]);
  const countListed = (cells: readonly unknown[]): number =>
    cells.filter((cell) => LISTED.has(String(cell))).length;
  const products = sheetOf("Listelerim", [
    ["Ürün Kodu", "Stok", "Fiyat"],
    ["Y-1", 1, 5],
  ]);
  const guide = sheetOf("Nasıl kullanılır?", [["Listelerim sayfasını doldurun"], ["Stok"]]);
  const open = (...sheets: readonly MadeSheet[]): ReturnType<typeof openSheet> =>
    openSheet({ path: fileWith(...sheets), countKnownHeaders: countListed });

  it("is opened at the only one with known headers", async () => {
    await using sheet = await open(guide, products);

    expect(sheet.sheet).toBe("Listelerim");
    expect(await collect(sheet.rows())).toMatchObject([{ cells: ["Y-1", 1, 5] }]);
  });

  it.each([
    [
      "another one has some of them",
      [
        products,
        sheetOf("Fiyatlar", [
          ["Ürün Kodu", "Fiyat"],
          ["Y-1", 6],
        ]),
      ],
    ],
    ["it has too few of them", [guide, SUMMER]],
    [
      "no header is known",
      [
        guide,
        sheetOf("Diğer", [
          ["a", "b"],
          ["1", 2],
        ]),
      ],
    ],
  ])("is not opened where %s", async (_, sheets) => {
    expect((await refusal(open(...sheets))).code).toBe("E_SHEET_CHOICE");
  });
});
