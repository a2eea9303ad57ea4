import { describe, expect, it } from "vitest";

import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import {
  goodRows,
  type ProductRow,
  writeText,
  writeWorkbook,
} from "../../helpers/product-sheet.ts";

interface Line {
  readonly code: string;
  /** Price in minor units. */
  readonly price: number;
}

/** Writes a file with these prices. */
function pricesFile(shop: TestStore, name: string, lines: readonly Line[]): string {
  const rows = lines.map(({ code, price }) => `${code};${(price / 100).toFixed(2)}`);
  return writeText(shop.folder, name, `${["Ürün Kodu;Fiyat", ...rows].join("\n")}\n`);
}

const shown = (shop: TestStore): readonly Line[] =>
  shop.sandbox.products().map(({ product_code, price }) => ({ code: product_code, price }));

const toRow = (line: Line | undefined, factor = 1): ProductRow => ({
  "Ürün Kodu *": line?.code ?? "",
  "Fiyat *": ((line?.price ?? 0) * factor) / 100,
});

describe("a store with an unknown price unit", { timeout: 120_000 }, () => {
  it("gets no price, whatever the sheet suggests, until a person states the unit", async () => {
    const shop = await openTestStore({ products: 20 });
    const before = shown(shop);

    let run = "";
    for (const [name, factor] of Object.entries({ hundred: 100, same: 1 })) {
      const lines = before.map(({ code, price }) => ({ code, price: price * factor }));
      const file = pricesFile(shop, `${name}.csv`, lines);
      const { code, out } = await shop.run("import", file, "--yes", "--json");
      const { counts, warnings, ...document } = JSON.parse(out);
      run = document.run;
      expect([name, code, counts]).toMatchObject([name, 3, { rows: 20, updated: 0, held: 20 }]);
      expect(warnings.join(" ")).toContain("--price-unit major");
    }
    const untouched = [shown(shop), shop.sandbox.stats().updates];
    const told = await shop.run("plan", "same.csv", "--json", "--price-unit", "minor");
    const resumed = await shop.run("resume", run, "--json");
    const slipped = await shop.run("import", "hundred.csv", "--yes", "--json");

    expect(untouched).toEqual([before, 0]);
    expect(JSON.parse(told.out).planned).toMatchObject({ unchanged: 20, held: 0 });
    expect(JSON.parse(resumed.out)).toMatchObject({
      exit: 0,
      counts: { unchanged: 20, held: 0 },
      warnings: [],
    });
    const { counts, issues } = JSON.parse(slipped.out);
    expect(counts).toMatchObject({ held: 20 });
    expect(issues[0]).toMatchObject({ code: "E_GUARD_PRICE_SCALE" });
  });

  it("gets no price by --resend --yes before the unit is given, and no wrong price even then", async () => {
    const shop = await openTestStore({ products: 3 });
    const before = shown(shop);
    const lines = before.map(({ code, price }, index) => ({
      code,
      price: index === 0 ? price * 100 : price + 100,
    }));
    const file = pricesFile(shop, "karma.csv", lines);
    const { run } = JSON.parse((await shop.run("import", file, "--yes", "--json")).out);

    const unproven = await shop.run("release", run, "--rows", "2-3", "--resend", "--yes", "--json");
    const untouched = shown(shop);
    const resumed = await shop.run("resume", run, "--json", "--price-unit", "minor");

    expect([unproven.code, JSON.parse(unproven.out).released]).toMatchObject([
      5,
      [
        { row: 2, to: "held", code: "E_RELEASE_PRICE_UNIT" },
        { row: 3, to: "held", code: "E_RELEASE_PRICE_UNIT" },
      ],
    ]);
    expect(untouched).toEqual(before);
    expect(JSON.parse(resumed.out)).toMatchObject({
      counts: { updated: 2, held: 1 },
      issues: [{ row: 2, code: "E_GUARD_PRICE_SCALE" }],
    });
    expect(shown(shop)).toEqual([before[0], ...lines.slice(1)]);
  });

  it("reveals the unit through the products that a file adds, so that its other rows continue", async () => {
    const shop = await openTestStore({ products: 3, personality: { prices: "major" } });
    const [small, slip, same] = shown(shop);
    const rows = [toRow(small, 1.2), toRow(slip, 100), toRow(same), ...goodRows(2)];
    const file = await writeWorkbook(shop.folder, "karma.xlsx", rows);

    const { code, out } = await shop.run("import", file, "--yes", "--json");

    const { counts, planned, issues, warnings } = JSON.parse(out);
    expect(planned).toMatchObject({ add: 2, update: 0, held: 3 });
    expect([code, counts]).toMatchObject([5, { added: 2, updated: 1, held: 1, unchanged: 1 }]);
    expect(issues).toMatchObject([{ row: 3, code: "E_GUARD_PRICE_SCALE" }]);
    expect(warnings).toEqual([]);
  });
});
