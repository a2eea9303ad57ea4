import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { openSheet } from "../src/index.ts";
import { collect, fileOf, readAll, refusal, temporaryFolder } from "./helpers/files.ts";
import { xlsxOf } from "./helpers/workbooks.ts";

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

  for (const [kind, content] of [
    ["csv", "a;b\n1;2\n"],
    ["xlsx", xlsxOf("")],
  ] as const) {
    it(`rejects with the reason of the signal, for ${kind}`, async () => {
      const signal = AbortSignal.abort(new Error("enough"));

      await expect(openSheet({ path: fileOf("a", content), signal })).rejects.toThrow("enough");
    });
  }

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

describe("rows of another width than the headers", () => {
  it("are refused with the row that was taken for the headers, which may be another one", async () => {
    const path = fileOf("a.csv", "Rapor;Liste\nMal No;Ad;Bakiye\n1;a;3\n2;b;4\n");

    const error = await refusal(readAll(path));

    expect(error).toMatchObject({ code: "E_DELIMITER", details: { row: 1 } });
    expect(error.localized.tr).toContain(
      "başlık: 1. satır). Başlıklar başka bir satırdaysa --header-row",
    );
  });
});
