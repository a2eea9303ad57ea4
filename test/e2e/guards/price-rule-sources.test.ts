/** The supplier of a price rule, which means the same in every command. */

import { createServer } from "node:http";

import { describe, expect, it, onTestFinished } from "vitest";

import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import { addMissedSchedule } from "../../helpers/note-schedule.ts";
import { formatCsv, goodRow, writeText } from "../../helpers/product-sheet.ts";

/** Serves what `body` returns at every path of an address. */
async function serve(body: () => string): Promise<string> {
  const server = createServer((_, response) => void response.end(body()));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const place = server.address();
  return `127.0.0.1:${typeof place === "object" && place !== null ? place.port : 0}`;
}

async function saveRules(shop: TestStore, ...lines: readonly string[]): Promise<void> {
  const sheet = writeText(shop.folder, "kurallar.csv", lines);
  expect(await shop.json("rules", "price", "import", sheet)).toMatchObject({ exit: 0 });
}

const stateOf = ({ sandbox }: TestStore): readonly unknown[] =>
  sandbox.products().map(({ price, stock_count: stock }) => [price, stock]);

const product = (number: number, price: number) =>
  goodRow(number, { "Fiyat *": price, "Stok *": 20 });

describe("a rule for a supplier", () => {
  it("refuses a feed that no price rule is for, and warns in the plan of a file", async () => {
    const shop = await openTestStore({ products: 2 });
    const before = stateOf(shop);
    const { folder, sandbox } = shop;
    await saveRules(shop, "No;Tedarikçi;Kâr ekle %", "1;beta;10");
    const lines = sandbox.products().map(({ product_code: code }) => `${code};55,00`);
    const feed = writeText(folder, "acme.csv", ["Ürün Kodu;Fiyat", ...lines]);
    const unit = ["--price-unit", "minor"];

    const refused = await shop.json("sync", feed, ...unit);
    const planned = await shop.json("plan", feed, ...unit);
    const imported = await shop.json("import", feed, ...unit, "--yes");
    const after = stateOf(shop);
    const allowed = await shop.json(
      "sync",
      feed,
      ...unit,
      "--allow",
      "no-rules,price-drop,price-scale",
    );

    expect(refused).toMatchObject({ exit: 3, error: { code: "E_FEED_NO_RULES" } });
    const told = JSON.stringify(refused.error);
    expect(told).toContain("“beta”");
    expect(told).toContain("“acme.csv”, “acme”");
    expect(JSON.stringify(planned.warnings)).toContain("“acme.csv”, “acme”");
    expect(imported.exit).toBe(3);
    expect(after).toEqual(before);
    expect(allowed.error).toBeUndefined();
  });

  it.each([
    ["allowed for its run", ["--allow", "no-rules"], { exit: 5, counts: { rejected: 1 } }, ""],
    ["made later", [], { exit: 3, counts: { pending: 1 } }, "catalog apply"],
  ])("asks about a retried row where none fits, unless that was %s", async (_, allow, end, way) => {
    const personality = { "update-stock": "refused" } as const;
    const shop = await openTestStore({ products: 1, personality });
    const rows = shop.sandbox.products().map(({ product_code: code, price }) => {
      return `${code};${(price + 100) / 100};999`;
    });
    const lines = ["Ürün Kodu;Fiyat;Stok", ...rows];
    const file = writeText(shop.folder, "acme.csv", lines);
    const save = () => saveRules(shop, "No;Tedarikçi;Kâr ekle %", "1;beta;10");
    if (allow.length > 0) await save();
    const how = ["--price-unit", "minor", "--decimal", "point", "--yes"];
    const first = await shop.json("import", file, ...how, ...allow);
    if (allow.length === 0) await save();

    const retried = await shop.json("retry", first.run, "--yes");
    const asked = await shop.run("retry", first.run, "--yes", "--lang", "en");

    expect(first.counts).toMatchObject({ rejected: 1 });
    expect(retried).toMatchObject(end);
    expect(asked.err).toContain(way);
    expect(asked.err).not.toContain("--allow");
  });

  it.each([
    ["the whole address", (host: string) => `http://${host}/dis/acme.csv?token=BASKA`],
    ["the host", () => "127.0.0.1"],
    ["the host with its port, in part", (host: string) => host.replace("127", "*")],
    ["the name of its file", () => "ACME"],
  ])("holds by %s in imports, syncs, schedules and drafts", async (_, nameIn) => {
    const shop = await openTestStore();
    let rows = [product(1, 100)];
    const host = await serve(() => formatCsv(rows));
    const link = `http://${host}/dis/acme.csv?token=GIZLI`;
    const allow = ["--allow-host", host];
    const quiet = ["--images", "off", "--no-verify"];
    await saveRules(
      shop,
      "No;Tedarikçi;Kâr ekle %;Yuvarlama;Stok payı",
      `1;${nameIn(host)};10;,90;2`,
    );

    const imported = await shop.json("import", link, "--yes", ...allow, ...quiet);
    const first = stateOf(shop);
    rows = [product(1, 101), product(2, 200)];
    const synced = await shop.json(
      "sync",
      link,
      ...allow,
      "--adds",
      "draft",
      "--price-unit",
      "minor",
    );
    const sent = await shop.json("import", `draft:${synced.draft}`, "--yes", ...quiet);
    const second = stateOf(shop);
    rows = [product(1, 102), product(2, 201)];
    const schedule = await addMissedSchedule(shop, link, { "allow-host": [host] });
    const scheduled = await shop.json("sync", `schedule:${schedule}`);

    expect(imported).toMatchObject({ exit: 0, counts: { added: 1 } });
    expect(first).toEqual([[110_90, 18]]);
    expect(synced).toMatchObject({ exit: 0, drafted: 1, counts: { updated: 1 } });
    expect(sent).toMatchObject({ exit: 0, counts: { added: 1 } });
    expect(second).toEqual([
      [111_90, 18],
      [220_90, 18],
    ]);
    expect(scheduled).toMatchObject({ exit: 0 });
    expect(stateOf(shop)).toEqual([
      [112_90, 18],
      [221_90, 18],
    ]);
  });
});

