import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

import { writeXlsx } from "@catalog/sheets";
import { describe, expect, it } from "vitest";

import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import { goodRows, writeWorkbook } from "../../helpers/product-sheet.ts";
import { columnOf, readTable } from "../../helpers/read-table.ts";

const json = (text: string): Record<string, unknown>[] =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));

/** Makes the program learn the unit of the listing's prices. */
async function learnPriceUnit(shop: TestStore): Promise<void> {
  const file = await writeWorkbook(shop.folder, "once.xlsx", goodRows(2));
  await shop.run("import", file, "--yes", "--json");
}

describe("catalog export products", () => {
  it("writes every product of every status once, with a call for each page and at most ten more", async () => {
    const shop = await openTestStore({ products: 1000 });

    const document = await shop.json("export", "products", "--out", "u.jsonl");

    expect(document.exit).toBe(0);
    expect(document).toMatchObject({
      command: "export",
      kind: "products",
      state: "finished",
      exit: 0,
      counts: { rows: 1000 },
      files: { out: join(shop.folder, "u.jsonl") },
    });
    expect(document.requests.total).toBeLessThanOrEqual(1000 / 50 + 10);
    const rows = json(readFileSync(join(shop.folder, "u.jsonl"), "utf8"));
    const expected = shop.sandbox.products().map(({ id, status }) => [id, status]);
    expect(rows.map((row) => [row["product_id"], row["status"]])).toEqual(expected);
  });

  for (const format of ["csv", "xlsx"]) {
    it(`gives a ${format} file that changes nothing when it is imported`, async () => {
      const shop = await openTestStore({ products: 300 });
      await learnPriceUnit(shop);
      await shop.run("export", "products", "--out", `u.${format}`);

      const plan = await shop.json("plan", `u.${format}`);

      expect(plan).toMatchObject({
        planned: { add: 0, update: 0, unchanged: 302, invalid: 0, held: 0 },
        warnings: [],
      });
    });
  }

  it("gives a file in which seven changed prices are seven updates", async () => {
    const shop = await openTestStore({ products: 200 });
    await learnPriceUnit(shop);
    await shop.run("export", "products", "--out", "u.xlsx");
    const { header, rows } = await readTable(join(shop.folder, "u.xlsx"));
    const price = header.indexOf("Fiyat *");
    const edited = rows.map((cells, index) =>
      index % 25 === 3 && index < 175 ? cells.with(price, Number(cells[price]) + 1.5) : cells,
    );
    await writeXlsx({
      path: join(shop.folder, "u7.xlsx"),
      sheets: [
        {
          name: "Ürünler",
          columns: header.map((each) => ({ header: each })),
          rows: edited.map((cells) => cells.map(toOutCell)),
        },
      ],
    });

    const plan = await shop.json("plan", "u7.xlsx");

    expect(plan).toMatchObject({ planned: { update: 7, unchanged: 195 } });
  });

  it("keeps prices of an unknown unit out of the columns that an import maps, with a note", async () => {
    const shop = await openTestStore({ products: 60 });

    const { err } = await shop.run("export", "products", "--out", "u.csv");
    const plan = await shop.json("plan", "u.csv");

    const table = await readTable(join(shop.folder, "u.csv"));
    expect(new Set(columnOf(table, "Fiyat *").map(String))).toEqual(new Set(["null"]));
    expect(table.header).toContain("Fiyat, pazaryerinden geldiği gibi (salt okunur)");
    expect(err).toContain("--price-unit");
    const wanted = await shop.run("export", "products", "--columns", "price", "--out", "v.csv");
    expect(wanted.code).toBe(2);
    expect(wanted.err).toContain("--price-unit minor (kuruş) ya da --price-unit major (lira)");
    expect(plan).toMatchObject({ planned: { update: 0, unchanged: 60 } });
  });

  it("remembers a unit that was given once, with the same names of columns before and after", async () => {
    const shop = await openTestStore({ products: 60 });
    const keysOf = (file: string): readonly string[] =>
      Object.keys(json(readFileSync(join(shop.folder, file), "utf8"))[0] ?? {});

    await shop.run("export", "products", "--out", "before.jsonl");
    await shop.run("export", "products", "--out", "u.xlsx", "--price-unit", "minor");
    const plan = await shop.json("plan", "u.xlsx");
    const again = await shop.run("export", "products", "--out", "after.jsonl");

    expect(plan).toMatchObject({ planned: { held: 0, unchanged: 60 } });
    expect(again.err).not.toContain("--price-unit");
    expect(keysOf("after.jsonl")).toEqual(keysOf("before.jsonl"));
  });

  it("remembers the unit that a person has stated for orders, whatever sending prices proves", async () => {
    const shop = await openTestStore({ products: 60 });
    const units = async (): Promise<ReadonlySet<unknown>> => {
      await shop.run("export", "orders", "--all", "--out", "o.jsonl", "--fresh");
      const rows = json(readFileSync(join(shop.folder, "o.jsonl"), "utf8"));
      return new Set(rows.map((row) => row["amount_unit"]));
    };
    await shop.run("export", "products", "--out", "p.csv", "--price-unit", "minor");
    const before = await units();
    const lines = shop.sandbox
      .products()
      .map(({ product_code: code, price }) => `${code};${(price / 100 + 1).toFixed(2)}`);
    const file = join(shop.folder, "fiyat.csv");
    writeFileSync(file, ["Ürün Kodu;Fiyat", ...lines, ""].join("\n").replaceAll(".", ","));
    await shop.run("import", file, "--yes");

    expect(before).toEqual(new Set(["major"]));
    expect(await units()).toEqual(before);
  });

  it("exports the products of several codes, and names a code that no product has", async () => {
    const shop = await openTestStore({ products: 60 });
    const [one, two] = shop.sandbox.products().map(({ product_code: code }) => code);

    const { err } = await shop.run(
      "export",
      "products",
      "--code",
      `${one}, ${two},YOK-1`,
      "--out",
      "u.csv",
    );

    const codes = columnOf(await readTable(join(shop.folder, "u.csv")), "Ürün Kodu *");
    expect([codes.length, new Set(codes)]).toEqual([2, new Set([one, two])]);
    expect(err).toContain("“YOK-1”");
    expect(err).not.toContain(`“${one}”`);
  });

  it.each(["minor", "major"] as const)(
    "writes whole currency for prices in %s units",
    async (prices) => {
      const shop = await openTestStore({ products: 30, personality: { prices } });

      await shop.run("export", "products", "--out", "u.jsonl", "--price-unit", prices);

      const rows = json(readFileSync(join(shop.folder, "u.jsonl"), "utf8"));
      const expected = shop.sandbox.products().map(({ price }) => price / 100);
      expect(rows.map((row) => row["price"])).toEqual(expected);
    },
  );

  it.each([
    ["tr", /^\d+,\d{2}$/u],
    ["en", /^\d+\.\d{2}$/u],
  ] as const)("writes prices with two decimals to a CSV file in %s", async (lang, shape) => {
    const shop = await openTestStore({ products: 30 });
    const columns = ["--columns", "price,paid_price", "--price-unit", "minor", "--lang", lang];

    await shop.run("export", "products", "--out", "u.csv", ...columns);

    const [, ...lines] = readFileSync(join(shop.folder, "u.csv"), "utf8").trimEnd().split("\r\n");
    const written = lines.map((line) => line.split(lang === "tr" ? ";" : ",")[0] ?? "");
    expect(written.filter((price) => !shape.test(price))).toEqual([]);
    const expected = shop.sandbox.products().map(({ price }) => price);
    expect(written.map((price) => Number(price.replace(/[.,]/u, "")))).toEqual(expected);
  });

  it("filters as the marketplace does, and writes only the wanted columns", async () => {
    const shop = await openTestStore({ products: 200 });
    const args = ["--status", "veto,passive", "--columns", "status,product_code", "--lang", "en"];

    await shop.run("export", "products", "--out", "u.csv", ...args);
    const wrong = await shop.run("export", "products", "--out", "x.csv", "--satisfaction", "happy");

    const table = await readTable(join(shop.folder, "u.csv"));
    expect(table.header).toEqual(["Status (read-only)", "Product Code *"]);
    expect(new Set(columnOf(table, "Status (read-only)"))).toEqual(new Set(["Passive", "Veto"]));
    expect(wrong.code).toBe(2);
    expect(wrong.err).toContain("--satisfaction");
  });

  it("stops after the page at Ctrl-C, and resumes with the same command", async () => {
    const shop = await openTestStore({ products: 1000, latencyMs: 20 });
    const args = ["export", "products", "--out", "u.jsonl"] as const;
    const { child, finished } = shop.start(...args);
    while (shop.sandbox.stats().requests < 6) await wait(2);
    child.kill("SIGINT");
    const stopped = await finished;

    expect(stopped.code).toBe(130);
    expect(stopped.err).toContain(" export products --out u.jsonl");
    expect(existsSync(join(shop.folder, "u.jsonl"))).toBe(false);
    const resumed = await shop.json(...args);
    expect(resumed).toMatchObject({ counts: { rows: 1000 } });
    expect(resumed.err).toContain("Yarım kalan dışa aktarma sürüyor");
    const rows = json(readFileSync(join(shop.folder, "u.jsonl"), "utf8"));
    expect(new Set(rows.map((row) => row["product_id"])).size).toBe(1000);
  });

  it("loses and duplicates nothing when it is killed", async () => {
    const shop = await openTestStore({ products: 500, latencyMs: 10 });
    const { child, finished } = shop.start("export", "products", "--out", "u.jsonl");
    while (shop.sandbox.stats().requests < 7) await wait(2);
    child.kill("SIGKILL");
    await finished;

    const { code } = await shop.run("export", "products", "--out", "u.jsonl");

    expect(code).toBe(0);
    const rows = json(readFileSync(join(shop.folder, "u.jsonl"), "utf8"));
    const ids = shop.sandbox.products().map(({ id }) => id);
    expect(rows.map((row) => row["product_id"])).toEqual(ids);
  });

  it("states until when it waits under a small hourly limit, and stops waiting at Ctrl-C", async () => {
    const shop = await openTestStore({ products: 500 });
    const args = ["export", "products", "--out", "u.csv", "--requests-per-hour", "20"] as const;
    const { child, finished } = shop.start(...args);
    let output = "";
    child.stderr?.on("data", (text: string) => (output += text));
    while (!output.includes("bekleniyor")) await wait(5);
    child.kill("SIGINT");

    expect((await finished).code).toBe(130);
    expect(output).toMatch(/saat \d\d:\d\d sonrasına kadar bekleniyor/u);
  });
});

