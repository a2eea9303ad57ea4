import { chmodSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";

import type { Lang } from "@catalog/i18n";
import { describe, expect, it } from "vitest";

import { callCatalog } from "../../helpers/call-catalog.ts";
import { readStore } from "../../helpers/feed.ts";
import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import { type Finished, runCatalog } from "../../helpers/processes/catalog-process.ts";
import { goodRow, goodRows, writeText, writeWorkbook } from "../../helpers/product-sheet.ts";

interface Case {
  readonly name: string;
  readonly exit: number;
  readonly code: string;
  /** Text that the message contains: what is wrong, or the next step. */
  readonly says: readonly [tr: string, en: string];
  /** Returns the file to import and the changes of the environment. */
  readonly prepare: (
    shop: TestStore,
  ) => Promise<{ readonly file: string; readonly env?: Readonly<Record<string, string>> }>;
}

const good = (shop: TestStore): Promise<string> =>
  writeWorkbook(shop.folder, "urunler.xlsx", goodRows(2));

const csv = (shop: TestStore, text: string): string => writeText(shop.folder, "urunler.csv", text);

const CASES: readonly Case[] = [
  {
    name: "a file that is not there",
    exit: 2,
    code: "E_FILE_MISSING",
    says: ["yok.xlsx", "yok.xlsx"],
    prepare: async (shop) => ({ file: join(shop.folder, "yok.xlsx") }),
  },
  {
    name: "a folder in place of a file",
    exit: 2,
    code: "E_FILE_DIRECTORY",
    says: ["klasör", "folder"],
    prepare: async (shop) => {
      mkdirSync(join(shop.folder, "klasor"));
      return { file: join(shop.folder, "klasor") };
    },
  },
  {
    name: "an empty file",
    exit: 3,
    code: "E_FILE_EMPTY",
    says: ["boş", "empty"],
    prepare: async (shop) => ({ file: csv(shop, "") }),
  },
  {
    name: "a file with headers only",
    exit: 3,
    code: "E_NO_ROWS",
    says: ["satır", "rows"],
    prepare: async (shop) => ({ file: csv(shop, "Ürün Kodu;Fiyat\n") }),
  },
  {
    name: "a file that is no table",
    exit: 3,
    code: "E_FILE_TYPE",
    says: [".xlsx", ".xlsx"],
    prepare: async (shop) => ({
      file: writeText(shop.folder, "sayfa.xlsx", "<!DOCTYPE html><html><body>x</body></html>"),
    }),
  },
  {
    name: "a workbook cut off in the middle",
    exit: 3,
    code: "E_FILE_TRUNCATED",
    says: ["urunler.xlsx", "urunler.xlsx"],
    prepare: async (shop) => {
      const file = await good(shop);
      const { readFileSync, writeFileSync } = await import("node:fs");
      writeFileSync(file, readFileSync(file).subarray(0, 900));
      return { file };
    },
  },
  {
    name: "no column of product codes",
    exit: 3,
    code: "E_FILE_COLUMNS",
    says: ["Ürün Kodu", "Product Code"],
    prepare: async (shop) => ({ file: csv(shop, "Fiyat;Stok\n10,00;5\n") }),
  },
  {
    name: "two columns for one field",
    exit: 3,
    code: "E_FILE_COLUMNS",
    says: ["Stok", "Stock"],
    prepare: async (shop) => ({ file: csv(shop, "Stok Kodu;Stok Adedi;Quantity\nA;5;6\n") }),
  },
  {
    name: "nobody at the other end",
    exit: 6,
    code: "NETWORK_ERROR",
    says: ["catalog doctor", "catalog doctor"],
    prepare: async (shop) => ({
      file: await good(shop),
      env: { CATALOG_BASE_URL: "http://127.0.0.1:9" },
    }),
  },
  {
    name: "a wrong secret",
    exit: 4,
    code: "AUTH_ERROR",
    says: ["CATALOG_CLIENT_SECRET", "CATALOG_CLIENT_SECRET"],
    prepare: async (shop) => ({
      file: await good(shop),
      env: { CATALOG_CLIENT_SECRET: "not-the-secret-0451" },
    }),
  },
  {
    name: "a store that has granted nothing",
    exit: 4,
    code: "PERMISSION_ERROR",
    says: ["CATALOG_STORE_ID", "CATALOG_STORE_ID"],
    prepare: async (shop) => ({
      file: await good(shop),
      env: { CATALOG_STORE_ID: shop.sandbox.closedStoreId },
    }),
  },
  {
    name: "a missing setting",
    exit: 2,
    code: "E_USAGE",
    says: ["CATALOG_STORE_ID", "CATALOG_STORE_ID"],
    prepare: async (shop) => ({ file: await good(shop), env: { CATALOG_STORE_ID: "" } }),
  },
  {
    name: "an address that is none",
    exit: 2,
    code: "SETTINGS_ERROR",
    says: ["CATALOG_BASE_URL", "CATALOG_BASE_URL"],
    prepare: async (shop) => ({
      file: await good(shop),
      env: { CATALOG_BASE_URL: "http://market.example" },
    }),
  },
  {
    name: "a home that cannot be written",
    exit: 2,
    code: "E_DATABASE",
    says: ["CATALOG_HOME", "CATALOG_HOME"],
    prepare: async (shop) => ({
      file: await good(shop),
      env: { CATALOG_HOME: writeText(shop.folder, "dosya", "x") },
    }),
  },
];

const STACK_TRACE = /^\s+at .+[:(]\d+/mu;

async function tryCase({ prepare }: Case, shop: TestStore, lang: Lang): Promise<Finished> {
  const { file, env = {} } = await prepare(shop);
  // One language runs in a process of its own; the other differs in texts only.
  const run = lang === "tr" ? runCatalog : callCatalog;
  return await run(["import", file, "--yes", "--json", "--lang", lang], {
    cwd: shop.folder,
    env: { ...shop.env, ...env },
  });
}

describe("a command that cannot work", () => {
  for (const [index, lang] of (["tr", "en"] as const).entries()) {
    for (const each of CASES) {
      it(`states in ${lang} what is wrong with ${each.name}, and exits ${each.exit}`, async () => {
        const shop = await openTestStore();

        const { code, out, err } = await tryCase(each, shop, lang);

        expect({ code, err }).toMatchObject({ code: each.exit });
        expect(JSON.parse(out)).toMatchObject({ exit: each.exit, error: { code: each.code } });
        expect(err).toContain(each.says[index]);
        expect(err).not.toMatch(STACK_TRACE);
        expect(shop.sandbox.stats().adds).toBe(0);
      });
    }
  }

  it("warns of an unknown column and sends the others", async () => {
    const shop = await openTestStore();
    const rows = [goodRow(1, { "Fiyyat Notu": "x", Barkod: "123" })];
    const file = await writeWorkbook(shop.folder, "urunler.xlsx", rows);

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

    const { code, err } = await shop.run("import", await good(shop));

    expect(code).toBe(2);
    expect(err).toContain("--yes");
    expect(shop.sandbox.stats().requests).toBe(0);
  });

  it.each([
    [["imprt", "x.xlsx"], "import"],
    [["import"], "catalog import urunler.xlsx"],
    [["import", "x.xlsx", "--yess"], "yess"],
    [["import", "x.xlsx", "--mode", "sil"], "sil"],
    [["import", "x.xlsx", "--yes", "--concurrency", "0"], "--concurrency"],
    [["import", "x.xlsx", "--yes", "--map", "Fiyat"], "--map"],
    [["resume", "r-yok"], "r-yok"],
  ])("answers %j with a suggestion, and exits 2", async (args, says) => {
    const shop = await openTestStore();

    const { code, err, out } = await shop.run(...args);

    expect(code).toBe(2);
    expect(out).toBe("");
    expect(err).toContain(says);
    expect(err).not.toMatch(STACK_TRACE);
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

  it("tells what was sent where the result files can no longer be written", async () => {
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
