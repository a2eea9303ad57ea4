import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { type FeedLine, readStore, writeFeed } from "../../helpers/feed.ts";
import { openTestStore } from "../../helpers/markets/test-store.ts";

const change = (line: FeedLine, changes: Partial<FeedLine>): FeedLine => ({ ...line, ...changes });

describe("rows that a sync does not send", { timeout: 120_000 }, () => {
  it("are held for every change of a price on a new machine, until the unit of prices is known", async () => {
    const shop = await openTestStore({ products: 30 });
    const lines = readStore(shop.sandbox);
    const [first, second, third] = lines;
    if (first === undefined || second === undefined || third === undefined) throw new Error("few");
    // The second price is a hundred times the store's, with the right stock.
    const wanted = [
      { ...first, priceMinor: first.priceMinor + 100 },
      { ...second, priceMinor: second.priceMinor * 100, stock: second.stock + 1 },
      { ...third, stock: third.stock + 2 },
    ];
    const feed = writeFeed(join(shop.folder, "yeni.csv"), wanted);

    const unproven = await shop.run("sync", feed, "--json");
    const told = await shop.run("sync", feed, "--lang", "tr");
    const before = readStore(shop.sandbox);
    const known = await shop.run("sync", feed, "--json", "--price-unit", "minor");
    const later = await shop.run("sync", feed, "--json");

    const document = JSON.parse(unproven.out);
    expect([unproven.code, told.code, known.code, later.code]).toEqual([5, 5, 5, 5]);
    // The stocks do not wait for the unit.
    expect(before.slice(0, 3)).toEqual([
      first,
      { ...second, stock: second.stock + 1 },
      { ...third, stock: third.stock + 2 },
    ]);
    expect(document).toMatchObject({ exit: 5, counts: { rows: 3, updated: 0, held: 3 } });
    expect(document.warnings).toEqual([expect.stringContaining("--price-unit minor")]);
    expect(document.issues.map(({ code }: { code: string }) => code)).toEqual([
      "E_GUARD_PRICE_UNIT",
      "E_GUARD_PRICE_UNIT",
      "E_GUARD_PRICE_UNIT",
    ]);
    const output = told.err.replaceAll(/\s+/gu, " ");
    expect(output).toContain("Fiyatı değişen 3 satır bekletildi");
    expect(output).not.toContain("catalog release");
    expect(output.split("--price-unit minor")).toHaveLength(2);
    expect(JSON.parse(known.out).counts).toMatchObject({ updated: 1, unchanged: 1, held: 1 });
    expect(JSON.parse(later.out).counts).toMatchObject({ unchanged: 2, held: 1 });
    expect(readStore(shop.sandbox).slice(0, 3)).toEqual([
      wanted[0],
      { ...second, stock: second.stock + 1 },
      wanted[2],
    ]);
  });

  it("are held for every price in the first sync of a machine, with a note on the unit in which the feed equals the store", async () => {
    const shop = await openTestStore({ products: 30 });
    const lines = readStore(shop.sandbox);
    const wanted = lines.map((line, index) =>
      change(line, index === 0 ? { priceMinor: line.priceMinor * 50 } : {}),
    );
    const feed = writeFeed(join(shop.folder, "yeni.csv"), wanted);

    const { code, out } = await shop.run("sync", feed, "--json");

    expect(code).toBe(5);
    expect(JSON.parse(out)).toMatchObject({
      counts: { held: 30, unchanged: 0 },
      warnings: [expect.stringContaining("29 fiyat mağazadakiyle aynı çıkıyor")],
    });
    expect(readStore(shop.sandbox)).toEqual(lines);
  });

  it("lack the price while its unit is unknown, and get it once the unit is given, not by --resend --yes", async () => {
    const shop = await openTestStore({ products: 5 });
    const [line] = readStore(shop.sandbox);
    if (line === undefined) throw new Error("the sandbox has no products");
    const stock = join(shop.folder, "stok.csv");
    writeFileSync(stock, `Ürün Kodu;Stok\r\n${line.code};${line.stock + 1}\r\n`);
    const feed = writeFeed(join(shop.folder, "fiyat.csv"), [
      { ...line, priceMinor: line.priceMinor + 100, stock: line.stock + 1 },
    ]);

    const stocked = await shop.run("sync", stock, "--json");
    const held = JSON.parse((await shop.run("sync", feed, "--json")).out);
    const released = await shop.run("release", held.run, "--resend", "--yes", "--json");
    const still = await shop.run("sync", feed, "--json");
    const untouched = readStore(shop.sandbox)[0];
    const sent = await shop.run("sync", feed, "--json", "--price-unit", "minor");

    expect([stocked.code, held.exit, released.code, still.code]).toEqual([0, 5, 5, 5]);
    expect(JSON.parse(released.out).released).toMatchObject([
      { to: "held", code: "E_RELEASE_FEED_UNIT" },
    ]);
    expect([untouched?.priceMinor, sent.code]).toEqual([line.priceMinor, 0]);
    expect(readStore(shop.sandbox)[0]).toEqual({
      ...line,
      priceMinor: line.priceMinor + 100,
      stock: line.stock + 1,
    });
  });

  it("are reported as unsendable when the store does not take their stock, and as unchanged when it is equal", async () => {
    const shop = await openTestStore({ products: 30, personality: { "update-stock": "refused" } });
    const lines = readStore(shop.sandbox);
    const feed = writeFeed(join(shop.folder, "stok.csv"), lines);
    await shop.run("sync", feed, "--json", "--price-unit", "minor");
    const changed = lines.map((line, index) =>
      change(line, index < 4 ? { stock: line.stock + 3 } : {}),
    );
    writeFeed(feed, changed);
    await shop.run("sync", feed, "--json");
    const mixed = changed.map((line, index) =>
      change(line, index === 3 ? { priceMinor: line.priceMinor + 100 } : {}),
    );

    const known = await shop.run("sync", feed, "--json");
    const told = await shop.run("sync", feed, "--lang", "tr");
    writeFeed(feed, mixed);
    const partly = JSON.parse((await shop.run("sync", feed, "--json")).out);
    writeFeed(feed, readStore(shop.sandbox));
    const equal = JSON.parse((await shop.run("sync", feed, "--json")).out);

    expect([known.code, told.code]).toEqual([5, 5]);
    expect(JSON.parse(known.out)).toMatchObject({
      counts: { rows: 30, updated: 0, unchanged: 26, skipped: 4 },
      unsendable: { rows: 4, partly: 0, fields: ["stock_count"] },
    });
    expect(told.out).toContain("26 değişmedi, 4 gönderilemedi (mağaza güncellemede almıyor: Stok)");
    expect(partly).toMatchObject({
      exit: 5,
      counts: { updated: 1, unchanged: 26, skipped: 3 },
      unsendable: { rows: 3, partly: 1 },
    });
    expect(equal).toMatchObject({ exit: 0, counts: { unchanged: 30 }, warnings: [] });
    expect((await shop.run("runs", "--lang", "tr")).out).toContain("4 gönderilemedi");
  });
});
