import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { openSheet } from "@catalog/sheets";
import { describe, expect, it } from "vitest";

import { ageRuns } from "../../helpers/age-runs.ts";
import { type FeedLine, readStore, writeFeed } from "../../helpers/feed.ts";
import { markHeld } from "../../helpers/mark-held.ts";
import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";

interface FallenFeed {
  readonly feed: string;
  readonly lines: readonly FeedLine[];
  readonly fallen: readonly FeedLine[];
}

/** Syncs a feed, in which the prices of the first products then fall to a quarter. */
async function syncFallen(shop: TestStore, count: number): Promise<FallenFeed> {
  const lines = readStore(shop.sandbox);
  const feed = writeFeed(join(shop.folder, "stok.csv"), lines);
  const { code } = await shop.run("sync", feed, "--json", "--price-unit", "minor");
  expect(code).toBe(0);
  const fallen = lines.map(({ priceMinor, ...line }, index) => {
    const price = index < count ? Math.round(priceMinor / 4) : priceMinor;
    return { ...line, priceMinor: price };
  });
  writeFeed(feed, fallen);
  return { feed, lines, fallen };
}

describe("catalog sync", () => {
  it("writes a file of held rows, by which a person releases some and closes others", async () => {
    const shop = await openTestStore({ products: 30 });
    const { feed, lines, fallen } = await syncFallen(shop, 3);
    const [first = "", second = ""] = lines.map(({ code }) => code);

    const held = await shop.json("sync", feed);
    const marked = await markHeld(held.files.held, { [first]: "Evet", [second]: "Hayır" });
    const released = await shop.json("release", held.run, "--approved", marked, "--yes");
    const told = await shop.run("sync", feed, "--lang", "tr");

    const seen = await shop.run("runs", held.run, "--lang", "en");
    expect(seen.out).toMatch(/^Result .*2 closed \(given up, or taken over by a later sync\)/mu);
    expect(Object.keys(held.files).filter((name) => held.files[name] !== null)).toEqual([
      "dir",
      "held",
    ]);
    await using sheet = await openSheet({ path: marked });
    // A sync keeps no titles of the store, and an empty column tells nothing.
    expect(sheet.header.cells).not.toContain("Mağazadaki Ürün");
    expect(released.counts_now).toMatchObject({ rows: 2, pending: 1, cancelled: 1 });
    expect(readStore(shop.sandbox)).toEqual([fallen[0], ...lines.slice(1)]);
    expect(told.out).toMatch(/^Bekleyen satırlar: catalog-results.*held\.xlsx$/mu);
    expect(told.err).toMatch(/catalog release r-\S+ --approved catalog-results\S+held\.xlsx/u);
  });

  it("says how many rows still wait when no mark is valid", async () => {
    const shop = await openTestStore({ products: 30 });
    const { feed, lines } = await syncFallen(shop, 3);
    const held = await shop.json("sync", feed);
    const marked = await markHeld(held.files.held, { [lines[0]?.code ?? ""]: "belki" });

    const args = ["release", held.run, "--approved", marked, "--lang", "tr"];
    const { code, err } = await shop.run(...args);

    expect(code).toBe(5);
    expect(err).toContain("Hiçbir satır gönderilmedi; 3 satır karar bekliyor.");
  });

  it("keeps the marks of a person who decides on one row by hand", async () => {
    const shop = await openTestStore({ products: 30 });
    const { feed } = await syncFallen(shop, 3);
    const held = await shop.json("sync", feed);
    writeFileSync(held.files.held, "marks of a person");

    const args = ["release", held.run, "--rows", "2", "--cancel", "--yes", "--lang", "tr"];
    const { code, err } = await shop.run(...args);

    expect(code).toBe(0);
    expect(err).toContain("held-edited.xlsx adıyla saklandı.");
    expect(readFileSync(join(held.files.dir, "held-edited.xlsx"), "utf8")).toBe(
      "marks of a person",
    );
  });

  it("says that the next sync will hold an abandoned row again", async () => {
    const shop = await openTestStore({ products: 30 });
    const { feed } = await syncFallen(shop, 2);
    const held = await shop.json("sync", feed);

    const args = ["release", held.run, "--rows", "2", "--cancel", "--yes", "--lang", "en"];
    const { code, err } = await shop.run(...args);
    const next = await shop.json("sync", feed);

    expect(code).toBe(0);
    expect(err.replaceAll(/\s+/gu, " ")).toContain(
      "As long as the feed has such a value, the next sync holds the row that was given up again; correct the feed to end that.",
    );
    expect(next.counts).toMatchObject({ held: 2 });
  });

  it("ends as it does otherwise where the file of held rows cannot be written", async () => {
    const shop = await openTestStore({ products: 30 });
    const { feed } = await syncFallen(shop, 1);
    writeFileSync(join(shop.folder, "catalog-results"), "");

    const document = await shop.json("sync", feed, "--lang", "en");

    expect(document.exit).toBe(5);
    expect(document.err).toContain("The result files could not be written");
    expect(document).toMatchObject({ counts: { held: 1 }, files: { held: null } });
  });

  it("names the columns it ignored, even with --quiet", async () => {
    const shop = await openTestStore({ products: 30 });
    const { feed } = await syncFallen(shop, 0);
    const lines = readFileSync(feed, "utf8").trimEnd().split("\r\n");
    const wider = lines.map((line, index) => `${line};${index === 0 ? "Renk Kodu X" : "7"}`);
    writeFileSync(feed, `${wider.join("\r\n")}\r\n`);

    const { code, err } = await shop.run("sync", feed, "--quiet");

    expect([code, err]).toEqual([0, expect.stringContaining("“Renk Kodu X”")]);
  });
});

