import { type ConnectionOptions, priceUnitOf } from "@catalog/connection";
import {
  createTestConnection,
  startMarketplaceServer,
  type TestConnection,
} from "@catalog/connection/testing";
import { idSchemas } from "@catalog/contract";
import { createFakeMarketplace } from "@catalog/runs/testing";
import { describe, expect, it } from "vitest";

import { readReleasedChanges } from "../../src/apply/released-changes.ts";
import { headerKey } from "../../src/columns/column-profiles.ts";
import { findFeedFile } from "../../src/feed/feed-file.ts";
import { feedKey } from "../../src/feed/feed-name.ts";
import { prepareFeed } from "../../src/feed/prepare-feed.ts";
import { syncFeed, type SyncFeedOptions, type SyncResult } from "../../src/feed/sync-feed.ts";
import { addRules } from "../../src/names/value-rules.ts";

type Settings = Pick<ConnectionOptions, "guardLimits" | "priceUnit">;

/** Plans a feed that empties one of the store's two products, and stops before sending. */
async function planOnce(set: Settings, given: Partial<SyncFeedOptions> = {}): Promise<SyncResult> {
  return await planIn(await openFixture(set), given);
}

const openFixture = async (set: Settings = {}): Promise<TestConnection> =>
  await createTestConnection({ ...set, baseUrl: (await startMarketplaceServer()).baseUrl });

async function planIn(
  { connection, folder, write }: TestConnection,
  given: Partial<SyncFeedOptions> = {},
): Promise<SyncResult> {
  const stop = new AbortController();
  return await syncFeed(connection, {
    feed: write("stok.csv", "Ürün Kodu;Stok\r\nKOD-1;0\r\nKOD-2;9\r\n"),
    lang: "tr",
    reading: {},
    allowed: [],
    reconcileMs: 0,
    reportDir: folder,
    stop: stop.signal,
    onEvent: ({ event }) => (event === "planned" ? stop.abort() : undefined),
    ...given,
  });
}

describe("syncFeed, with changed guard limits", () => {
  const guardLimits = { zeroStockRows: 2 };

  it("refuses a feed that a changed limit stops", async () => {
    await expect(planOnce({ guardLimits })).rejects.toMatchObject({
      code: "E_FEED_ZERO_STOCK",
    });
  });

  it("syncs after the lines of refused feeds were pruned", async () => {
    const test = await openFixture({ guardLimits });
    await expect(planIn(test)).rejects.toMatchObject({ code: "E_FEED_ZERO_STOCK" });
    await test.clock.advance(2 * 86_400_000);
    await test.connection.storage.prune({ keepMs: 90 * 86_400_000 });
    const [refused] = await test.connection.runs.list(1);

    const { counts } = await planIn(test, { allowed: ["zero-stock"] });

    expect(refused?.prunedAtMs).toBeDefined();
    expect(counts).toMatchObject({ rows: 2, pending: 1, unchanged: 1 });
  });

  it("accepts a feed whose guard is switched off for this sync", async () => {
    const { counts } = await planOnce({ guardLimits }, { allowed: ["zero-stock"] });

    expect(counts).toMatchObject({ rows: 2, pending: 1, unchanged: 1 });
  });

  it("accepts a feed within the default limits where none was changed", async () => {
    const { counts, run } = await planOnce({});

    expect(counts).toMatchObject({ rows: 2, pending: 1, unchanged: 1 });
    expect(run?.facts?.priceUnit).toBe("unknown");
  });

  it("uses the unit of prices that was set", async () => {
    const { run } = await planOnce({ priceUnit: "major" });

    expect(run?.facts?.priceUnit).toBe("major");
  });
});

it.each([
  [undefined, 2],
  ["once", undefined],
  ["shadow", undefined],
] as const)(
  "prepareFeed reads new products for a draft, but not in a trial (%s)",
  async (trial, products) => {
    const { connection, folder, write } = await openFixture();
    const path = write("stok.csv", "Ürün Kodu;Stok\r\nYENİ-1;3\r\nYENİ-2;9\r\n");
    const store = { reconciledAtMs: null, priceUnit: "minor", sweep: 0 } as const;
    const releases = await readReleasedChanges(connection, { isReadOnly: true });
    const feed = { file: findFeedFile(path), key: feedKey(path), last: undefined, isDue: false };
    const how = {
      lang: "tr",
      reading: {},
      allowed: [],
      reconcileMs: 0,
      reportDir: folder,
    } as const;

    const prepared = await prepareFeed(
      connection,
      { ...how, feed: path, adds: "draft", trial },
      { ...feed, store, releases },
    );

    expect(prepared.newProducts?.products).toBe(products);
  },
);

