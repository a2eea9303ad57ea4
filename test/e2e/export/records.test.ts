import { readFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { callCatalog } from "../../helpers/call-catalog.ts";
import { readAllSheetXml } from "../../helpers/independent-readers.ts";
import {
  type ChangedAnswer,
  openChangedMarket,
  toPage,
} from "../../helpers/markets/changed-market.ts";
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

/** Orders that a sandbox begins with, over several months. */
const SANDBOX_ORDERS = 400;

const toNumber = (value: unknown): number => Number(String(value).replace(",", "."));

describe("catalog export of orders and payments", () => {
  it("exports an order a second time only if it has changed, and marks it", async () => {
    const shop = await openTestStore({ products: 20, breaks: PANEL_BREAKS });
    const args = ["export", "orders", "--since", "last", "--out"] as const;
    const all = await shop.run(...args, "o1.csv");
    const waiting = await acceptOnePackage(
      shop,
      columnOf(await readTable(join(shop.folder, "o1.csv")), "Paket ID"),
    );

    const changed = await shop.run(...args, "o2.csv");
    const nothing = await shop.json(...args, "o3.csv");

    expect(all.err).toContain("daha önce dışa aktarma yapılmadı");
    expect(changed.err).toMatch(/Son dışa aktarmadan \(\d\d\.\d\d\.\d{4} \d\d:\d\d\) sonraki/u);
    const table = await readTable(join(shop.folder, "o2.csv"));
    expect(new Set(columnOf(table, "Paket ID"))).toEqual(new Set([waiting]));
    expect(new Set(columnOf(table, "Değişiklik"))).toEqual(new Set(["Değişti"]));
    expect(nothing).toMatchObject({ counts: { rows: 0 } });
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
      const kurus = columnOf(before, "Ödenen").map(toNumber);
      expect(columnOf(after, "Ödenen").map(toNumber)).toEqual(kurus.map((amount) => amount / 100));
      expect(after.header).toEqual(before.header);
      expect(columnOf(before, "Tutar Birimi")).toContain("bilinmiyor");
      expect(columnOf(after, "Tutar Birimi")).not.toContain("bilinmiyor");
      expect(raw.err).toContain("--price-unit minor");
      expect(lira.err).not.toContain("--price-unit");
    },
  );

  it("says which days a file of orders holds, and gives all days with --all", async () => {
    const shop = await openTestStore({ products: 20 });

    const some = await shop.json("export", "orders", "--out", "some.xlsx");
    const all = await shop.json("export", "orders", "--out", "all.csv", "--all");
    const both = await shop.run("export", "orders", "--out", "x.csv", "--all", "--days", "3");

    const guide = await readTable(join(shop.folder, "some.xlsx"), "Açıklamalar");
    expect(some.err).toMatch(/arasındaki siparişler veriliyor \(son 30 gün; .*--all\)/u);
    expect(columnOf(guide, "Açıklama")[0]).toMatch(/ arasındaki siparişler\.$/u);
    expect(columnOf(guide, "Açıklama")[1]).toContain("kalem");
    const { period } = some;
    expect(Date.parse(period.to) - Date.parse(period.from)).toBe(30 * 24 * 60 * 60 * 1000);
    expect(all.period.from).toBeNull();
    const ordersIn = async (file: string): Promise<number> =>
      new Set(columnOf(await readTable(join(shop.folder, file)), "Sipariş Kodu")).size;
    expect(await ordersIn("all.csv")).toBe(SANDBOX_ORDERS);
    expect(await ordersIn("some.xlsx")).toBeLessThan(SANDBOX_ORDERS);
    expect([both.code, both.err]).toEqual([2, expect.stringContaining("--days")]);
    const wrong = await shop.run("export", "orders", "--out", "x.csv", "--days", "0");
    expect([wrong.code, wrong.err]).toEqual([2, expect.not.stringContaining("veriliyor")]);
  });

  it.each(["tr", "en"] as const)(
    "writes a row per item or per package, whose amounts can be added up (%s)",
    async (lang) => {
      const shop = await openTestStore({ products: 20 });
      const run = (...args: readonly string[]) =>
        shop.run("export", "orders", "--lang", lang, "--price-unit", "minor", ...args);

      await run("--out", "items.csv");
      await run("--per", "package", "--out", "packages.csv");
      await run("--per", "package", "--out", "packages.xlsx");

      const header = (tr: string, en: string): string => ({ tr, en })[lang];
      const [order, box] = [header("Sipariş Kodu", "Order Code"), header("Paket ID", "Package ID")];
      const items = await readTable(join(shop.folder, "items.csv"));
      const packages = await readTable(join(shop.folder, "packages.csv"));
      const book = await readTable(join(shop.folder, "packages.xlsx"));
      const ids = columnOf(packages, box);
      expect(new Set(ids).size).toBe(ids.length);
      expect(new Set(ids)).toEqual(new Set(columnOf(items, box)));
      expect(columnOf(book, box)).toEqual(ids);
      const sum = (table: typeof items, name: string): number =>
        columnOf(table, name).reduce<number>(
          (all, one) => all + Math.round(toNumber(one ?? 0) * 100),
          0,
        );
      for (const name of [
        header("Ödenen", "Paid"),
        header("Mağaza Hakedişi", "Store Payout"),
        header("Komisyon", "Commission"),
        header("Kargo", "Shipping"),
        header("Sipariş Toplamı", "Order Total"),
        header("Sipariş Adedi", "Ordered Count"),
      ]) {
        expect([name, sum(items, name)]).toEqual([name, sum(packages, name)]);
        expect([name, sum(book, name)]).toEqual([name, sum(packages, name)]);
      }
      const total = header("Sipariş Toplamı", "Order Total");
      const paid = sum(packages, header("Ödenen", "Paid"));
      const shipping = sum(packages, header("Kargo", "Shipping"));
      expect(sum(items, total)).toBe(paid + shipping);
      expect(sum(packages, header("Paket Toplamı", "Package Total"))).toBe(paid);
      const stated = columnOf(items, total).filter((one) => one !== null);
      expect(stated).toHaveLength(new Set(columnOf(items, order)).size);
      expect(new Set(columnOf(book, header("İşlem", "Action")))).toEqual(new Set([null]));
    },
  );

  it("offers actions and contracted companies in the workbook, and takes former keys of columns", async () => {
    const shop = await openTestStore({ products: 20 });

    await shop.run("export", "orders", "--out", "o.xlsx");
    await shop.run(
      "export",
      "orders",
      "--columns",
      "package_id,package_status",
      "--out",
      "k.jsonl",
    );

    const parts = readAllSheetXml(join(shop.folder, "o.xlsx"));
    expect(parts).toContain("Onayla,Ertele,İadeyi onayla,İadeyi reddet");
    expect(parts).toContain("Deneme Lojistik");
    const [first = "{}"] = readFileSync(join(shop.folder, "k.jsonl"), "utf8").split("\n");
    expect(Object.keys(JSON.parse(first))).toEqual(["package_id", "status"]);
  });

  it("reads a period in parts where one answer is too large", async () => {
    const shop = await openTestStore({ products: 1 });
    const hour = 3_600;
    const end = Math.floor(Date.UTC(2026, 5, 30) / 1_000);
    const orders = Array.from({ length: 60 }, (_, n) => ({
      at: end - n * 11 * hour,
      order: { code: String(n), packages: [{ package_id: `P-${n}`, status: 1 }] },
    }));
    // Some 17 MB for more than 20 orders; the client reads 16 MiB.
    const padding = "x".repeat(17_000_000);
    const list: ChangedAnswer = (query) => {
      const [from, to] = [Number(query.get("start_date")), Number(query.get("end_date"))];
      const listed = orders.filter(({ at }) => at >= from && at <= to).map(({ order }) => order);
      return listed.length > 20 ? [{ code: padding, packages: [] }] : listed;
    };
    await using market = await openChangedMarket(shop.sandbox, { "/order/store/": list });
    const { run } = shop.at({ CATALOG_BASE_URL: market.baseUrl });

    const dates = ["--start-date", "2026-06-01", "--end-date", "2026-06-30"];
    const { code } = await run("export", "orders", "--per", "package", ...dates, "--out", "o.csv");

    const ids = columnOf(await readTable(join(shop.folder, "o.csv")), "Paket ID");
    expect(code).toBe(0);
    expect(ids).toHaveLength(orders.length);
    expect(new Set(ids)).toEqual(new Set(orders.map((_, n) => `P-${n}`)));
    expect(market.calls.length).toBeLessThan(20);
  });

  it("takes the words of a status from the marketplace's list where an order lacks them, if it may", async () => {
    const [one, other] = [
      await openTestStore({ products: 1 }),
      await openTestStore({ products: 1 }),
    ];
    const box = { package_id: "P-1", status: 3, status_explained: null };
    const orders = [
      { code: "1", packages: [box, { ...box, package_id: "P-2", status: 99 }] },
      { code: "2", packages: [{ ...box, package_id: "P-3", status_explained: "Kendi sözü" }] },
    ];
    const statusesOf = async (shop: TestStore, codes: ChangedAnswer): Promise<unknown> => {
      await using market = await openChangedMarket(shop.sandbox, {
        "/order/store/": () => orders,
        "/order/status-codes": codes,
      });
      const env = { ...shop.env, CATALOG_BASE_URL: market.baseUrl };
      const words = ["export", "orders", "--per", "package", "--out", "o.csv"];
      const { code } = await callCatalog(words, { env, cwd: shop.folder });
      expect(code).toBe(0);
      expect(market.calls.filter((path) => path.includes("status-codes"))).toHaveLength(1);
      const table = await readTable(join(shop.folder, "o.csv"));
      expect(columnOf(table, "Paket Durum Kodu")).toEqual(["3", "99", "3"]);
      return columnOf(table, "Paket Durumu");
    };

    const known = await statusesOf(one, () => [{ code: 3, description: "Onaylandı" }]);
    const empty = await statusesOf(other, () => []);

    expect(known).toEqual(["Onaylandı", null, "Kendi sözü"]);
    expect(empty).toEqual([null, null, "Kendi sözü"]);
  });

  it("writes an answer and its title, and leaves both empty where the customer waits", async () => {
    const shop = await openTestStore({ products: 1 });
    const question = { id: "1".repeat(24), message: "=1+1", subject: "-Renk", answer: null };
    const answered = {
      ...question,
      id: `${"0".repeat(23)}2`,
      answer: { title: "Renk", message: "'Kırmızı" },
    };
    await using market = await openChangedMarket(shop.sandbox, {
      "/question/store/": toPage([question, answered]),
    });
    const env = { ...shop.env, CATALOG_BASE_URL: market.baseUrl };

    for (const file of ["q.csv", "q.xlsx"]) {
      await callCatalog(["export", "questions", "--out", file], { env, cwd: shop.folder });

      const table = await readTable(join(shop.folder, file));
      expect(columnOf(table, "Soru ID")).toEqual([question.id, answered.id]);
      expect(columnOf(table, "Soru")).toEqual(["=1+1", "=1+1"]);
      expect(columnOf(table, "Konu")).toEqual(["-Renk", "-Renk"]);
      expect(columnOf(table, "Yanıt")).toEqual([null, "'Kırmızı"]);
      expect(columnOf(table, "Yanıt Başlığı")).toEqual([null, "Renk"]);
    }
  });

  it("writes times with their offset to CSV and JSON lines", async () => {
    const shop = await openTestStore({ products: 20 });

    await shop.run("export", "orders", "--out", "o.csv");
    await shop.run("export", "orders", "--out", "o.jsonl");

    const [time] = columnOf(await readTable(join(shop.folder, "o.csv")), "Sipariş Tarihi");
    expect(time).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\+03:00$/u);
    expect(readFileSync(join(shop.folder, "o.jsonl"), "utf8")).toMatch(
      /"order_date":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+03:00"/u,
    );
  });

  it("writes addresses in full with --with-contact", async () => {
    const shop = await openTestStore({ products: 20 });

    await shop.run("export", "orders", "--out", "hidden.csv");
    await shop.run("export", "orders", "--out", "plain.csv", "--with-contact");

    const emailsOf = async (file: string): Promise<readonly unknown[]> =>
      columnOf(await readTable(join(shop.folder, file)), "E-posta");
    expect(new Set(await emailsOf("hidden.csv"))).toEqual(new Set(["***"]));
    expect(String((await emailsOf("plain.csv"))[0])).toContain("@");
  });

  it("finds the comments of a product by its code or its id, and refuses what is neither", async () => {
    const shop = await openTestStore({ products: 60 });
    await shop.run("export", "comments", "--out", "all.csv");
    const all = await readTable(join(shop.folder, "all.csv"));
    const [code, id] = [columnOf(all, "Ürün Kodu")[0], columnOf(all, "Ürün ID")[0]];
    const expected = columnOf(all, "Ürün Kodu").filter((each) => each === code).length;

    const byCode = await shop.json(
      "export",
      "comments",
      "--product",
      String(code),
      "--out",
      "code.csv",
    );
    const byId = await shop.json("export", "comments", "--product", String(id), "--out", "id.csv");
    const noCode = await shop.run("export", "comments", "--product", "YOK-1", "--out", "x.csv");
    const noId = await shop.run(
      "export",
      "comments",
      "--product",
      "0".repeat(24),
      "--out",
      "x.csv",
    );

    expect(byCode.counts.rows).toBe(expected);
    expect(byId.counts.rows).toBe(expected);
    expect([noCode.code, noCode.err]).toEqual([2, expect.stringContaining("“YOK-1” kodlu")]);
    expect([noId.code, noId.err]).toEqual([2, expect.stringContaining("Bu kimlikte bir ürün yok")]);
    expect(noId.err).not.toContain("Sürdürmek için");
  });

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