describe("catalog export comments", () => {
  it("masks names, in a file that only its owner can read", async () => {
    const shop = await openTestStore({ products: 40 });

    await shop.run("export", "comments", "--store-wide", "--out", "y.csv");

    const names = columnOf(await readTable(join(shop.folder, "y.csv")), "Ad Soyad");
    expect(names).toHaveLength(2000);
    expect(names.every((name) => /^(?:\S\*\*\* ?)+$/u.test(String(name)))).toBe(true);
    expect(statSync(join(shop.folder, "y.csv")).mode & 0o777).toBe(0o600);
  });

  it("names the product of each comment, and exports nothing twice", async () => {
    const shop = await openTestStore({ products: 30 });
    const args = [
      "export",
      "comments",
      "--since",
      "last",
      "--out",
      "y.csv",
      "--json",
      "--overwrite",
    ] as const;

    const first = await shop.run(...args);
    const table = await readTable(join(shop.folder, "y.csv"));
    const second = await shop.run(...args);

    expect(JSON.parse(first.out)).toMatchObject({ counts: { rows: 2000 } });
    expect(first.err).toMatch(/yaklaşık [\d.]+ istek/u);
    expect(columnOf(table, "Ürün Kodu")).not.toContain(null);
    expect(JSON.parse(second.out)).toMatchObject({ counts: { rows: 0 } });
    expect(JSON.parse(second.out).requests.total).toBeLessThan(5);
  });
});