describe("a rule whose column the file lacks", () => {
  const HEADER = "No;Tedarikçi;Kaynak;Kâr ekle %";

  it.each([
    ["Ürün Kodu;Fiyat;KAYNAK TUTAR", "Kod", 5],
    ["Ürün Kodu;Fiyat;Alis Fiyati", "“Alis Fiyati”", 5],
    ["Ürün Kodu;Stok", "", 0],
  ])("leaves the prices of %s, and says so", async (header, nearest, exit) => {
    const shop = await openTestStore({ products: 2 });
    const price = shop.sandbox.products()[0]?.price ?? 0;
    const isFound = header.endsWith("TUTAR");
    await saveRules(shop, HEADER, isFound ? "1;;column:kaynak tutar;10" : "1;;alış;10");
    const lira = (price / 100).toFixed(2).replace(".", ",");
    const lines = shop.sandbox
      .products()
      .map(({ product_code: code }) => (exit === 0 ? `${code};7` : `${code};55,00;${lira}`));
    const feed = writeText(shop.folder, "acme.csv", [header, ...lines]);

    const synced = await shop.json("sync", feed, "--price-unit", "minor", "--lang", "tr");

    const prices = shop.sandbox.products().map((each) => each.price);
    if (isFound) {
      expect(prices[0]).toBe(Math.round((price * 110) / 100));
      return;
    }
    expect(synced).toMatchObject({ exit });
    expect(prices[0]).toBe(price);
    const told = JSON.stringify(synced.warnings);
    if (exit === 5) {
      expect(told).toContain("R1 “alış” sütununu istiyor");
      expect(told).toContain(`Dosyanın sütunları: ${nearest}`);
    } else expect(told).not.toContain("alış");
  });

  it("stops a feed whose column was renamed", async () => {
    const shop = await openTestStore({ products: 2 });
    await saveRules(shop, HEADER, "1;;AlisFiyati;10");
    const write = (header: string): string => {
      const lines = shop.sandbox
        .products()
        .map(
          ({ product_code: code, price }) =>
            `${code};7;${(price / 100).toFixed(2)};${(price / 100).toFixed(2)}`,
        );
      return writeText(shop.folder, "acme.csv", [`Ürün Kodu;Stok;Fiyat;${header}`, ...lines]);
    };
    const first = await shop.json("sync", write("AlisFiyati"), "--price-unit", "minor");

    const renamed = await shop.json("sync", write("Ozel1"));
    const accepted = await shop.json("sync", write("Ozel1"), "--accept-change");

    expect(first).toMatchObject({ counts: { invalid: 0 }, unused_columns: [] });
    expect(renamed).toMatchObject({ exit: 3, error: { code: "E_FEED_CHANGED" } });
    expect(JSON.stringify(renamed.error)).toContain("AlisFiyati");
    expect(accepted.error).toBeUndefined();
  });
});
