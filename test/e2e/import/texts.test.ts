import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import iconv from "iconv-lite";
import { describe, expect, it } from "vitest";

import { makeZip } from "../../files/bad-files/make-zip.ts";
import { callCatalog } from "../../helpers/call-catalog.ts";
import { COMMANDS, openHostileMarket, UNSEEN } from "../../helpers/markets/hostile-market.ts";
import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import type { Finished } from "../../helpers/processes/catalog-process.ts";
import { hasTerminal, startOnTerminal } from "../../helpers/processes/terminal-process.ts";
import {
  formatCsv,
  goodRow,
  goodRows,
  HEADERS,
  type ProductRow,
  writeCsv,
  writeText,
  writeWorkbook,
} from "../../helpers/product-sheet.ts";

/** Headers as machine keys, which have no letter that tells an encoding. */
const KEYS =
  "product_code;title;sub_title;category;brand;brand_model;description;price;stock;warranty_type;warranty_period;shipping_template;image_1";

const upper = (text: unknown): string => String(text).toLocaleUpperCase("tr");

function writeEncoded(shop: TestStore, rows: readonly ProductRow[], encoding: string): string {
  const file = join(shop.folder, "liste.csv");
  const text = formatCsv(rows, { headers: HEADERS }).replace(/^.*$/mu, KEYS);
  writeFileSync(file, iconv.encode(text, encoding));
  return file;
}

const titles = (shop: TestStore): readonly string[] =>
  shop.sandbox
    .products()
    .map(({ title }) => title)
    .toSorted();

it("adds products in capitals from a file of Excel with the titles of the file", async () => {
  const shop = await openTestStore();
  const names = ["ÜRÜN SETİ", "TEPSİ", "KEMER SETİ", "FİNCAN SETİ", "TENCERE SETİ", "SÜT ŞİŞESİ"];
  const rows = names.map((title, index) => {
    const texts = { "Başlık *": title, "Alt Başlık *": title, "Açıklama *": `${title}: UZUN` };
    const cells = Object.entries(goodRow(index + 1, texts));
    const capitals = cells.map(([header, cell]) =>
      header.startsWith("Görsel") || typeof cell === "number"
        ? [header, cell]
        : [header, upper(cell)],
    );
    return Object.fromEntries(capitals);
  });

  const { code } = await shop.run("import", writeEncoded(shop, rows, "windows-1254"), "--yes");

  expect(code).toBe(0);
  expect(titles(shop)).toEqual(names.toSorted());
});

it("sends nothing of a file with an ambiguous encoding, and shows both readings", async () => {
  const shop = await openTestStore();
  const file = join(shop.folder, "liste.csv");
  writeFileSync(file, iconv.encode("product_code;title;price\nYOK-1;Ülker;5\n", "windows-1254"));

  const plan = await shop.run("plan", file);
  const imported = await shop.run("import", file, "--yes", "--lang", "en");
  const given = await shop.json("plan", file, "--encoding", "windows-1254");

  expect([plan.code, imported.code]).toEqual([3, 3]);
  expect(plan.err).toContain("windows-1254: “Ülker”; macturkish: “İlker”");
  expect(imported.err).toContain("--encoding windows-1254");
  expect(given.counts).toMatchObject({ rows: 1 });
  expect(titles(shop)).toEqual([]);
});

it("repairs text that was encoded twice only on request", async () => {
  const shop = await openTestStore();
  const file = writeEncoded(shop, [goodRow(1, { "Başlık *": "Kaşık" })], "utf-8");
  const twice = new TextDecoder("windows-1252").decode(readFileSync(file));
  writeFileSync(file, twice);

  const refused = await shop.run("import", file, "--yes");
  const repaired = await shop.run("import", file, "--yes", "--encoding", "utf-8-twice");

  expect(refused.code).toBe(3);
  expect(refused.err.replaceAll(/\s+/gu, " ")).toContain("--encoding utf-8-twice");
  expect(repaired.code).toBe(0);
  expect(titles(shop)).toEqual(["Kaşık"]);
});

it("syncs a feed whose ambiguous letters are not sent, and refuses one with ambiguous codes", async () => {
  const shop = await openTestStore({ products: 3 });
  const [product] = shop.sandbox.products();
  const feed = join(shop.folder, "stok.csv");
  const write = (code: string, title: string): void =>
    writeFileSync(
      feed,
      iconv.encode(`product_code;stock;note\n${code};9;${title}\n`, "windows-1254"),
    );

  write(product?.product_code ?? "", "Ülker");
  const told = await shop.run("sync", feed);
  write("KOD-Ü", "Tava");
  const refused = await shop.run("sync", feed);

  expect(told.code).toBe(0);
  expect(shop.sandbox.products()[0]).toMatchObject({ stock_count: 9 });
  expect(refused.code).toBe(3);
  expect(refused.err).toContain("--encoding");
});

const fixture = (name: string): string =>
  fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));

/** A store that has the products from `TST-00001` on. */
async function openFilledShop(count: number): Promise<TestStore> {
  const shop = await openTestStore();
  const file = writeCsv(shop.folder, "liste.csv", goodRows(count));
  expect((await shop.run("import", file, "--yes")).code).toBe(0);
  return shop;
}