describe("syncFeed, after other runs have learned about the store", () => {
  const STOCK = { action: "update", field: "stock_count", state: "refused" } as const;

  it("leaves out a field that the store does not take, and warns once", async () => {
    const test = await openFixture();
    await test.connection.verificationLog.saveCapabilities([STOCK]);

    const { run, counts, warnings, isQuestioned } = await planIn(test);

    expect(counts).toMatchObject({ rows: 2, unchanged: 1, skipped: 1, pending: 0 });
    expect(warnings.map(({ tr }) => tr)).toEqual([expect.stringContaining("Stok (stock_count)")]);
    expect(run?.warnings.map(({ code }) => code)).toEqual(["W_FIELD_REFUSED"]);
    expect(isQuestioned).toBe(true);
  });

  it("sends a refused field when it is to be tried again", async () => {
    const test = await openFixture();
    await test.connection.verificationLog.saveCapabilities([STOCK]);

    const { counts, warnings } = await planIn(test, { tryRefused: true });

    expect([counts.pending, warnings]).toEqual([1, []]);
  });

  it("uses the unit of prices that an import has learned", async () => {
    const test = await openFixture();
    await priceUnitOf(test.connection).save("major", "sent");

    const { run } = await planIn(test);

    expect(run?.facts?.priceUnit).toBe("major");
  });

  it("stores the learned unit of prices for imports", async () => {
    const test = await openFixture();
    await planIn(test, { priceUnit: "minor" });

    const known = await priceUnitOf(test.connection).known();

    expect(known.remembered).toBe("minor");
  });
});

async function planLines(...lines: readonly string[]): Promise<SyncResult> {
  const test = await openFixture();
  return await planIn(test, { feed: test.write("satirlar.csv", `${lines.join("\r\n")}\r\n`) });
}

it("syncFeed finds the headers of a feed below the lines of a report", async () => {
  const synced = await planLines("Rapor;Stok", "Tarih;bugün", "Ürün Kodu;Stok", "KOD-1;8");

  expect(synced.counts).toMatchObject({ rows: 1, invalid: 0 });
});

describe("syncFeed, with rows of another length than the header", () => {
  it("refuses a row whose cells have slipped, and does not send it", async () => {
    const synced = await planLines("Ürün Kodu;Not;Stok", "KOD-1;bir;4;9", "KOD-2;iki;9");

    expect(synced.counts).toMatchObject({ rows: 2, invalid: 1, pending: 0 });
  });

  it("accepts rows that end early or with empty cells", async () => {
    const short = await planLines("Ürün Kodu;Stok;Not", "KOD-1;8", "KOD-2;9;x");
    const long = await planLines("Ürün Kodu;Stok;Not", "KOD-1;8;x", "KOD-2;9;x;");

    for (const { counts } of [short, long]) {
      expect(counts).toMatchObject({ rows: 2, invalid: 0, pending: 1, unchanged: 1 });
    }
  });
});

const writeForeign = ({ write }: TestConnection): string =>
  write("urunler.csv", "id;SKU;Regular price;Stock;Is featured?;Tax class\r\n7;KOD-1;;3;0;\r\n");

describe("syncFeed, with a feed of another platform", () => {
  it("recognises the platform by the headers, and leaves its ids out", async () => {
    const fixture = await openFixture();

    const { counts, platform, unused } = await planIn(fixture, { feed: writeForeign(fixture) });

    expect(platform).toMatchObject({ name: "woocommerce", isGiven: false });
    expect(unused).toEqual(["id", "Is featured?", "Tax class"]);
    expect(counts).toMatchObject({ rows: 1, invalid: 0, pending: 1 });
  });

  it("reads it without the platform's profile where a person says so", async () => {
    const fixture = await openFixture();
    const reading = { platform: "none" };

    const { platform } = await planIn(fixture, { feed: writeForeign(fixture), reading });

    expect(platform).toBeUndefined();
  });
});

