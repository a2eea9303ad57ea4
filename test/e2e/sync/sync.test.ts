import { existsSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";

import { describe, expect, it, onTestFinished } from "vitest";

import { type FeedLine, readStore, writeFeed } from "../../helpers/feed.ts";
import { openSellerPanel, PANEL_BREAKS } from "../../helpers/markets/seller-panel.ts";
import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import { noteSchedule } from "../../helpers/note-schedule.ts";
import { goodRows, writeCsv } from "../../helpers/product-sheet.ts";

const withStock = (line: FeedLine, index: number, max: number): FeedLine =>
  index < max ? { ...line, stock: line.stock + 3 } : line;

/** Runs a first sync, after a person has stated the unit of prices. */
async function firstSync(
  shop: TestStore,
  priceUnit: "minor" | "major" = "minor",
): Promise<{ readonly feed: string; readonly lines: readonly FeedLine[] }> {
  const lines = readStore(shop.sandbox);
  const feed = writeFeed(join(shop.folder, "stok.csv"), lines);
  const { code, err } = await shop.run("sync", feed, "--json", "--price-unit", priceUnit);
  expect([code, err]).toEqual([0, ""]);
  return { feed, lines };
}

describe("catalog sync", () => {
  it("sends the rows that changed, and nothing the second time", async () => {
    const shop = await openTestStore({ products: 200 });
    const { feed, lines } = await firstSync(shop);
    const changed = lines.map((line, index) => withStock(line, index, 8));
    writeFeed(feed, changed);

    const first = await shop.json("sync", feed);
    const again = await shop.json("sync", feed);

    expect(first).toMatchObject({
      command: "sync",
      state: "finished",
      exit: 0,
      counts: { rows: 200, updated: 8, unchanged: 192 },
      requests: { write: 8 },
    });
    expect(first.requests.total).toBe(first.planned.requests);
    expect(again).toMatchObject({ exit: 0, requests: { total: 0 }, counts: { unchanged: 200 } });
    expect(readStore(shop.sandbox)).toEqual(changed);
  });

  it("sends no price that the store has, once a person has stated the unit of prices", async () => {
    for (const prices of ["minor", "major", "text"] as const) {
      const shop = await openTestStore({ products: 60, personality: { prices } });
      const { lines } = await firstSync(shop, prices === "minor" ? "minor" : "major");

      expect(shop.sandbox.stats().byEndpoint["product.update"] ?? 0).toBe(0);
      expect(readStore(shop.sandbox)).toEqual(lines);
    }
  });

  it("refuses half a feed, and records it in the history", async () => {
    const shop = await openTestStore({ products: 60 });
    const { feed } = await firstSync(shop);
    const whole = readFileSync(feed, "utf8");
    writeFileSync(feed, whole.slice(0, whole.length / 2));
    const halved = writeFeed(join(shop.folder, "yarim.csv"), []);
    writeFileSync(halved, "");

    const cut = await shop.json("sync", feed);
    writeFileSync(feed, whole.split("\r\n").slice(0, 31).join("\r\n") + "\r\n");
    const few = await shop.run("sync", feed, "--lang", "tr");
    const empty = await shop.json("sync", halved);

    expect([cut.exit, few.code, empty.exit]).toEqual([3, 3, 3]);
    expect(cut).toMatchObject({ exit: 3, error: { code: "E_FEED_CUT_OFF" } });
    expect(few.err).toContain("30 / 60");
    const { runs } = await shop.json("runs");
    expect(runs[0].warnings).toHaveLength(1);
  });

  it("refuses a feed whose form has changed with its differences, until the change is accepted", async () => {
    const shop = await openTestStore({ products: 30 });
    const { feed, lines } = await firstSync(shop);
    writeFeed(
      feed,
      lines.map((line, index) => withStock(line, index, 3)),
    );
    writeFileSync(feed, readFileSync(feed, "utf8").replaceAll(/,(?=\d\d\r)/gu, "."));

    const refused = await shop.run("sync", feed, "--lang", "en");
    const document = await shop.json("sync", feed);
    const accepted = await shop.json("sync", feed, "--accept-change");
    const again = await shop.json("sync", feed);

    expect(refused.code).toBe(3);
    expect(refused.err.replaceAll(/\s+/gu, " ")).toMatch(
      /Price: it was with a decimal comma \(“[\d,]+”\), and is with a decimal point \(“[\d.]+”\) now/u,
    );
    expect(document).toMatchObject({ exit: 3, error: { code: "E_FEED_CHANGED" } });
    expect(accepted).toMatchObject({ exit: 0, counts: { updated: 3 } });
    expect(again).toMatchObject({ exit: 0, counts: { updated: 0, unchanged: 30 } });
  });

  it("reports codes that the store does not have, and adds none of them", async () => {
    const shop = await openTestStore({ products: 30 });
    const { feed, lines } = await firstSync(shop);
    writeFeed(feed, [...lines, { code: "YOK-1", stock: 4, priceMinor: 1000 }]);

    const document = await shop.json("sync", feed);

    expect(document.exit).toBe(5);
    expect(document).toMatchObject({ unknown_codes: 1, requests: { write: 0 } });
    expect(shop.sandbox.products()).toHaveLength(30);
  });

  it("holds prices that fall too far, until one is released and the others are allowed", async () => {
    const shop = await openTestStore({ products: 30 });
    const { feed, lines } = await firstSync(shop);
    const fallen = lines.map((line, index) =>
      index < 2 ? { ...line, priceMinor: Math.round(line.priceMinor / 4) } : line,
    );
    writeFeed(feed, fallen);

    const held = await shop.run("sync", feed, "--lang", "tr");
    const before = readStore(shop.sandbox);
    const run = /catalog release (r-[\w-]+)/u.exec(held.err.replaceAll(/\s+/gu, " "))?.[1] ?? "";
    const none = await shop.run("release", run, "--rows", "99", "--resend", "--yes");
    const released = await shop.run("release", run, "--rows", "2", "--resend", "--yes");
    const next = await shop.json("sync", feed);
    const listed = await shop.json("runs", run);
    const between = readStore(shop.sandbox);
    const allowed = await shop.json("sync", feed, "--allow", "price-drop");

    expect([none.code, none.err]).toEqual([2, expect.stringContaining("2, 3")]);
    expect([held.code, released.code, next.exit, allowed.exit]).toEqual([5, 0, 5, 0]);
    expect(before).toEqual(lines);
    // The sync has ended as it has, whoever sends its rows later.
    expect(listed.exit).toBe(5);
    expect(released.err).toContain("sıradaki eşitleme");
    expect(next).toMatchObject({ released: 1, counts: { updated: 1, held: 1 } });
    expect(between).toEqual([fallen[0], ...lines.slice(1)]);
    expect(readStore(shop.sandbox)).toEqual(fallen);
  });

  it("reads stocks in another notation than the prices once a person says so", async () => {
    const shop = await openTestStore({ products: 3 });
    const { feed, lines } = await firstSync(shop);
    const cells = lines.map(
      ({ code, priceMinor: price }) =>
        `${code};${(price / 100).toFixed(2).replace(".", ",")};36.000`,
    );
    writeFileSync(feed, ["Ürün Kodu;Fiyat;Stok", ...cells, ""].join("\n"));

    const asked = await shop.json("sync", feed);
    const told = await shop.run("sync", feed, "--json", "--decimal", "point");

    expect([asked.exit, told.code], told.out).toEqual([3, 0]);
    expect(readStore(shop.sandbox).map(({ stock }) => stock)).toEqual([36, 36, 36]);
  });

  it("refuses a feed that empties the store, or is too old", async () => {
    const shop = await openTestStore({ products: 60 });
    const { feed, lines } = await firstSync(shop);
    writeFeed(
      feed,
      lines.map((line, index) => (index < 40 ? { ...line, stock: 0 } : line)),
    );

    const emptied = await shop.json("sync", feed);
    utimesSync(feed, 1_600_000_000, 1_600_000_000);
    const old = await shop.json("sync", feed);

    expect([emptied.exit, old.exit]).toEqual([3, 3]);
    expect(emptied.error.code).toBe("E_FEED_ZERO_STOCK");
    expect(old.error.code).toBe("E_FEED_STALE");
    expect(readStore(shop.sandbox)).toEqual(lines);
  });

  it("refuses a feed whose rows have slipped, or whose columns were swapped, until it is allowed", async () => {
    const shop = await openTestStore({ products: 60 });
    const { feed, lines } = await firstSync(shop);
    const slipped = lines.map((line, at) => ({ ...line, stock: lines.at(at - 2)?.stock ?? 0 }));
    const swapped = lines.map((line) => ({
      ...line,
      stock: Math.floor(line.priceMinor / 100),
      priceMinor: line.stock * 100,
    }));

    for (const wrong of [slipped, swapped]) {
      writeFeed(feed, wrong);
      const refused = await shop.json("sync", feed);
      expect(refused.exit).toBe(3);
      expect(refused.error.code).toBe("E_FEED_MOVED_VALUES");
    }
    expect(readStore(shop.sandbox)).toEqual(lines);
    writeFeed(feed, slipped);
    const allowed = await shop.json("sync", feed, "--allow", "moved-values,zero-stock");

    expect(allowed.exit).toBe(0);
    expect(readStore(shop.sandbox)).toEqual(slipped);
  });

  it("reads the newest file of a folder, and JSON as well as CSV", async () => {
    const shop = await openTestStore({ products: 30 });
    const { feed, lines } = await firstSync(shop);
    const items = lines.map(({ code, stock, priceMinor }) => ({
      product_code: code,
      stock: stock + 1,
      price: priceMinor / 100,
      title: "is not sent",
    }));
    writeFileSync(join(shop.folder, "yeni.json"), JSON.stringify({ items }));
    const past = Date.now() / 1000 - 600;
    utimesSync(feed, past, past);

    const { code, out } = await shop.run("sync", shop.folder, "--json");

    expect([code, JSON.parse(out).counts.updated]).toEqual([0, 30]);
    expect(readStore(shop.sandbox).map(({ stock }) => stock)).toEqual(
      lines.map(({ stock }) => stock + 1),
    );
  });

  it("resends what an import has changed in the meantime", async () => {
    const shop = await openTestStore({ products: 30 });
    const { feed, lines } = await firstSync(shop);
    const [line] = lines;
    if (line === undefined) throw new Error("the sandbox has no products");
    const other = writeFeed(join(shop.folder, "elle.csv"), [{ ...line, stock: line.stock + 50 }]);
    const imported = await shop.json("import", other, "--mode", "update", "--yes");

    const document = await shop.json("sync", feed);

    expect(imported.exit).toBe(0);
    expect(document).toMatchObject({ counts: { updated: 1 }, exit: 0 });
    expect(readStore(shop.sandbox)).toEqual(lines);
  });

  it("passes an import that is running, and does not touch its rows", async () => {
    const shop = await openTestStore({ products: 60, latencyMs: 40 });
    const { feed, lines } = await firstSync(shop);
    const changed = lines.map((line, index) => withStock(line, index, 10));
    writeFeed(feed, changed);
    const sheet = writeCsv(shop.folder, "yeni.csv", goodRows(80));
    const importing = shop.start("import", sheet, "--yes", "--json", "--concurrency", "1");
    while (shop.sandbox.products().length < 65) await new Promise(setImmediate);

    const synced = await shop.json("sync", feed);
    const isBeside = shop.sandbox.products().length < 140;
    const imported = await importing.finished;

    expect([synced.exit, isBeside, imported.code]).toEqual([0, true, 0]);
    expect(synced.counts.updated).toBe(10);
    expect(JSON.parse(imported.out).counts).toMatchObject({ added: 80, unknown: 0, held: 0 });
    expect(readStore(shop.sandbox).slice(0, 60)).toEqual(changed);
    expect(shop.sandbox.products()).toHaveLength(140);
  });

  it("runs one of two syncs, and ends the other with 75", async () => {
    const shop = await openTestStore({ products: 60, latencyMs: 50 });
    const { feed, lines } = await firstSync(shop);
    writeFeed(
      feed,
      lines.map((line, index) => withStock(line, index, 60)),
    );

    const two = await Promise.all([
      shop.start("sync", feed, "--json").finished,
      shop.start("sync", feed, "--json").finished,
    ]);

    expect(new Set(two.map(({ code }) => code))).toEqual(new Set([0, 75]));
    expect(shop.sandbox.stats().byEndpoint["product.update"]).toBe(60);
  });

  it("refuses to resume the run of a sync later", async () => {
    const shop = await openTestStore({ products: 30 });
    const { feed } = await firstSync(shop);
    const { run } = await shop.json("sync", feed);

    const resumed = await shop.json("resume", run);

    expect([resumed.exit, resumed.error.code]).toEqual([2, "E_RUN_SYNC"]);
  });

  it("posts the counts to an address, without a price or a secret", async () => {
    const shop = await openTestStore({ products: 30 });
    const { feed } = await firstSync(shop);
    const told: string[] = [];
    const server = createServer((request, response) => {
      void text(request)
        .then((body) => told.push(body))
        .finally(() => response.end());
    });
    const host = await listen(server);

    await shop.run("sync", feed, "--quiet", "--notify", `http://${host}/?key=1`);

    expect(told.map((body) => JSON.parse(body))).toMatchObject([
      { command: "sync", exit: 0, counts: { rows: 30, unchanged: 30 } },
    ]);
    expect(told.join("")).not.toContain(shop.sandbox.clientKey);
  });

  it("downloads a feed once, and asks the next time whether it has changed", async () => {
    const shop = await openTestStore({ products: 30 });
    const { lines, feed } = await firstSync(shop);
    const asked: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      asked.push(request.headers["if-none-match"]);
      if (request.headers["if-none-match"] === '"v1"') return response.writeHead(304).end();
      return response.writeHead(200, { etag: '"v1"' }).end(readFileSync(feed));
    });
    const host = await listen(server);
    writeFeed(
      feed,
      lines.map((line, index) => withStock(line, index, 5)),
    );
    const sync = ["sync", `http://${host}/stok.csv?key=1`, "--json"];

    const refused = await shop.run(...sync);
    const first = await shop.run(...sync, "--allow-host", host);
    const again = await shop.run(...sync, "--allow-host", host);

    expect([refused.code, first.code, again.code]).toEqual([3, 0, 0]);
    expect(refused.err).not.toContain("key=1");
    expect(JSON.parse(first.out).counts.updated).toBe(5);
    expect(JSON.parse(again.out)).toMatchObject({ run: null, requests: { total: 0 } });
    expect(asked).toEqual([undefined, '"v1"']);
  });

  it("downloads a feed again where its server fails, and says how often it was tried", async () => {
    const shop = await openTestStore({ products: 30 });
    const { lines, feed } = await firstSync(shop);
    const changed = lines.map((line, index) => withStock(line, index, 5));
    writeFeed(feed, changed);
    let failures = 2;
    const server = createServer((_request, response) => {
      failures -= 1;
      if (failures < 0) return response.end(readFileSync(feed));
      return response.writeHead(503, { "retry-after": "0" }).end();
    });
    const host = await listen(server);
    const sync = ["sync", `http://${host}/stok.csv`, "--json", "--allow-host", host];

    const first = await shop.run(...sync);
    failures = 100;
    const second = await shop.run(...sync, "--lang", "en");

    expect([first.code, JSON.parse(first.out).counts.updated]).toEqual([0, 5]);
    expect([second.code, JSON.parse(second.out).error]).toEqual([
      3,
      { code: "E_FEED_ADDRESS", message: expect.stringContaining("It was tried 4 times.") },
    ]);
  });

  it("refuses an address whose feed has not changed for too long, and a file older than the last", async () => {
    const shop = await openTestStore({ products: 30 });
    const { feed } = await firstSync(shop);
    const writtenAt = new Date(Date.now() - 3_600_000);
    const server = createServer((request, response) => {
      const headers = { "last-modified": writtenAt.toUTCString() };
      if (request.headers["if-modified-since"] !== undefined) return response.writeHead(304).end();
      return response.writeHead(200, headers).end(readFileSync(feed));
    });
    const host = await listen(server);
    const address = ["sync", `http://${host}/stok.csv`, "--json", "--allow-host", host];

    const first = await shop.run(...address);
    const stale = await shop.run(...address, "--max-age", "30m");
    utimesSync(feed, writtenAt, writtenAt);
    const older = await shop.run("sync", feed, "--json");
    const anyAge = await shop.json("sync", feed, "--max-age", "0");

    expect([first.code, stale.code, older.code, anyAge.exit]).toEqual([0, 3, 3, 0]);
    expect([stale, older].map(({ out }) => JSON.parse(out).error.code)).toEqual([
      "E_FEED_STALE",
      "E_FEED_OLDER",
    ]);
  });

  it("ends the reduced prices that it has sent once the feed has none, and no other", async () => {
    const shop = await openTestStore({ products: 30, breaks: PANEL_BREAKS });
    const { lines } = await firstSync(shop);
    const panel = await openSellerPanel(shop);
    const [ours, theirs] = lines;
    if (ours === undefined || theirs === undefined) throw new Error("the sandbox has no products");
    const write = (reduces: boolean): string => {
      const rows = lines.map(({ code, stock, priceMinor }, at) => {
        const [price, sale] = [priceMinor, priceMinor - 100].map((minor) =>
          (minor / 100).toFixed(2),
        );
        return `${code},${price},${reduces && at < 2 ? sale : ""},${stock},0,`;
      });
      const feed = join(shop.folder, "woo.csv");
      writeFileSync(
        feed,
        ["SKU,Regular price,Sale price,Stock,Is featured?,Tax class", ...rows].join("\n"),
      );
      return feed;
    };
    const discounts = (): readonly (number | false | undefined)[] =>
      shop.sandbox
        .products()
        .slice(0, 3)
        .map((product) => product.has_discount && product.discount_value);

    const begun = await shop.json("sync", write(true));
    const during = discounts();
    await panel.edit(theirs.code, {
      has_discount: true,
      discount_type: 3,
      discount_value: theirs.priceMinor - 500,
    });
    const ended = await shop.json("sync", write(false), "--reconcile", "0");

    expect([begun.exit, ended.exit]).toEqual([0, 0]);
    expect(during).toEqual([ours.priceMinor - 100, theirs.priceMinor - 100, false]);
    expect(discounts()).toEqual([false, theirs.priceMinor - 500, false]);
  });

  it("downloads a feed again whose reduced prices begin or end at dates", async () => {
    const shop = await openTestStore({ products: 30 });
    const { lines } = await firstSync(shop);
    const header =
      "sku,qty,price,special_price,special_price_to_date,base_image,tax_class_name,product_websites";
    const rows = lines.map(
      ({ code, stock, priceMinor }) => `${code},${stock},${(priceMinor / 100).toFixed(2)}`,
    );
    const [first = "", ...others] = rows;
    const body = [header, `${first},1.00,2017-02-02,,,`, ...others.map((row) => `${row},,,,,`)];
    const asked: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      asked.push(request.headers["if-none-match"]);
      return response.writeHead(200, { etag: '"v1"' }).end(body.join("\n"));
    });
    const host = await listen(server);
    const sync = ["sync", `http://${host}/urunler.csv`, "--json", "--allow-host", host];

    const codes = [await shop.run(...sync), await shop.run(...sync)].map(({ code }) => code);

    expect(codes).toEqual([0, 0]);
    expect(asked).toEqual([undefined, undefined]);
    expect(readStore(shop.sandbox)).toEqual(lines);
  });

  it("sends nothing of an interrupted download", async () => {
    const shop = await openTestStore({ products: 30 });
    const { feed } = await firstSync(shop);
    const body = readFileSync(feed);
    const server = createServer((_request, response) => {
      response.writeHead(200, { "content-length": body.length });
      response.write(body.subarray(0, body.length / 2), () => response.destroy());
    });
    const host = await listen(server);

    const document = await shop.json("sync", `http://${host}/a`, "--allow-host", host);

    const [run] = (await shop.json("runs")).runs;

    expect([document.exit, document.error.code]).toEqual([3, "E_FEED_ADDRESS"]);
    expect(shop.sandbox.stats().updates).toBe(0);
    expect(run).toMatchObject({
      command: "sync",
      state: "stopped",
      exit: 3,
      began_at: expect.stringMatching(/Z$/u),
      ended_at: expect.stringMatching(/Z$/u),
      source: { kind: "feed", name: `http://${host}/a`, path: `http://${host}/a` },
      store: { base_url: shop.sandbox.baseUrl, store_id: shop.sandbox.storeId },
      made_by: { origin: "terminal" },
    });
  });

  it("reports that the store does not take the stock", async () => {
    const shop = await openTestStore({ products: 30, personality: { "update-stock": "ignored" } });
    const { feed, lines } = await firstSync(shop);
    writeFeed(
      feed,
      lines.map((line, index) => withStock(line, index, 3)),
    );

    const document = await shop.json("sync", feed);

    expect(document.exit).toBe(5);
    expect(document.warnings).toHaveLength(1);
  });

  it.each([
    ["json", /^\{"time":"\d{4}-\d{2}-\d{2}T.*bulunamadı/u],
    ["text", /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}.*bulunamadı/u],
  ])("logs why a sync could not begin with its time: %s", async (format, line) => {
    const shop = await openTestStore({ products: 1 });

    const { code, err } = await shop.run("sync", "/yok.csv", "--log-format", format);

    expect(code).toBe(3);
    expect(err).toMatch(line);
  });

  it("runs on a schedule, serves its state, and ends cleanly when it is stopped", async () => {
    const shop = await openTestStore({ products: 30 });
    const { feed } = await firstSync(shop);
    const health = join(shop.folder, "durum.json");
    const every = ["--every", "* * * * *", "--health", health, "--lang", "tr"];
    // A missed time, so that the test does not wait for the next one.
    await noteSchedule(shop, feed, Date.now() - 120_000);

    const { child, finished } = shop.start("sync", feed, ...every);
    onTestFinished(() => void child.kill("SIGKILL"));
    while (!existsSync(health) || readHealth(health)["last"] === null) await pause(200);
    const second = await shop.run("sync", feed, ...every);
    child.kill("SIGTERM");
    const { code, err } = await finished;

    expect([code, second.code]).toEqual([0, 75]);
    expect(readHealth(health)).toMatchObject({
      command: "sync",
      feed,
      state: "stopped",
      healthy: false,
      next: null,
      last: { exit: 0, state: "finished", counts: { rows: 30, unchanged: 30 } },
    });
    expect(err).toContain("Sıradaki eşitlemeler (Europe/Istanbul)");
    expect(err).toContain("Eşitleme durduruldu.");
  });
});

/** Listens on a free port of this machine until the test ends. */
async function listen(server: Server): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return `127.0.0.1:${address.port}`;
}

const readHealth = (path: string): Record<string, unknown> =>
  JSON.parse(readFileSync(path, "utf8"));