/** Code, price and stock of every product. */
const heldBy = (shop: TestStore): readonly (readonly unknown[])[] =>
  shop.sandbox
    .products()
    .toSorted((a, b) => (a.product_code < b.product_code ? -1 : 1))
    .map((product) => [product.product_code, product.price, product.stock_count]);

/** The issues of a plan, as `A2 E_…`. */
async function issuesOf(shop: TestStore, ...args: readonly string[]): Promise<readonly string[]> {
  const document = await shop.json("plan", ...args);
  const { issues }: { issues: { cell: string; code: string }[] } = document;
  return issues.map(({ cell, code }) => `${cell} ${code}`);
}

const OFFICE = "urn:oasis:names:tc:opendocument:xmlns";

/** A spreadsheet as some libraries write it, whose number cells have a value and no text. */
function odsOf(rows: readonly (readonly (string | number)[])[]): Buffer {
  const cells = rows.map((row) =>
    row.map((cell) =>
      typeof cell === "number"
        ? `<table:table-cell office:value="${cell}" office:value-type="float"/>`
        : `<table:table-cell office:value-type="string"><text:p>${cell}</text:p></table:table-cell>`,
    ),
  );
  const lines = cells.map((row) => `<table:table-row>${row.join("")}</table:table-row>`);
  return makeZip([
    { name: "mimetype", content: "application/vnd.oasis.opendocument.spreadsheet" },
    {
      name: "content.xml",
      content: `<office:document-content xmlns:office="${OFFICE}:office:1.0" xmlns:table="${OFFICE}:table:1.0" xmlns:text="${OFFICE}:text:1.0"><office:body><office:spreadsheet><table:table table:name="S">${lines.join("")}</table:table></office:spreadsheet></office:body></office:document-content>`,
    },
  ]);
}

describe("cells that show something else than they store", () => {
  // Written by openpyxl and xlwt, and converted to .ods by LibreOffice.
  it.each(["shown-cells.xlsx", "shown-cells.xls", "shown-cells.ods"])(
    "are refused, and the others are sent as shown: %s",
    async (name) => {
      const shop = await openFilledShop(5);

      const issues = await issuesOf(shop, fixture(name), "--mode", "update");
      const { code } = await shop.run("import", fixture(name), "--mode", "update", "--yes");

      expect(code).toBe(5);
      expect(issues.filter((issue) => !issue.endsWith("E_PRODUCT_UNKNOWN"))).toEqual([
        "B2 E_PRICE_CURRENCY",
        "B5 E_CELL_FORMAT",
        "C6 E_NOT_INTEGER",
        "A7 E_CELL_FORMAT",
        "A8 E_CELL_FORMAT",
      ]);
      expect(heldBy(shop)).toEqual([
        ["TST-00001", 2099, 11],
        ["TST-00002", 2550, 7],
        ["TST-00003", 2400, 8],
        ["TST-00004", 2399, 14],
        ["TST-00005", 2499, 15],
      ]);
      const discounted = shop.sandbox.products().find(({ discount_type: type }) => type === 2);
      expect(discounted).toMatchObject({ product_code: "TST-00003", discount_value: 15 });
    },
  );
});

describe("number cells of an .ods file without a text", () => {
  it("are sent with the other cells of their row", async () => {
    const shop = await openFilledShop(2);
    const file = join(shop.folder, "guncelle.ods");
    writeFileSync(
      file,
      odsOf([
        ["Ürün Kodu", "Başlık", "Fiyat", "Stok"],
        ["TST-00001", "Yeni başlık", 25.5, 9],
      ]),
    );

    const { code } = await shop.run("import", file, "--mode", "update", "--yes");

    expect(code).toBe(0);
    expect(heldBy(shop)[0]).toEqual(["TST-00001", 2550, 9]);
  });
});

describe("codes that a program has protected or damaged", () => {
  it('are sent without ="…" and without an apostrophe before digits', async () => {
    const shop = await openTestStore();
    const codes = ['="00123"', '"=""00124"""', "'00125", "=A1+1"];
    const rows = codes.map((code, index) =>
      goodRow(index + 1, { "Ürün Kodu *": code, "Açıklama *": "Uzun" }),
    );
    // Papaparse would quote what a program has not.
    const lines = [HEADERS, ...rows.map((row) => HEADERS.map((header) => row[header]))];
    const file = writeText(
      shop.folder,
      "liste.csv",
      lines.map((cells) => cells.join(";")),
    );

    const issues = await issuesOf(shop, file);
    const { code } = await shop.run("import", file, "--yes");

    expect(code).toBe(5);
    expect(issues).toEqual(["A5 E_FORMULA"]);
    expect(heldBy(shop).map(([product]) => product)).toEqual(["00123", "00124", "00125"]);
  });

  it("are asked about when Excel may have removed their leading zeros", async () => {
    const shop = await openTestStore();
    const codes = ["00123", 124, "00125", 12_345];
    const rows = codes.map((code, index) => goodRow(index + 1, { "Ürün Kodu *": code }));
    const file = await writeWorkbook(shop.folder, "liste.xlsx", rows);

    const issues = await issuesOf(shop, file);
    const { code } = await shop.run("import", file, "--yes");

    expect(code).toBe(5);
    expect(issues).toEqual(["A3 E_CODE_SUSPECT"]);
    expect(heldBy(shop).map(([product]) => product)).toEqual(["00123", "00125", "12345"]);
    expect(await issuesOf(shop, file, "--allow", "code-suspect")).toEqual([]);
  });
});