const feedOf = ({ write }: TestConnection): string =>
  write("erp.csv", "Kod No;Adet X\r\nKOD-1;8\r\n");

describe("syncFeed, with a named column profile", () => {
  it("reads the columns as an import has saved them", async () => {
    const fixture = await openFixture();
    const headers = ["Kod No", "Adet X"];
    const columns = { "Kod No": "product_code", "Adet X": "stock" };
    await fixture.connection.memory.profiles.save({
      name: "erp",
      headerKey: headerKey(headers),
      headers,
      columns,
      constants: {},
      decimal: null,
      learntFrom: null,
    });

    const { counts } = await planIn(fixture, {
      feed: feedOf(fixture),
      reading: { profile: "erp" },
    });

    expect(counts).toMatchObject({ rows: 1, invalid: 0, pending: 1 });
  });

  it("says what has changed where the feed was taken with it before, and goes on where it may", async () => {
    const fixture = await openFixture();
    const headers = ["Kod No", "Adet X", "Tutar Y"];
    const columns = { "Kod No": "product_code", "Adet X": "stock", "Tutar Y": "price" };
    const named = { name: "erp", headerKey: headerKey(headers), headers, columns };
    const rest = { constants: {}, decimal: null, learntFrom: null };
    await fixture.connection.memory.profiles.save({ ...named, ...rest });
    const read = async (
      header: string,
      given: Partial<SyncFeedOptions> = {},
    ): Promise<SyncResult> =>
      await planIn(fixture, {
        feed: fixture.write("erp.csv", `${header}\r\nKOD-1;8;100,00\r\nKOD-2;9;100,00\r\n`),
        reading: { profile: "erp" },
        ...given,
      });
    await read("Kod No;Adet X;Tutar Y");

    await expect(read("Kod No;Adet X;Fiyat")).rejects.toMatchObject({
      code: "E_FEED_CHANGED",
      issues: [{ message: { tr: expect.stringContaining("“Tutar Y” (“100,00”)") } }],
    });
    await expect(read("Kod No;Zzz;Tutar Y")).rejects.toMatchObject({
      code: "E_FEED_CHANGED",
      issues: [{ message: { tr: expect.stringContaining("“Adet X”") } }],
    });
    await expect(read("Zzz;Adet X;Tutar Y")).rejects.toMatchObject({ code: "E_FEED_CHANGED" });
    const { counts } = await read("Kod No;Adet X;Fiyat", { acceptsChange: true });
    expect(counts).toMatchObject({ rows: 2, invalid: 0 });
    expect((await read("Kod No;Adet X;Fiyat")).counts).toMatchObject({ rows: 2, invalid: 0 });
    const refused = (await fixture.connection.runs.list(20)).filter(({ facts }) => facts === null);
    expect(refused.map(({ warnings }) => warnings.map(({ code }) => code))).toEqual(
      Array.from({ length: 3 }, () => ["E_FEED_CHANGED", "E_FEED_CHANGED"]),
    );
  });

  it("is refused where these headers have none of that name", async () => {
    const fixture = await openFixture();

    const synced = planIn(fixture, { feed: feedOf(fixture), reading: { profile: "erp" } });

    await expect(synced).rejects.toThrow(/“erp”.*catalog import FILE --profile erp/u);
  });
});

it("syncFeed says when the whole store was read last", async () => {
  const fixture = await openFixture();
  const first = await planIn(fixture);
  await fixture.clock.advance(60_000);

  const second = await planIn(fixture, { reconcileMs: 3_600_000 });

  expect(first.reconciled).toBe(2);
  expect(second).toMatchObject({ reconciled: undefined, storeReadAtMs: first.storeReadAtMs });
});

describe("syncFeed, when a column of the feed goes away", () => {
  const files = [
    ["besleme.csv", "besleme.csv"],
    ["besleme-2026-11-26.csv", "besleme-2026-11-27.csv"],
  ] as const;
  it.each(files)("stops until a person allows it: %s, %s", async (first, next) => {
    const test = await openFixture();
    const planWith = async (
      name: string,
      text: string,
      given: Partial<SyncFeedOptions> = {},
    ): Promise<SyncResult> => await planIn(test, { feed: test.write(name, text), ...given });
    const withStock = "Ürün Kodu;Stok;Fiyat\r\nKOD-2;9;10,00\r\n";
    const without = "Ürün Kodu;Fiyat;Renk\r\nKOD-2;10,00;mavi\r\n";
    await planWith(first, withStock);

    await expect(planWith(next, without)).rejects.toMatchObject({
      code: "E_FEED_FEWER_COLUMNS",
      localized: { tr: expect.stringContaining("Stok (“Stok”)") },
    });
    const allowed = await planWith(next, without, { allowed: ["fewer-columns"] });
    const again = await planWith(next, without);

    expect([allowed.counts.rows, again.counts.rows]).toEqual([1, 1]);
  });
});

