import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { systemClock } from "@catalog/clock";
import { createRecordJudge } from "@catalog/mapping";
import { resolveSheetLink, streamXlsx } from "@catalog/sheets";
import { describe, expect, it, onTestFinished } from "vitest";

import { createSheetCount } from "../../src/file/describe-file.ts";
import {
  createTableDownload,
  hashFile,
  openTable,
  type SheetQuestion,
} from "../../src/file/open-table.ts";

/** A workbook as from our template, with two sheets of products. */
async function workbookOfTwo(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "open-table-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "liste.xlsx");
  const columns = [{ header: "Ürün Kodu" }, { header: "Stok" }];
  const sheets = [
    { name: "Ürünler", columns, rows: [["KOD-9", 5]] },
    { name: "Aksesuarlar", columns, rows: [["KOD-1", 7]] },
  ];
  await streamXlsx({ path, sheets });
  return path;
}

it("asks which of several sheets with the same headers is read", async () => {
  const asked: SheetQuestion[] = [];
  const askSheet = async (question: SheetQuestion): Promise<string> => {
    asked.push(question);
    return "Aksesuarlar";
  };

  const { sheet, given } = await openTable({ path: await workbookOfTwo() }, { askSheet });

  await sheet.close();
  expect([sheet.sheet, given.sheet]).toEqual(["Aksesuarlar", "Aksesuarlar"]);
  expect(asked).toEqual([
    {
      file: "liste.xlsx",
      of: "sheet",
      sheets: [
        { name: "Ürünler", rows: 2, sample: undefined },
        { name: "Aksesuarlar", rows: 2, sample: undefined },
      ],
    },
  ]);
});

const node = (name: string, code: number): string =>
  `<${name}><kod>${code}</kod><stok>1</stok></${name}>`;

it("asks which record of a document is a product, and reads it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "open-table-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "a.xml");
  writeFileSync(path, `<x>${node("a", 1)}${node("a", 2)}${node("b", 3)}${node("b", 4)}</x>`);
  const asked: SheetQuestion[] = [];
  const askSheet = async (question: SheetQuestion): Promise<string> => {
    asked.push(question);
    return "x/b";
  };

  const { sheet, given } = await openTable(
    { path, judgeRecord: createRecordJudge() },
    { askSheet },
  );

  await sheet.close();
  expect([sheet.kind, sheet.sheet, given.sheet]).toEqual(["xml", "x/b", "x/b"]);
  expect(asked).toEqual([
    {
      file: "a.xml",
      of: "record",
      sheets: [
        { name: "x/a", rows: 2, sample: ["kod", "stok"] },
        { name: "x/b", rows: 2, sample: ["kod", "stok"] },
      ],
    },
  ]);
});

it.each([
  ["nobody can be asked", {}],
  ["no sheet is chosen", { askSheet: async () => undefined }],
])("refuses several sheets with the same headers where %s", async (_, questions) => {
  const opening = openTable({ path: await workbookOfTwo() }, questions);

  await expect(opening).rejects.toMatchObject({
    code: "E_SHEET_CHOICE",
    localized: { tr: expect.stringContaining("“Aksesuarlar” (2 dolu satır)") },
  });
});