interface Visit {
  /** Runs a command in a store whose names contain control characters. */
  readonly go: (...args: readonly string[]) => Promise<Finished>;
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** A sheet of such texts, with an unlisted brand. */
  readonly file: string;
}

async function visit(): Promise<Visit> {
  const shop = await openTestStore({ breaks: BREAKS });
  const { env } = shop.at({ CATALOG_BASE_URL: await openHostileMarket(shop.sandbox) });
  const folder = join(shop.folder, `klasör${UNSEEN}`);
  mkdirSync(folder);
  const known = goodRow(5);
  const file = await writeWorkbook(folder, `liste${UNSEEN}.xlsx`, [
    ...goodRows(4),
    { ...known, "Marka *": `${String(known["Marka *"])}q${UNSEEN}` },
    goodRow(6, { "Fiyat *": `${UNSEEN}on beş${COMMANDS}`, [`Not${COMMANDS}`]: COMMANDS }),
  ]);
  const at = { env, cwd: folder };
  return { env, folder, file, go: (...args) => callCatalog(args, at) };
}

const BREAKS = {
  "unknown-path": "doctor asks the bare address",
  "early-token": "doctor proves the credentials with a token of its own",
};

const SHOWN = String.raw`\u001b\u009b\u0007\u202e\u200f`;

/** Lines that begin like the program's own because of an outside text. */
const forged = ({ out, err }: Finished): readonly string[] =>
  `${out}\n${err}`.split("\n").filter((line) => line.trimStart().startsWith("SAHTE"));

// Every command of the suite fails where it prints a control character that is not the program's
// own; these texts contain such characters, in every place through which a text comes in.
describe("texts with control characters", () => {
  it("are escaped by every command that shows them", async () => {
    const { go, folder, file } = await visit();
    const ended: Finished[] = [];
    const run = async (...args: readonly string[]): Promise<Finished> => {
      const finished = await go(...args);
      ended.push(finished);
      return finished;
    };

    const looked = await run("lookup", "categories");
    const checked = await run("doctor");
    const failed = await run("lookup", "cities");
    const planned = await run("plan", file, "--json", "--map", `Not=${COMMANDS}`);
    const imported = await run("import", file, "--yes");
    const runId = /r-[\w-]+/u.exec(imported.out + imported.err)?.[0] ?? "";
    const history = await run("runs");
    await run("runs", runId);
    for (const row of ["4", "6", "7"]) await run("explain", runId, row);
    await run("report", runId);
    await run("rules");
    await run("export", "products", "--out", `mal${UNSEEN}.csv`, "--format", "csv");
    const missing = await run("plan", `yok${COMMANDS}.xlsx`);
    await run(`import${UNSEEN}`, `--bu${UNSEEN}`);
    await run("lookup", "brands", UNSEEN, "--category", UNSEEN);
    writeFileSync(join(folder, "catalog.config.json"), `{"storeId${COMMANDS}": 1}`);
    await run("runs");
    writeFileSync(
      join(folder, "catalog.config.json"),
      JSON.stringify({ home: COMMANDS, images: { upload: { command: [COMMANDS] } } }),
    );
    await run("trust");

    expect(looked.out).toContain(SHOWN);
    expect(checked.code).toBe(0);
    expect(JSON.parse(planned.out)).toMatchObject({ command: "plan" });
    expect(runId).not.toBe("");
    expect(history.out).toContain(SHOWN);
    expect([failed.err.includes("Olmadı"), missing.code]).toEqual([true, 2]);
    expect(ended.flatMap(forged)).toEqual([]);
  });

  it.skipIf(!hasTerminal)("are escaped on a terminal, in questions and in lists", async () => {
    const { env, folder, file } = await visit();
    writeFileSync(join(folder, "catalog.config.json"), JSON.stringify({ home: COMMANDS }));

    const trusting = startOnTerminal({ env: { ...env, CATALOG_HOME: "" }, folder }, "runs");
    await trusting.shows("güveniyor musunuz");
    trusting.type("\r");
    const untrusted = await trusting.finished;
    const planning = startOnTerminal({ env, folder }, "import", file);
    await planning.shows("Hangisi");
    planning.type("\r");
    await planning.shows("Devam edilsin mi");
    planning.type("\r");
    const planned = await planning.finished;
    const words = ["export", "products", "--out", "-", "--format", "csv"];
    const exported = await startOnTerminal({ env, folder }, ...words).finished;

    expect(untrusted.screen).toContain(String.raw`\u001b[2J`);
    expect(planned.screen).toContain(SHOWN);
    expect(exported.screen).not.toBe("");
  });
});