describe("syncFeed, when the cells of a column go away", () => {
  const codes = ["KOD-1", "KOD-2", "KOD-3", "KOD-4"];
  const withStocks = (stocks: readonly string[]): string =>
    [
      "Ürün Kodu;Stok;Fiyat",
      ...codes.map((code, n) => `${code};${stocks[n] ?? ""};10,00`),
      "",
    ].join("\r\n");
  it.each([
    {
      what: "all",
      stocks: [],
      refusal: { code: "E_FEED_FEWER_COLUMNS", told: "Stok (“Stok”)" },
      guard: "fewer-columns",
    },
    {
      what: "most",
      stocks: ["9"],
      refusal: { code: "E_FEED_FEW_ROWS", told: "Stok: 1 / 4" },
      guard: "few-rows",
    },
  ] as const)("stops until a person allows it: $what", async ({ stocks, refusal, guard }) => {
    const test = await openFixture();
    const sync = async (text: string, given: Partial<SyncFeedOptions> = {}): Promise<SyncResult> =>
      await planIn(test, { feed: test.write("besleme.csv", text), ...given });
    await sync(withStocks(["9", "9", "9", "9"]));

    await expect(sync(withStocks(stocks))).rejects.toMatchObject({
      code: refusal.code,
      localized: { tr: expect.stringContaining(refusal.told) },
    });
    const allowed = await sync(withStocks(stocks), { allowed: [guard] });
    const again = await sync(withStocks(stocks));

    expect([allowed.counts.rows, again.counts.rows]).toEqual([4, 4]);
  });

  it("takes a feed whose column of prices is empty from the beginning once that is allowed", async () => {
    const test = await openFixture();
    const text = withStocks(["9", "9", "9", "9"]).replaceAll("10,00", "");
    const sync = (allowed: SyncFeedOptions["allowed"] = []): Promise<SyncResult> =>
      planIn(test, { feed: test.write("b.csv", text), allowed });

    await expect(sync()).rejects.toMatchObject({
      code: "E_FEED_SHIFTED",
      message: expect.stringContaining("“Fiyat”"),
    });
    const first = await sync(["moved-values"]);

    expect(first.warnings.map(({ en }) => en).join(" ")).toContain("“Fiyat” is empty in every row");
    expect((await sync()).fields).toEqual({ stock: "Stok" });
  });
});

describe("syncFeed, when the cells of the first version are shifted", () => {
  const HEAD = "Stok Kodu;Ürün Adı;Stok Miktarı;Alış;Satış Fiyatı;Desi\r\n";
  const read = async (lines: readonly string[]): Promise<SyncResult> => {
    const test = await openFixture();
    return await planIn(test, { feed: test.write("erp.csv", HEAD + lines.join("\r\n")) });
  };

  it("refuses numbers in the place of names", async () => {
    const shifted = ["KOD-1;11;366;565,81;3;", "KOD-2;4;12;99,90;1;", "KOD-3;7;15;20,00;1;"];

    await expect(read(shifted)).rejects.toMatchObject({
      code: "E_FEED_SHIFTED",
      message: expect.stringContaining("“Ürün Adı”"),
    });
  });

  it("takes names that are numbers as well as others that are not", async () => {
    const rows = ["KOD-1;1984;3;5;20,00;1", "KOD-2;1984;4;5;30,00;1", "KOD-3;Kupa;5;5;40,00;1"];

    expect((await read(rows)).counts).toMatchObject({ rows: 3 });
  });
});

