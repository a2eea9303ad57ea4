import { chmodSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { readStore } from "../../helpers/feed.ts";
import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import { goodRow, goodRows, writeCsv, writeText } from "../../helpers/product-sheet.ts";
import { SOURCE_PATHS, toAbsolutePath } from "../../helpers/source-paths.ts";

type Settings = Readonly<Record<string, string>>;

/** What is wrong, how the command ends, and what it says in both languages or in each. */
type Case = readonly [
  name: string,
  exit: number,
  code: string,
  says: string | readonly [tr: string, en: string],
  prepare: (shop: TestStore) => readonly [file: string, env?: Settings],
];

const good = ({ folder }: TestStore): string => writeCsv(folder, "urunler.csv", goodRows(2));

const csv = (shop: TestStore, text: string): string => writeText(shop.folder, "urunler.csv", text);

const withSettings =
  (env: Settings): Case[4] =>
  (shop) => [good(shop), env];

const CASES: readonly Case[] = [
  ["a file that is not there", 2, "E_FILE_MISSING", "yok.xlsx", () => ["yok.xlsx"]],
  ["a folder in place of a file", 2, "E_FILE_DIRECTORY", ["klasör", "folder"], () => ["."]],
  ["an empty file", 3, "E_FILE_EMPTY", ["boş", "empty"], (shop) => [csv(shop, "")]],
  [
    "a file with headers only",
    3,
    "E_NO_ROWS",
    ["satır", "rows"],
    (shop) => [csv(shop, "Ürün Kodu;Fiyat\n")],
  ],
  [
    "a file that is no table",
    3,
    "E_FILE_TYPE",
    ".xlsx",
    ({ folder }) => [writeText(folder, "sayfa.xlsx", "<!DOCTYPE html><html><body>x</body></html>")],
  ],
  [
    "a workbook cut off in the middle",
    3,
    "E_FILE_TRUNCATED",
    "kesik.xlsx",
    ({ folder }) => {
      const whole = readFileSync(toAbsolutePath(SOURCE_PATHS.sampleWorkbook));
      writeFileSync(join(folder, "kesik.xlsx"), whole.subarray(0, 900));
      return ["kesik.xlsx"];
    },
  ],
  [
    "no column of product codes",
    3,
    "E_FILE_COLUMNS",
    ["Ürün Kodu", "Product Code"],
    (shop) => [csv(shop, "Fiyat;Stok\n10,00;5\n")],
  ],
  [
    "two columns for one field",
    3,
    "E_FILE_COLUMNS",
    ["Stok", "Stock"],
    (shop) => [csv(shop, "Stok Kodu;Stok Adedi;Quantity\nA;5;6\n")],
  ],
  [
    "nobody at the other end",
    6,
    "NETWORK_ERROR",
    "catalog doctor",
    withSettings({ CATALOG_BASE_URL: "http://127.0.0.1:9" }),
  ],
  [
    "a wrong secret",
    4,
    "AUTH_ERROR",
    "CATALOG_CLIENT_SECRET",
    withSettings({ CATALOG_CLIENT_SECRET: "not-the-secret-0451" }),
  ],
  [
    "a store that has granted nothing",
    4,
    "PERMISSION_ERROR",
    "CATALOG_STORE_ID",
    (shop) => [good(shop), { CATALOG_STORE_ID: shop.sandbox.closedStoreId }],
  ],
  ["a missing setting", 2, "E_USAGE", "CATALOG_STORE_ID", withSettings({ CATALOG_STORE_ID: "" })],
  [
    "an address that is none",
    2,
    "SETTINGS_ERROR",
    "CATALOG_BASE_URL",
    withSettings({ CATALOG_BASE_URL: "http://market.example" }),
  ],
  [
    "a home that cannot be written",
    2,
    "E_DATABASE",
    "CATALOG_HOME",
    (shop) => [good(shop), { CATALOG_HOME: writeText(shop.folder, "dosya", "x") }],
  ],
];

const STACK_TRACE = /^\s+at .+[:(]\d+/mu;

describe("a command that cannot work", () => {
  it.each(CASES)(
    "states in both languages what is wrong with %s, and exits %i",
    async (...[, exit, code, says, prepare]) => {
      const shop = await openTestStore();
      const [file, env = {}] = prepare(shop);
      const words = ["import", file, "--yes", "--json", "--lang"];

      // One language runs in a process of its own; the other differs in texts only.
      const ended = [
        await shop.at(env).start(...words, "tr").finished,
        await shop.at(env).run(...words, "en"),
      ];

      for (const [index, { out, err, ...end }] of ended.entries()) {
        expect({ code: end.code, err }).toMatchObject({ code: exit });
        expect(JSON.parse(out)).toMatchObject({ exit, error: { code } });
        expect(err).toContain(typeof says === "string" ? says : says[index]);
        expect(err).not.toMatch(STACK_TRACE);
      }
      expect(shop.sandbox.stats().adds).toBe(0);
    },
  );

  it("warns of an unknown column and sends the others", async () => {
    const shop = await openTestStore();
    const rows = [goodRow(1, { "Fiyyat Notu": "x", Barkod: "123" })];
    const file = writeCsv(shop.folder, "urunler.csv", rows);

    const { warnings, exit: code } = await shop.json("import", file, "--yes");

    expect(code).toBe(0);
    expect(warnings.join("\n")).toContain("Fiyyat Notu");
    expect(warnings.join("\n")).toContain("Barkod");
    expect(shop.sandbox.stats().adds).toBe(1);
  });

  it("refuses new products without a required column, and names the column", async () => {
    const shop = await openTestStore();
    const path = csv(shop, "Ürün Kodu;Başlık\nA-1;Kaşık\nA-2;Çatal\n");

    const { issues, exit: code } = await shop.json("import", path, "--yes");

    expect(code).toBe(3);
    expect(issues).toHaveLength(2);
    expect(issues[0]).toMatchObject({ code: "E_COLUMN_MISSING", row: 2 });
    expect(issues[0].message.tr).toContain("Fiyat");
    expect(issues[0].message.en).toContain("Price");
  });

  it("requires --yes when no question can be asked", async () => {
    const shop = await openTestStore();

    const { code, err } = await shop.run("import", good(shop));

    expect(code).toBe(2);
    expect(err).toContain("--yes");
    expect(shop.sandbox.stats().requests).toBe(0);
  });

  it("answers what is mistyped with a suggestion, and exits 2", async () => {
    const shop = await openTestStore();

    for (const [says, ...args] of [
      ["import", "imprt", "x.xlsx"],
      ["catalog import urunler.xlsx", "import"],
      ["yess", "import", "x.xlsx", "--yess"],
      ["sil", "import", "x.xlsx", "--mode", "sil"],
      ["--concurrency", "import", "x.xlsx", "--yes", "--concurrency", "0"],
      ["--map", "import", "x.xlsx", "--yes", "--map", "Fiyat"],
      ["r-yok", "resume", "r-yok"],
    ] as const) {
      const { code, err, out } = await shop.run(...args);

      expect([args, code, out]).toEqual([args, 2, ""]);
      expect(err).toContain(says);
      expect(err).not.toMatch(STACK_TRACE);
    }
  });

  it("sends nothing where the result files could not be written", async () => {
    const shop = await openTestStore();
    const file = csv(shop, "Ürün Kodu;Stok\nA-1;5\n");
    const report = ["--report", join(file, "sonuc")];

    const { code, err } = await shop.run("import", file, "--yes", ...report);

    expect([code, shop.sandbox.stats().updates + shop.sandbox.stats().adds]).toEqual([2, 0]);
    expect(err).toContain("--report");
    expect(err).not.toMatch(STACK_TRACE);
  });

  it("reports what was sent when the result files can no longer be written", async () => {
    const shop = await openTestStore({ products: 3 });
    const [product] = readStore(shop.sandbox);
    const file = csv(shop, `Ürün Kodu;Stok\n${product?.code};${(product?.stock ?? 0) + 1}\n`);
    const folder = join(shop.folder, "sonuc");
    const planned = await shop.json("plan", file, "--report", folder);
    rmSync(folder, { recursive: true });
    writeText(shop.folder, "sonuc", "in the way");

    const applied = await shop.run("apply", planned.run);

    expect([applied.code, shop.sandbox.stats().updates]).toEqual([0, 1]);
    expect(applied.out).toMatch(/1 güncellendi|1 updated/u);
    expect(applied.err).toMatch(/sonuc: /u);
    expect(applied.err).not.toMatch(STACK_TRACE);
  });

  it("refuses a file without permission to read", async () => {
    const shop = await openTestStore();
    const file = csv(shop, "Ürün Kodu\nA\n");
    chmodSync(file, 0o000);

    const { code, err } = await shop.run("plan", file);

    // The superuser can read every file; other users are refused.
    expect(code).toBe(process.getuid?.() === 0 ? 3 : 2);
    expect(err).not.toMatch(STACK_TRACE);
  });
});
