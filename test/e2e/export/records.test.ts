import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { openSellerPanel, PANEL_BREAKS } from "../../helpers/markets/seller-panel.ts";
import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import { columnOf, readTable } from "../../helpers/read-table.ts";

/** Accepts the first of these packages that waits for it, and returns its id. */
async function acceptOnePackage(shop: TestStore, ids: readonly unknown[]): Promise<unknown> {
  const panel = await openSellerPanel(shop);
  for (const id of new Set(ids)) {
    if (await panel.acceptPackage(String(id))) return id;
  }
  throw new Error("no package waits to be accepted");
}

const toNumber = (value: unknown): number => Number(String(value).replace(",", "."));

describe("catalog export of orders and payments", { timeout: 120_000 }, () => {
  it("gives an order again only where it has changed, and marks it", async () => {
    const shop = await openTestStore({ products: 20, breaks: PANEL_BREAKS });
    const args = ["export", "orders", "--since", "last", "--out"] as const;
    const all = await shop.run(...args, "o1.csv");
    const waiting = await acceptOnePackage(
      shop,
      columnOf(await readTable(join(shop.folder, "o1.csv")), "Paket ID"),
    );

    const changed = await shop.run(...args, "o2.csv");
    const nothing = await shop.run(...args, "o3.csv", "--json");

    expect(all.err).toContain("daha önce dışa aktarma yapılmadı");
    expect(changed.err).toMatch(/Son dışa aktarmadan \(\d\d\.\d\d\.\d{4} \d\d:\d\d\) sonraki/u);
    const table = await readTable(join(shop.folder, "o2.csv"));
    expect(new Set(columnOf(table, "Paket ID"))).toEqual(new Set([waiting]));
    expect(new Set(columnOf(table, "Değişiklik"))).toEqual(new Set(["Değişti"]));
    expect(JSON.parse(nothing.out)).toMatchObject({ counts: { rows: 0 } });
  });

  it.each(["orders", "payments"])(
    "writes the amounts of %s in lira where the unit is given",
    async (kind) => {
      const shop = await openTestStore({ products: 20 });

      const raw = await shop.run("export", kind, "--out", "raw.csv");
      const lira = await shop.run("export", kind, "--out", "lira.csv", "--price-unit", "minor");

      const [before, after] = [
        await readTable(join(shop.folder, "raw.csv")),
        await readTable(join(shop.folder, "lira.csv")),
      ];
      const kurus = columnOf(before, "Ödenen (pazaryerinin yazdığı gibi)").map(toNumber);
      expect(columnOf(after, "Ödenen").map(toNumber)).toEqual(kurus.map((amount) => amount / 100));
      expect(raw.err).toContain("--price-unit minor");
      expect(lira.err).not.toContain("--price-unit");
    },
  );

  it("writes dates as dates, ids last and words for people to a workbook", async () => {
    const shop = await openTestStore({ products: 20 });

    await shop.run("export", "orders", "--out", "o.xlsx");

    const table = await readTable(join(shop.folder, "o.xlsx"));
    expect(table.header.slice(0, 2)).toEqual(["Sipariş Kodu", "Sipariş Tarihi"]);
    expect(table.header.slice(-2)).toEqual(["Paket ID", "Ürün ID"]);
    expect(columnOf(table, "Sipariş Tarihi")[0]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/u);
    expect(new Set(columnOf(table, "Kargo Süresi Aşıldı"))).toEqual(new Set(["Evet", "Hayır"]));
  });
});