describe("syncFeed, when the feed itself says that its prices are wrong", () => {
  it("refuses prices below what the products cost", async () => {
    const test = await openFixture();
    const rows = Array.from({ length: 12 }, (_, at) => `KOD-${at};${at};1.${at + 100},90;99,90`);
    const text = `Stok Kodu;Stok;Alış Fiyatı;Satış Fiyatı\r\n${rows.join("\r\n")}`;

    const plan = (name: string, price: string): Promise<SyncResult> =>
      planIn(test, { feed: test.write(name, text.replaceAll(";99,90", `;${price}`)) });

    await expect(plan("a.csv", "99,90")).rejects.toMatchObject({ code: "E_FEED_SHIFTED" });
    const reading = { columns: new Map([["Alış Fiyatı", "-"]]) };
    expect((await planIn(test, { feed: test.write("c.csv", text), reading })).counts.rows).toBe(12);
    expect((await plan("b.csv", "9.999,90")).counts.rows).toBe(12);
  });

  it("refuses stocks in the place of rates of a tax", async () => {
    const test = await openFixture();
    const rows = Array.from({ length: 12 }, (_, at) => `KOD-${at};20;${at * 3};99,90`);
    const text = `Stok Kodu;Stok;KDV Oranı;Satış Fiyatı\r\n${rows.join("\r\n")}`;

    await expect(planIn(test, { feed: test.write("erp.csv", text) })).rejects.toMatchObject({
      code: "E_FEED_SHIFTED",
      message: expect.stringContaining("“KDV Oranı”"),
    });
  });

  it.each(["KDV Dahil", "KDV Dahil mi?", "Tax Included"])("reads %s", async (header) => {
    const test = await openFixture();
    const text = `Stok Kodu;Stok;Fiyat;${header}\r\nKOD-1;5;100,00;Hayır\r\nKOD-2;5;99,00;Hariç\r\n`;

    const { counts } = await planIn(test, { feed: test.write("erp.csv", text) });

    expect(counts).toMatchObject({ rows: 2, invalid: 2 });
  });
});

const nightly = (header: string, more: string): string =>
  `Stok Kodu;Stok;Fiyat${header}\r\nKOD-1;5;100,00${more}\r\nKOD-2;5;99,00${more}\r\n`;

describe("syncFeed, on a later night", () => {
  it.each([
    ["İndirim Oranı", "30"],
    ["İndirimli Fiyat", "80,00"],
    ["Piyasa Fiyatı", "120,00"],
  ])("asks about a new column: %s", async (header, cell) => {
    const test = await openFixture();
    const sync = (given: Partial<SyncFeedOptions> = {}, more = true): Promise<SyncResult> => {
      const [name, value] = more ? [`;${header}`, `;${cell}`] : ["", ""];
      return planIn(test, { feed: test.write("erp.csv", nightly(name, value)), ...given });
    };
    await sync({}, false);

    await expect(sync()).rejects.toMatchObject({
      code: "E_FEED_NEW_COLUMN",
      message: expect.stringContaining(header),
    });
    const left = await sync({ reading: { columns: new Map([[header, "-"]]) } });
    expect(left.unused).toEqual([header]);
    expect((await sync({ allowed: ["moved-values"] })).counts.rows).toBe(2);
    expect((await sync()).counts.rows).toBe(2);
  });

  it("says how many rows are missing, and that a total was left out, and asks nothing", async () => {
    const test = await openFixture({ priceUnit: "minor" });
    await planIn(test, { feed: test.write("erp.csv", nightly("", "")) });
    const fewer = nightly("", "").replace("KOD-2;5;99,00", "TOPLAM;5;");

    const { warnings, isQuestioned } = await planIn(test, {
      feed: test.write("erp.csv", fewer),
      allowed: ["few-rows"],
    });

    expect(warnings.map(({ en }) => en).join(" ")).toMatch(/TOPLAM.*1 fewer/u);
    expect(isQuestioned).toBe(false);
  });

  it("adds up the columns of stocks that a person names", async () => {
    const test = await openFixture();
    const rows = "Stok Kodu;Merkez Depo;Şube Depo\r\nKOD-1;5;7\r\nKOD-2;5;\r\n";
    const columns = new Map([
      ["Merkez Depo", "Stok"],
      ["Şube Depo", "Stok"],
    ]);

    const { run } = await planIn(test, { feed: test.write("d.csv", rows), reading: { columns } });

    const planned = await test.connection.feedJournal.readRows(run?.id ?? "", { limit: 9 });
    expect(planned.map(({ payload }) => payload?.stock_count)).toEqual([12, 5]);
  });
});