describe("catalog export", () => {
  it("replaces a file only with --overwrite", async () => {
    const shop = await openTestStore({ products: 3 });
    writeFileSync(join(shop.folder, "u.csv"), "mine");

    const refused = await shop.run("export", "products", "--out", "u.csv");

    expect(refused.code).toBe(2);
    expect(refused.err).toContain('"u.csv" zaten var');
    expect(refused.err).toContain("--overwrite");
    expect(shop.sandbox.stats().requests).toBe(0);
    expect(readFileSync(join(shop.folder, "u.csv"), "utf8")).toBe("mine");
    const { code } = await shop.run("export", "products", "--out", "u.csv", "--overwrite");
    expect(code).toBe(0);
    expect(readFileSync(join(shop.folder, "u.csv"), "utf8")).not.toBe("mine");
  });

  it("refuses unknown columns before it reads, and takes headers and keys in both languages", async () => {
    const shop = await openTestStore({ products: 3 });
    const args = ["export", "products", "--out", "u.csv", "--columns"] as const;

    const refused = await shop.run(...args, "product_code,Baslk");
    const priced = await shop.run(...args, "Fiyat");

    expect([refused.code, priced.code]).toEqual([2, 2]);
    expect(refused.err).toContain("Bunlardan biri mi: “Başlık”");
    expect(priced.err).toContain("--price-unit minor");
    expect(shop.sandbox.stats().requests).toBe(0);
    await shop.run(...args, "stok,Title,Durum,product_id");
    const { header } = await readTable(join(shop.folder, "u.csv"));
    expect(header).toEqual(["Stok *", "Başlık *", "Durum (salt okunur)", "Ürün ID"]);
  });

  it.each(["tr", "en"])("runs every example of its help in a new store, in %s", async (lang) => {
    const shop = await openTestStore({ products: 30 });
    const { out: help } = await shop.run("export", "--help", "--lang", lang);
    const kinds = ["products", "comments", "orders", "questions", "payments"];

    const pages = await Promise.all(
      kinds.map(async (kind) => (await shop.run("export", kind, "--help", "--lang", lang)).out),
    );

    const lines = [help, ...pages].flatMap(
      (page) => page.match(/^ *catalog export .*--out.*$/gmu) ?? [],
    );
    const examples = new Set(lines.map((line) => line.trim().replace(/^catalog /u, "")));
    expect(examples.size).toBe(11);
    for (const example of examples) {
      const { code, err } = await shop.run(...example.split(" "), "--lang", lang);
      expect([example, code, err]).toEqual([example, 0, expect.any(String)]);
    }
  });

  it.each([
    ["orders", "order_code"],
    ["questions", "question_id"],
    ["payments", "payment_id"],
  ])("writes only %s to stdout", async (kind, key) => {
    const shop = await openTestStore({ products: 20 });

    const { code, out } = await shop.run("export", kind, "--out", "-", "--format", "jsonl");

    expect(code).toBe(0);
    const rows = json(out);
    expect(rows.length).toBeGreaterThan(10);
    expect(rows.every((row) => typeof row[key] === "string")).toBe(true);
    expect(out).not.toContain("@ornek.example");
  });

  it.each([
    [["export", "products"], "--out"],
    [["export", "products", "--out", "u.txt"], "--format"],
    [["export", "products", "--out", "yok/u.csv"], "yok"],
    [["export", "orders", "--out", "o.csv", "--start-date", "dün"], "2026-01-31"],
    [["export", "products", "--out", "-", "--json"], "--json"],
    [["export", "products", "--out", "u.csv", "--store-wide"], "--store-wide"],
  ])("explains %s before it makes a call", async (args, word) => {
    const shop = await openTestStore({ products: 1 });

    const { code, err } = await shop.run(...args);

    expect(code).toBe(2);
    expect(err).toContain(word);
    expect(shop.sandbox.stats().requests).toBe(0);
  });
});

function toOutCell(value: unknown): string | number | null {
  return typeof value === "string" || typeof value === "number" ? value : null;
}
