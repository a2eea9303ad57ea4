import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { openSheet } from "@catalog/sheets";
import { describe, expect, it } from "vitest";

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

describe("catalog sync", { timeout: 120_000 }, () => {
  it("writes a file of held rows, by which a person releases some and closes others", async () => {
    const shop = await openTestStore({ products: 30 });
    const { feed, lines, fallen } = await syncFallen(shop, 3);
    const [first = "", second = ""] = lines.map(({ code }) => code);

    const held = JSON.parse((await shop.start("sync", feed, "--json").finished).out);
    const marked = await markHeld(held.files.held, { [first]: "Evet", [second]: "Hayır" });
    const release = shop.start("release", held.run, "--approved", marked, "--yes", "--json");
    const released = JSON.parse((await release.finished).out);
    const told = await shop.start("sync", feed, "--lang", "tr").finished;

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

  it("tells how many rows still wait where no mark can be followed", async () => {
    const shop = await openTestStore({ products: 30 });
    const { feed, lines } = await syncFallen(shop, 3);
    const held = JSON.parse((await shop.start("sync", feed, "--json").finished).out);
    const marked = await markHeld(held.files.held, { [lines[0]?.code ?? ""]: "belki" });

    const args = ["release", held.run, "--approved", marked, "--lang", "tr"];
    const { code, err } = await shop.start(...args).finished;

    expect(code).toBe(5);
    expect(err).toContain("Hiçbir satır gönderilmedi; 3 satır karar bekliyor.");
  });

  it("keeps the marks of a person who decides on one row by hand", async () => {
    const shop = await openTestStore({ products: 30 });
    const { feed } = await syncFallen(shop, 3);
    const held = JSON.parse((await shop.start("sync", feed, "--json").finished).out);
    writeFileSync(held.files.held, "marks of a person");

    const args = ["release", held.run, "--rows", "2", "--cancel", "--yes", "--lang", "tr"];
    const { code, err } = await shop.start(...args).finished;

    expect(code).toBe(0);
    expect(err).toContain("held-edited.xlsx adıyla saklandı.");
    expect(readFileSync(join(held.files.dir, "held-edited.xlsx"), "utf8")).toBe(
      "marks of a person",
    );
  });

  it("says that a row that was given up is held again, as the next sync then does", async () => {
    const shop = await openTestStore({ products: 30 });
    const { feed } = await syncFallen(shop, 2);
    const held = JSON.parse((await shop.run("sync", feed, "--json")).out);

    const args = ["release", held.run, "--rows", "2", "--cancel", "--yes", "--lang", "en"];
    const { code, err } = await shop.run(...args);
    const next = JSON.parse((await shop.run("sync", feed, "--json")).out);

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

    const { code, err, out } = await shop.run("sync", feed, "--json", "--lang", "en");

    expect(code).toBe(5);
    expect(err).toContain("The result files could not be written");
    expect(JSON.parse(out)).toMatchObject({ counts: { held: 1 }, files: { held: null } });
  });

  it("names the columns that it left unread, also when it is quiet", async () => {
    const shop = await openTestStore({ products: 30 });
    const { feed } = await syncFallen(shop, 0);
    const lines = readFileSync(feed, "utf8").trimEnd().split("\r\n");
    const wider = lines.map((line, index) => `${line};${index === 0 ? "Renk Kodu X" : "7"}`);
    writeFileSync(feed, `${wider.join("\r\n")}\r\n`);

    const { code, err } = await shop.run("sync", feed, "--quiet");

    expect([code, err]).toEqual([0, expect.stringContaining("“Renk Kodu X”")]);
  });
});
