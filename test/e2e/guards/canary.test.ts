import { setTimeout as wait } from "node:timers/promises";

import { describe, expect, it } from "vitest";

import { openTestStore } from "../../helpers/markets/test-store.ts";
import { goodRow, goodRows, writeText, writeCsv } from "../../helpers/product-sheet.ts";

const ROWS = 6;
const CANARY = 3;

describe("kill -9 in the middle of a canary", () => {
  it("leaves a run whose next process sends the rest of the canary first", async () => {
    const shop = await openTestStore({ latencyMs: 30 });
    const file = writeCsv(shop.folder, "urunler.csv", goodRows(ROWS));
    const { child, finished } = shop.start("import", file, "--yes", "--json", "--canary", "3");
    while (shop.sandbox.stats().adds < 1) await wait(2);
    child.kill("SIGKILL");
    await finished;
    const sent = shop.sandbox.stats().adds;
    const [{ run }] = JSON.parse((await shop.run("runs", "--json")).out).runs;

    const resumed = JSON.parse((await shop.run("resume", run, "--json")).out);

    expect(sent).toBeLessThan(CANARY);
    expect(shop.sandbox.inspect().doubles).toEqual({});
    // The request under way is either found, or its row is unknown and the others stay.
    const isUnknown = resumed.exit === 6;
    const { added, held, pending } = resumed.counts;
    expect({ added, held, pending }).toEqual(
      isUnknown
        ? { added: CANARY - 1, held: 1, pending: ROWS - CANARY }
        : { added: ROWS, held: 0, pending: 0 },
    );
    expect([...resumed.notes, ...resumed.warnings].join("\n")).toContain(
      isUnknown ? "tanesinin sonucu belli değil" : "3 tanesi gönderildiği gibi görünüyor",
    );
  });
});

describe("a canary that reveals the unit of prices", () => {
  it("lets the guards check the remaining rows once", async () => {
    const shop = await openTestStore({ products: 5, personality: { prices: "major" } });
    const products = shop.sandbox.products();
    // The last but one price falls by two thirds.
    const rows = products.map(({ product_code, price }, index) => ({
      "Ürün Kodu *": product_code,
      "Fiyat *": Math.round(index === 3 ? price / 3 : price + 100) / 100,
    }));
    const file = writeCsv(shop.folder, "fiyat.csv", [goodRow(1), ...rows]);
    const given = ["--yes", "--json"];

    const first = await shop.run("import", file, ...given, "--canary", "1");
    const { run, counts, issues } = JSON.parse(first.out);
    const before = shop.sandbox.products()[3]?.price;
    const released = await shop.run("release", run, "--rows", "6", "--resend", "--yes", "--json");

    expect([first.code, counts]).toMatchObject([5, { added: 1, updated: 4, held: 1 }]);
    expect(issues).toMatchObject([{ code: "E_GUARD_PRICE_DROP", cell: "H6" }]);
    expect(before).toBe(products[3]?.price);
    expect([released.code, JSON.parse(released.out).counts]).toMatchObject([0, { updated: 5 }]);
  });
});

describe("a canary that the store shows otherwise", () => {
  it("ends the import with the rest unsent, and a report of the differences", async () => {
    const shop = await openTestStore({ products: 5, personality: { "update-stock": "ignored" } });
    const codes = shop.sandbox.products().map(({ product_code: code }) => `${code};999\n`);
    const file = writeText(shop.folder, "stok.csv", `Ürün Kodu;Stok\n${codes.join("")}`);

    const { code, out } = await shop.run("import", file, "--yes", "--json", "--canary", "1");

    expect(code).toBe(6);
    expect(JSON.parse(out)).toMatchObject({
      state: "stopped",
      exit: 6,
      counts: { updated: 1, pending: 4 },
      verification: { mismatch: 1 },
      issues: [{ code: "W_MISMATCH", cell: "B2", column: "Stok" }],
      error: { code: "E_CANARY" },
    });
    expect(shop.sandbox.stats().byEndpoint["product.update"]).toBe(1);
  });
});