/** A server of tables, and a folder for downloads. */
async function openFixture(answer: RequestListener, path = "/Ürün listesi.csv") {
  const folder = mkdtempSync(join(tmpdir(), "tables-"));
  const server = createServer(answer);
  onTestFinished(async () => {
    rmSync(folder, { recursive: true });
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const host = `127.0.0.1:${port}`;
  const link = resolveSheetLink(`http://${host}${path}`);
  if (link === undefined) throw new Error("that is no link");
  return { folder: join(folder, "tables"), link, host };
}

describe("createTableDownload", () => {
  it("keeps the table of a link in one file, however often it is downloaded", async () => {
    let text = "Kod;Stok\nA-1;5\n";
    const { folder, link, host } = await openFixture((_, response) => response.end(text));
    const download = createTableDownload({ folder, clock: systemClock, allowHosts: [host] });

    const first = await download(link);
    text = "Kod;Stok\nA-1;6\n";
    const second = await download(link);

    expect(second).toBe(first);
    expect(readFileSync(second, "utf8")).toBe(text);
    expect(readdirSync(folder)).toHaveLength(1);
    expect(first).toMatch(/\.csv$/u);
  });

  it("names the limit of a table that is too large", async () => {
    const { folder, link, host } = await openFixture((_, response) => response.end("x".repeat(99)));
    const limits = { downloadMb: 0.000_01 };
    const allowHosts = [host];
    const download = createTableDownload({ folder, clock: systemClock, allowHosts, limits });

    await expect(download(link)).rejects.toMatchObject({
      code: "E_TABLE_DOWNLOAD",
      localized: { en: expect.stringContaining("raise limits.downloadMb in catalog.config.json") },
    });
  });

  it("reads nothing from a private address that is not allowed", async () => {
    const { folder, link } = await openFixture((_, response) => response.end("secret"));
    const download = createTableDownload({ folder, clock: systemClock });

    const error: unknown = await download(link).catch((thrown: unknown) => thrown);

    expect(error).toMatchObject({ code: "E_TABLE_DOWNLOAD" });
    expect(String(error)).toContain("private network");
    expect(readdirSync(folder)).toEqual([]);
  });

  it("keeps the earlier table when the next download fails", async () => {
    let status = 200;
    const { folder, link, host } = await openFixture((_, response) => {
      response.writeHead(status).end("Kod;Stok\n");
    });
    const download = createTableDownload({ folder, clock: systemClock, allowHosts: [host] });
    const path = await download(link);
    status = 404;

    const error: unknown = await download(link).catch((thrown: unknown) => thrown);

    expect(error).toMatchObject({ code: "E_TABLE_DOWNLOAD" });
    expect(String(error)).toContain("404");
    expect(readFileSync(path, "utf8")).toBe("Kod;Stok\n");
    expect(readdirSync(folder)).toHaveLength(1);
  });

  it("tries again where the server fails, and says how often", async () => {
    let failures = 2;
    const { folder, link, host } = await openFixture((_, response) => {
      failures -= 1;
      if (failures < 0) response.end("Kod;Stok\nA-1;5\n");
      else response.writeHead(503, { "retry-after": "0" }).end();
    });
    const download = createTableDownload({ folder, clock: systemClock, allowHosts: [host] });

    const path = await download(link);
    failures = 100;
    const error: unknown = await download(link).catch((thrown: unknown) => thrown);

    expect(readFileSync(path, "utf8")).toBe("Kod;Stok\nA-1;5\n");
    expect(failures).toBe(96);
    expect(error).toMatchObject({
      code: "E_TABLE_DOWNLOAD",
      localized: {
        en: expect.stringContaining(
          "failed (503). Check the system that makes the file, and try again later. It was tried 4 times.",
        ),
      },
    });
  });
});

it.each([0, 1, 524_288, 1_500_000])("hashes the %i bytes of a file", async (size) => {
  const folder = mkdtempSync(join(tmpdir(), "catalog-hash-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const bytes = Buffer.alloc(size, "kaşık;");
  const path = join(folder, "a.csv");
  writeFileSync(path, bytes);

  expect(await hashFile(path)).toBe(createHash("sha256").update(bytes).digest("hex"));
  expect(await hashFile(join(folder, "missing.csv"))).toBeUndefined();
  expect(await hashFile(folder)).toBeUndefined();
});

it("names each of several sheets with its number of products, also where it has none", () => {
  const sheets = [
    { name: "Yaz", rowsBefore: 0 },
    { name: "Kış", rowsBefore: 2_000 },
    { name: "Güz", rowsBefore: 3_000 },
  ];
  const count = createSheetCount({ sheets });

  for (const row of [2, 3, 2_002]) count.note(row);

  expect(count.notes()).toEqual([
    {
      tr: "Birlikte okunan sayfalar: “Yaz” 2 satır, “Kış” 1 satır, “Güz” 0 satır.",
      en: "Sheets read together: “Yaz” 2 rows, “Kış” 1 row, “Güz” 0 rows.",
    },
  ]);
});

it("has no note on a file with one sheet", () => {
  const count = createSheetCount({});

  count.note(2);

  expect(count.notes()).toEqual([]);
});
