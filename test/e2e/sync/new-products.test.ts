import { createTestDatabase, hasPostgres } from "@catalog/database/testing";
import { describe, expect, it, onTestFinished } from "vitest";

import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import { goodRow, type ProductRow, writeCsv } from "../../helpers/product-sheet.ts";

const codesOf = ({ sandbox }: TestStore): readonly string[] =>
  sandbox.products().map(({ product_code: code }) => code);

/** Opens a store with three of the feed's products, on either database. */
async function openShop(database: "sqlite" | "postgres" = "sqlite"): Promise<TestStore> {
  const shop = await openTestStore();
  if (database === "sqlite") return await withProducts(shop);
  const server = await createTestDatabase();
  onTestFinished(() => server[Symbol.asyncDispose]());
  return await withProducts(shop.at({ CATALOG_DATABASE_URL: server.url }));
}

async function withProducts(shop: TestStore): Promise<TestStore> {
  const first = writeCsv(
    shop.folder,
    "ilk.csv",
    [1, 2, 3].map((n) => goodRow(n)),
  );
  const { exit } = await shop.json("import", first, "--yes", "--images", "off", "--no-verify");
  expect(exit).toBe(0);
  return shop;
}

const feedOf = (shop: TestStore, rows: readonly ProductRow[]): string =>
  writeCsv(shop.folder, "tedarikci.csv", rows);

describe.each(["sqlite", "postgres"] as const)("catalog sync --adds draft, on %s", (database) => {
  it.skipIf(database === "postgres" && !hasPostgres())(
    "keeps new products in one draft that is up to date, and adds each once",
    async () => {
      const shop = await openShop(database);
      const sync = async (rows: readonly ProductRow[]) =>
        await shop.json("sync", feedOf(shop, rows), "--adds", "draft", "--price-unit", "minor");
      const rows = [1, 2, 3, 4, 5].map((n) => goodRow(n));

      const feed = feedOf(shop, [goodRow(1, { "Stok *": 77 }), ...rows.slice(1)]);
      const tried = await shop.json("sync", feed, "--adds", "draft", "--dry-run");
      const first = await sync([goodRow(1, { "Stok *": 77 }), ...rows.slice(1)]);
      const second = await sync([...rows.slice(0, 4), goodRow(5, { "Stok *": 3 }), goodRow(6)]);
      const sent = await shop.json(
        "import",
        `draft:${second.draft}`,
        "--yes",
        "--images",
        "off",
        "--no-verify",
      );
      const third = await sync([...rows, goodRow(6)]);
      const gone = await shop.json("import", `draft:${second.draft}`, "--yes");

      expect(tried).toMatchObject({ exit: 0, state: "planned" });
      expect(first).toMatchObject({ exit: 0, drafted: 2, counts: { updated: 1 } });
      expect(second).toMatchObject({ exit: 0, drafted: 3, draft: first.draft });
      expect(sent).toMatchObject({ exit: 0, counts: { rows: 3, added: 3 } });
      expect(codesOf(shop).toSorted()).toEqual(
        [1, 2, 3, 4, 5, 6].map((n) => `TST-0000${n}`).toSorted(),
      );
      expect(third).toMatchObject({ exit: 0, drafted: 0, draft: null });
      expect(gone.error.code).toBe("E_DRAFT_UNKNOWN");
    },
  );
});

describe("catalog sync --adds draft", () => {
  it("sends what is sound, replaces what the feed has changed, and drops what it no longer has", async () => {
    const shop = await openShop();
    const sync = async (rows: readonly ProductRow[]) =>
      await shop.json("sync", feedOf(shop, rows), "--adds", "draft", "--price-unit", "minor");
    const open = { "Kategori *": "Bilinmeyen Raf" };
    const rows = [1, 2, 3].map((n) => goodRow(n));
    const { draft } = await sync([...rows, goodRow(4, open), goodRow(5), goodRow(7)]);

    const next = await sync([...rows, goodRow(4, open), goodRow(5, { "Fiyat *": 99.5 })]);
    const sent = await shop.json(
      "import",
      `draft:${draft}`,
      "--yes",
      "--images",
      "off",
      "--no-verify",
    );
    const last = await sync([...rows, goodRow(4, open), goodRow(5)]);

    expect(next).toMatchObject({ drafted: 2, draft });
    expect(sent).toMatchObject({ counts: { rows: 2, added: 1, invalid: 1 } });
    expect(
      shop.sandbox.products().find(({ product_code: code }) => code === "TST-00005"),
    ).toMatchObject({ price: 9_950 });
    expect(codesOf(shop)).not.toContain("TST-00007");
    expect(last).toMatchObject({ drafted: 1, draft });
  });

  it("adds by themselves what has no open questions, and keeps the others", async () => {
    const shop = await openShop();
    const sync = async (rows: readonly ProductRow[]) =>
      await shop.json("sync", feedOf(shop, rows), "--adds", "send", "--price-unit", "minor");
    const open = { "Kategori *": "Bilinmeyen Raf" };
    const rows = [1, 2, 3].map((n) => goodRow(n));

    const first = await sync([...rows, goodRow(4), goodRow(5, open)]);
    const again = await sync([...rows, goodRow(4), goodRow(5, open)]);
    const rule = await shop.run(
      "rules",
      "add",
      "category",
      "Bilinmeyen Raf",
      String(goodRow(5)["Kategori *"]),
    );
    const answered = await sync([...rows, goodRow(4), goodRow(5, open)]);

    expect(first).toMatchObject({ exit: 0, added: 1, drafted: 1 });
    expect(again).toMatchObject({ exit: 0, drafted: 1, draft: first.draft });
    expect(again.adds_run).toBeUndefined();
    expect(rule.code).toBe(0);
    expect(answered).toMatchObject({ exit: 0, added: 1, drafted: 0 });
    expect(codesOf(shop)).toHaveLength(5);
  });

  it("is scheduled with the feed, by its own name", async () => {
    const shop = await openShop();
    const feed = feedOf(
      shop,
      [1, 2, 3, 4].map((n) => goodRow(n)),
    );

    const added = await shop.json("feed", "add", feed, "--cron", "0 5 * * *", "--adds", "draft");
    const listed = await shop.json("feed", "list");
    const run = await shop.json("schedule", "run", "tedarikci.csv");

    expect(added).toMatchObject({ command: "schedule", action: "add", exit: 0 });
    expect(listed.schedules).toHaveLength(1);
    expect(run).toMatchObject({ drafted: 1 });
  });

  it("leaves a plan alone that waits to be sent, and only reports new codes without the flag", async () => {
    const shop = await openShop();
    const feed = feedOf(
      shop,
      [1, 2, 3, 4].map((n) => goodRow(n)),
    );
    const { draft } = await shop.json("sync", feed, "--adds", "draft", "--price-unit", "minor");
    const planned = await shop.json("plan", `draft:${draft}`, "--images", "off");
    feedOf(
      shop,
      [1, 2, 3, 4, 5].map((n) => goodRow(n)),
    );
    const meanwhile = await shop.json("sync", feed, "--adds", "draft");
    const applied = await shop.json("apply", planned.run, "--no-verify");
    const never = await shop.json("sync", feed);

    expect(meanwhile).toMatchObject({ exit: 0, drafted: 2, draft });
    expect(applied).toMatchObject({ exit: 0, counts: { added: 1 } });
    expect(never).toMatchObject({ exit: 5, unknown_codes: 1, drafted: 0, draft: null });
  });
});