it("syncFeed, with words for stocks, reads none as 0, and other words by the rules of the store once they are said", async () => {
  const test = await openFixture();
  const text = "Ürün Kodu;Stok\r\nKOD-1;Tükendi\r\nKOD-2;10+\r\n";
  const sync = async (): Promise<SyncResult> =>
    await planIn(test, { feed: test.write("kelimeler.csv", text) });

  const before = await sync();
  await addRules(test.connection.memory, [{ field: "Stok", value: "10+", target: "10" }]);
  const after = await sync();

  expect(before.counts).toMatchObject({ invalid: 1 });
  expect(after.counts).toMatchObject({ rows: 2, invalid: 0 });
});

const DAY_MS = 24 * 3_600_000;
const CUP = idSchemas.product.parse("p-1");

interface Shop {
  /** Syncs a feed that never changes, in a store whose listing is read once a day. */
  readonly sync: () => Promise<SyncResult>;
  /** Changes the stock in the store's panel. */
  readonly setStock: (stock: number) => Promise<void>;
  readonly later: (ms: number) => Promise<void>;
  readonly stock: () => unknown;
  readonly lists: () => number;
}

async function openShop(): Promise<Shop> {
  const { connection, write, folder, clock } = await createTestConnection();
  const product = { id: CUP, product_code: "KOD-1", title: "Fincan", stock: 5 };
  const marketplace = createFakeMarketplace({ products: [{ placement: "approved", product }] });
  return {
    sync: async () =>
      await syncFeed(
        { ...connection, marketplace },
        {
          feed: write("stok.csv", "Ürün Kodu;Stok\r\nKOD-1;5\r\n"),
          lang: "tr",
          reading: {},
          allowed: [],
          reconcileMs: DAY_MS,
          reportDir: folder,
        },
      ),
    async setStock(stock) {
      const changes = { product_id: CUP, stock_count: stock };
      await marketplace.updateProduct(changes, { beforeSend: () => undefined });
    },
    later: async (ms) => await clock.advance(ms),
    stock: () => marketplace.products[0]?.product.stock,
    lists: () => marketplace.log.filter((request) => request.startsWith("LIST")).length,
  };
}

it("finds a change made in the panel when the whole listing is read, and not before", async () => {
  const shop = await openShop();
  await shop.sync();
  await shop.setStock(1);
  const readOnce = shop.lists();
  await shop.later(DAY_MS - 1);

  const early = await shop.sync();
  const readTwice = shop.lists();
  const stockBefore = shop.stock();
  await shop.later(1);
  const due = await shop.sync();

  expect(readTwice).toBe(readOnce);
  expect([early.reconciled, early.counts.updated, stockBefore]).toEqual([undefined, 0, 1]);
  expect([due.reconciled, due.counts.updated, shop.stock()]).toEqual([1, 1, 5]);
});

it("reads the whole listing again when the clock was put back", async () => {
  const shop = await openShop();
  await shop.later(DAY_MS);
  await shop.sync();
  await shop.setStock(1);
  const { reconciled } = await shop.sync();
  await shop.later(-1);

  expect(reconciled).toBeUndefined();
  expect((await shop.sync()).reconciled).toBe(1);
});

it.each([
  ["reads", { category: "Giyim" }, 2],
  ["does not read", {}, 0],
])("syncFeed %s what was sent last where rules have %o", async (_, condition, count) => {
  const { connection, ...test } = await openFixture({ priceUnit: "minor" });
  await connection.memory.prices.saveRules([
    { number: 1, source: "price", markup: "10", ...condition },
  ]);
  const asked: number[] = [];
  const feedJournal: typeof connection.feedJournal = {
    ...connection.feedJournal,
    async readLastSent(ids) {
      asked.push(ids.length);
      return await connection.feedJournal.readLastSent(ids);
    },
  };

  await planIn(
    { ...test, connection: { ...connection, feedJournal } },
    { feed: test.write("fiyat.csv", "Ürün Kodu;Stok;Fiyat\r\nKOD-1;1;10,00\r\nKOD-2;9;12,50\r\n") },
  );

  // The listing is noted with what was sent, once; the rows are decided twice.
  expect(asked).toEqual([2, count, count]);
});
