import { setTimeout as wait } from "node:timers/promises";

import { priceMinor } from "@catalog/contract";
import { describe, expect, it } from "vitest";

import {
  openSellerPanel,
  PANEL_BREAKS,
  type SellerPanel,
} from "../../helpers/markets/seller-panel.ts";
import { openTestStore, type TestStore, writeConfig } from "../../helpers/markets/test-store.ts";
import { writeText } from "../../helpers/product-sheet.ts";

const isApproved = ({ status }: { readonly status: string }): boolean => status === "approved";

interface Store {
  readonly shop: TestStore;
  readonly panel: SellerPanel;
  readonly codes: readonly string[];
  /** Writes a list of two columns. */
  readonly list: (name: string, header: string, cells: readonly string[]) => string;
}

/** A store whose products cost 65,00, with a person who uses its panel. */
async function openStore(products: number, latencyMs = 0): Promise<Store> {
  const shop = await openTestStore({ products, latencyMs, breaks: PANEL_BREAKS });
  await writeConfig(shop, { priceUnit: "minor" });
  const panel = await openSellerPanel(shop);
  const all = shop.sandbox.products();
  const codes = all.filter(isApproved).map(({ product_code }) => product_code);
  const list = (name: string, header: string, cells: readonly string[]): string => {
    const lines = cells.map((cell, index) => `${codes[index]};${cell}`);
    return writeText(shop.folder, name, [`Ürün Kodu;${header}`, ...lines, ""].join("\n"));
  };
  return { shop, panel, codes, list };
}

const money = (major: number): { readonly price: ReturnType<typeof priceMinor.parse> } => ({
  price: priceMinor.parse(major * 100),
});

const priceOf = ({ shop }: Store, at = 0): number | undefined => shop.sandbox.products()[at]?.price;

/** The stocks of these products, in their order. */
function stocksOf({ shop }: Store, codes: readonly string[]): readonly (number | undefined)[] {
  const stocks = shop.sandbox.products().map((one) => [one.product_code, one.stock_count] as const);
  const stockOf = new Map(stocks);
  return codes.map((code) => stockOf.get(code));
}

const read = async (shop: TestStore, ...args: readonly string[]) => {
  const { code, out } = await shop.run(...args, "--json");
  return { ...JSON.parse(out), code };
};