const change = (line: FeedLine, changes: Partial<FeedLine>): FeedLine => ({ ...line, ...changes });

describe("rows that a sync does not send", () => {
  it("are held for every price change on a new machine until the price unit is known", async () => {
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

    const unproven = await shop.json("sync", feed);
    const told = await shop.run("sync", feed, "--lang", "tr");
    const before = readStore(shop.sandbox);
    const known = await shop.json("sync", feed, "--price-unit", "minor");
    const later = await shop.json("sync", feed);

    const document = unproven;
    expect([unproven.exit, told.code, known.exit, later.exit]).toEqual([5, 5, 5, 5]);
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
    expect(known.counts).toMatchObject({ updated: 1, unchanged: 1, held: 1 });
    expect(later.counts).toMatchObject({ unchanged: 2, held: 1 });
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

    const document = await shop.json("sync", feed);

    expect(document.exit).toBe(5);
    expect(document).toMatchObject({
      counts: { held: 30, unchanged: 0 },
      warnings: [expect.stringContaining("29 fiyat mağazadakiyle aynı çıkıyor")],
    });
    expect(readStore(shop.sandbox)).toEqual(lines);
  });

  it("omit the price until its unit is given, even with --resend --yes", async () => {
    const shop = await openTestStore({ products: 5 });
    const [line] = readStore(shop.sandbox);
    if (line === undefined) throw new Error("the sandbox has no products");
    const stock = join(shop.folder, "stok.csv");
    writeFileSync(stock, `Ürün Kodu;Stok\r\n${line.code};${line.stock + 1}\r\n`);
    const feed = writeFeed(join(shop.folder, "fiyat.csv"), [
      { ...line, priceMinor: line.priceMinor + 100, stock: line.stock + 1 },
    ]);

    const stocked = await shop.json("sync", stock);
    const held = await shop.json("sync", feed);
    const released = await shop.json("release", held.run, "--resend", "--yes");
    const still = await shop.json("sync", feed);
    const untouched = readStore(shop.sandbox)[0];
    const sent = await shop.json("sync", feed, "--price-unit", "minor");

    expect([stocked.exit, held.exit, released.exit, still.exit]).toEqual([0, 5, 5, 5]);
    expect(released.released).toMatchObject([{ to: "held", code: "E_RELEASE_FEED_UNIT" }]);
    expect([untouched?.priceMinor, sent.exit]).toEqual([line.priceMinor, 0]);
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

    const known = await shop.json("sync", feed);
    const told = await shop.run("sync", feed, "--lang", "tr");
    writeFeed(feed, mixed);
    const partly = await shop.json("sync", feed);
    writeFeed(feed, readStore(shop.sandbox));
    const equal = await shop.json("sync", feed);

    expect([known.exit, told.code]).toEqual([5, 5]);
    expect(known).toMatchObject({
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

describe("syncs that repeatedly hold the same row", () => {
  it("are deleted but for the newest, whose row waits", async () => {
    const { sandbox, folder, run } = await openTestStore({ products: 12 });
    const feed = join(folder, "stok.csv");
    const lines = readStore(sandbox);
    const sync = async (given: readonly FeedLine[]): Promise<string> => {
      writeFeed(feed, given);
      const { out } = await run("sync", feed, "--json", "--price-unit", "minor");
      return JSON.parse(out).run;
    };
    const ids: string[] = [];
    for (let at = 1; at <= 4; at += 1) {
      const [first, ...rest] = lines.map((line) => ({ ...line, stock: line.stock + at }));
      if (first === undefined) throw new Error("the store is empty");
      ids.push(await sync([{ ...first, priceMinor: Math.round(first.priceMinor / 10) }, ...rest]));
    }
    // Of another feed, so that the four are not the newest runs.
    const other = join(folder, "baska.csv");
    writeFeed(other, lines);
    await run("sync", other);
    ageRuns(join(folder, "home"), 200);

    const told = await run("runs", "prune", "--older-than", "1d", "--lang", "tr");

    expect(told.out).toMatch(/^2 çalıştırmanın \d+ satırı silindi/u);
    const words = told.err.replaceAll(/\s+/gu, " ");
    expect(words).toContain("Karar bekleyen satırları olan 1 eski çalıştırma saklanıyor.");
    expect(words).toContain(`catalog release ${ids[3]}`);
    const shown = await Promise.all(
      ids.map(async (id) => JSON.parse((await run("runs", id, "--json")).out)),
    );
    expect(shown.map(({ counts, pruned }) => [counts.held, pruned !== undefined])).toEqual([
      [0, true],
      [0, true],
      // It has the newest event, and waits until there is a newer one.
      [0, false],
      [1, false],
    ]);
    const replaced = await run("release", ids[2] ?? "", "--lang", "tr");
    expect(replaced.err.replaceAll(/\s+/gu, " ")).toContain(`catalog release ${ids[3]}`);
    expect((await run("explain", ids[2] ?? "", "2", "--lang", "tr")).out).toContain(
      "Beslemenin daha yeni bir eşitlemesi var",
    );
  });
});