describe("what is changed elsewhere after the plan", { timeout: 180_000 }, () => {
  it("is not overwritten by apply, and is restored by an undo after a release", async () => {
    const store = await openStore(2);
    const { shop, panel, codes, list } = store;
    for (const code of codes) await panel.edit(code, money(65));
    const { run } = await read(shop, "plan", list("m.csv", "Fiyat", ["70,00", "70,00"]));
    await panel.edit(codes[0] ?? "", money(75));

    const applied = await read(shop, "apply", run);
    const kept = priceOf(store);
    const undoneNow = await read(shop, "undo", run, "--yes");
    const released = await read(shop, "release", run, "--rows", "2", "--resend", "--yes");
    const sent = priceOf(store);
    await read(shop, "undo", run, "--yes");

    expect(applied).toMatchObject({ code: 5, counts: { updated: 1, held: 1 } });
    expect(applied.issues).toMatchObject([{ code: "E_CHANGED", row: 2, value: codes[0] }]);
    const { tr, en } = applied.issues[0].message;
    expect(tr).toContain("Fiyat: planda 65,00, şimdi 75,00, gönderilecek 70,00");
    expect(en).toContain("Price: 65.00 in the plan, 75.00 now, 70.00 to be sent");
    expect(kept).toBe(7_500);
    expect(undoneNow.counts).toMatchObject({ rows: 1, updated: 1 });
    expect(released).toMatchObject({ code: 0, counts: { updated: 2 } });
    expect(sent).toBe(7_000);
    expect([priceOf(store), priceOf(store, 1)]).toEqual([7_500, 6_500]);
  });

  it("is not overwritten when another run of this program has changed it", async () => {
    const store = await openStore(1);
    const { shop, panel, codes, list } = store;
    await panel.edit(codes[0] ?? "", money(50));
    const { run } = await read(shop, "plan", list("eski.csv", "Fiyat", ["55,00"]));
    await shop.run("import", list("yeni.csv", "Fiyat", ["70,00"]), "--yes");

    const applied = await read(shop, "apply", run);

    expect(applied).toMatchObject({ code: 5, counts: { updated: 0, held: 1 } });
    expect(priceOf(store)).toBe(7_000);
  });

  it("is not overwritten by a resume after a kill", async () => {
    const store = await openStore(75, 20);
    const { shop, panel, codes, list } = store;
    const file = list(
      "stok.csv",
      "Stok",
      codes.map(() => "777"),
    );
    const { child, finished } = shop.start("import", file, "--yes", "--json", "--concurrency", "1");
    while (shop.sandbox.stats().updates < 3) await wait(2);
    child.kill("SIGKILL");
    await finished;
    await panel.edit(codes[58] ?? "", { stock_count: 5 });
    // A field that the row does not send may change.
    await panel.edit(codes[59] ?? "", { title: "Başka bir başlık" });
    const [{ run }] = (await read(shop, "runs")).runs;

    const resumed = await read(shop, "resume", run);

    expect(resumed).toMatchObject({ code: 5, counts: { updated: codes.length - 1, held: 1 } });
    expect(resumed.issues).toMatchObject([{ code: "E_CHANGED", value: codes[58] }]);
    expect(stocksOf(store, codes)).toEqual(codes.map((_, at) => (at === 58 ? 5 : 777)));
  });

  it("is held again when it changes once more after a release", async () => {
    const store = await openStore(1);
    const { shop, panel, codes, list } = store;
    const [code = ""] = codes;
    await panel.edit(code, money(65));
    const { run } = await read(shop, "plan", list("m.csv", "Fiyat", ["70,00"]));
    await panel.edit(code, money(75));
    const held = await read(shop, "apply", run);
    await panel.edit(code, money(76));

    const released = await read(shop, "release", run, "--rows", "2", "--resend", "--yes");

    expect(held.counts).toMatchObject({ held: 1 });
    expect(released).toMatchObject({ code: 5, counts: { updated: 0, held: 1 } });
    expect(released.issues[0].message.tr).toContain(
      "planda 75,00, şimdi 76,00, gönderilecek 70,00",
    );
    expect(priceOf(store)).toBe(7_600);
  });
});

describe("1,000 updates of which 50 have changed since the plan", { timeout: 300_000 }, () => {
  it("are sent for 950 and held for 50 with 20 more calls, and an undo restores the 950", async () => {
    // One in five products of the sandbox is not approved and needs further calls.
    const store = await openStore(1_250);
    const { shop, panel, list } = store;
    const codes = store.codes.slice(0, 1_000);
    const before = stocksOf(store, codes);
    const changed = new Set(codes.filter((_, index) => index % 20 === 7));
    const file = list(
      "stok.csv",
      "Stok",
      codes.map(() => "4321"),
    );
    const { run } = await read(shop, "plan", file);
    for (const code of changed) await panel.edit(code, { stock_count: 4_000 });
    const planned = shop.sandbox.stats();

    const applied = await read(shop, "apply", run, "--no-verify");
    const sent = shop.sandbox.stats();
    const undone = await read(shop, "undo", run, "--yes", "--no-verify");

    expect(applied).toMatchObject({ code: 5, counts: { updated: 950, held: 50 } });
    expect(sent.updates - planned.updates).toBe(950);
    expect(sent.requests - planned.requests).toBe(950 + 20);
    expect(undone.counts).toMatchObject({ rows: 950, updated: 950 });
    expect(codes).toHaveLength(1_000);
    expect(stocksOf(store, codes)).toEqual(
      codes.map((code, at) => (changed.has(code) ? 4_000 : before[at])),
    );
  });
});
