import { writeFileSync } from "node:fs";
import { join } from "node:path";

import type { ExportView, ProductsView, ProductView, ProductViews } from "@catalog/web";
import { describe, expect, it } from "vitest";

import { openSellerPanel, PANEL_BREAKS } from "../../helpers/markets/seller-panel.ts";
import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import { waitUntil } from "../../helpers/wait-until.ts";
import { openWeb, type WebSession } from "../../helpers/web/open-web.ts";
import { getBody, postBody } from "../../helpers/web/runs.ts";

interface Page {
  readonly session: WebSession;
  readonly readAll: () => Promise<ProductsView>;
  /** The numbers that a query lists. */
  readonly order: (query?: string) => Promise<readonly number[]>;
  readonly rows: (query?: string) => Promise<readonly ProductView[]>;
}

async function openPage(store: TestStore): Promise<Page> {
  const session = await (await openWeb(store)).openSession();
  const order: Page["order"] = async (query = "") => {
    const { origin = "" } = session.headers;
    const answer = await fetch(`${origin}/api/products/order${query}`, session);
    expect(answer.status).toBe(200);
    const bytes = new DataView(await answer.arrayBuffer());
    return Array.from({ length: bytes.byteLength / 4 }, (_, at) => bytes.getUint32(at * 4, true));
  };
  return {
    session,
    order,
    async rows(query) {
      const numbers = await order(query);
      return numbers.length === 0
        ? []
        : await getBody<readonly ProductView[]>(session, `/products/rows?n=${numbers.join(",")}`);
    },
    async readAll() {
      expect((await session.call("POST", "/products/read", {})).status).toBe(202);
      let view = await getBody<ProductsView>(session, "/products");
      await waitUntil(async () => {
        view = await getBody<ProductsView>(session, "/products");
        return view.reading === null;
      });
      return view;
    },
  };
}

const readExport = async (session: WebSession, id: string): Promise<ExportView | undefined> =>
  (await getBody<readonly ExportView[]>(session, "/exports")).find((each) => each.id === id);

const codesOf = (products: readonly ProductView[]): string =>
  products.map(({ code }) => code).join(" ");

describe("the products of the store", () => {
  it("are read when a person asks for it, and found, sorted and counted", async () => {
    const store = await openTestStore({ products: 120 });
    const page = await openPage(store);
    expect(await getBody(page.session, "/products")).toMatchObject({ total: 0, readAt: null });

    const view = await page.readAll();

    const shown = store.sandbox.products();
    expect(view).toMatchObject({ total: 120, reading: null, problem: null, calls: 6 });
    expect(view.statuses.reduce((sum, { products }) => sum + products, 0)).toBe(120);
    const [first] = await page.rows();
    expect(first).toMatchObject({ readAt: expect.any(String), oursAt: null, othersAt: null });
    const { brand = "", products = 0 } = { brand: view.brands[0]?.value, ...view.brands[0] };
    const ofBrand = await page.rows(`?brand=${encodeURIComponent(brand)}`);
    expect(ofBrand).toHaveLength(products);
    const collator = new Intl.Collator("tr", { numeric: true, sensitivity: "base" });
    const titles = (await page.rows("?sort=title")).map(({ title }) => title);
    expect(titles).toEqual(titles.toSorted(collator.compare));
    const soldOut = shown
      .filter(({ stock_count: stock }) => stock === 0)
      .map(({ product_code }) => product_code);
    expect(await page.rows("?marks=sold-out")).toHaveLength(soldOut.length);
    const code = shown[7]?.product_code ?? "";
    expect(codesOf(await page.rows(`?text=${code.toLowerCase()}`))).toBe(code);
  });

  it("keep columns and filters for every browser", async () => {
    const { session } = await openPage(await openTestStore({ products: 3 }));
    const views: ProductViews = {
      columns: ["code", "stock"],
      saved: [{ name: "Biten", filter: { marks: ["sold-out"] }, sort: null }],
    };

    expect((await session.call("PUT", "/products/views", views)).status).toBe(200);

    expect(await getBody(session, "/products/views")).toEqual(views);
    const bad = { ...views, columns: ["password"] };
    expect((await session.call("PUT", "/products/views", bad)).status).toBe(400);
  });

  it("become a file of those that were chosen or filtered, as they were read", async () => {
    const store = await openTestStore({ products: 3 });
    const { session, order, readAll } = await openPage(store);
    await readAll();
    const [first = 0] = await order();
    const calls = () => store.sandbox.stats().byEndpoint["product.list"];
    const before = calls();
    const make = async (products: unknown, columns: readonly string[]): Promise<string> => {
      const body = { products, format: "csv", columns };
      const { id } = await postBody<ExportView>(session, "/products/export", body);
      await waitUntil(async () => (await readExport(session, id))?.state !== "running");
      const made = await readExport(session, id);
      expect(made).toMatchObject({ state: "done", problem: null });
      expect(made?.notes.join(" ")).toContain("Değerler mağazadan");
      return (await session.call("GET", `/exports/${id}/file`)).text;
    };

    const one = await make({ numbers: [first] }, ["product_code", "stock"]);
    const all = await make({ filter: { text: "sbx" } }, []);

    expect(one.trim().split("\n")).toHaveLength(2);
    expect(one).toMatch(/^\uFEFF?"Ürün Kodu \*";"Stok \*"/u);
    expect(all.trim().split("\n")).toHaveLength(4);
    expect(all).toContain("Ürün ID");
    expect(calls()).toBe(before);
    expect((await session.call("POST", "/products/export", { products: {} })).status).toBe(400);
  });

  it("show our change as soon as a run has ended, and tell it from one in the panel", async () => {
    const store = await openTestStore({ products: 3, breaks: PANEL_BREAKS });
    const page = await openPage(store);
    await page.readAll();
    const [ours = "", theirs = "", still = ""] = store.sandbox
      .products()
      .map(({ product_code: code }) => code);
    const panel = await openSellerPanel(store);
    const before = (await page.rows()).find(({ code }) => code === theirs)?.stock ?? 0;
    await panel.edit(theirs, { stock_count: before + 20 });

    const path = join(store.folder, "stok.csv");
    writeFileSync(path, `Ürün Kodu;Stok\n${ours};33\n`);
    expect(await store.json("import", path, "--yes")).toMatchObject({ exit: 0 });

    expect((await page.rows("?marks=ours")).map(({ code, stock }) => [code, stock])).toEqual([
      [ours, 33],
    ]);
    expect(await page.rows("?marks=others")).toEqual([]);

    await page.readAll();

    expect((await page.rows("?marks=others")).map(({ code, stock }) => [code, stock])).toEqual([
      [theirs, before + 20],
    ]);
    expect(codesOf(await page.rows("?marks=ours"))).toBe(ours);
    expect(codesOf(await page.rows(`?text=${still}`))).toBe(still);
  });

  it("ask for the unit of their prices by one of them, and show prices once it is known", async () => {
    const page = await openPage(await openTestStore({ products: 3 }));
    const asked = await page.readAll();
    const [before] = await page.rows();

    await page.session.call("PUT", "/settings/price-unit", { unit: "minor" });

    const { code, minor, shown } = asked.priceUnitExample ?? {};
    const [after] = await page.rows();
    expect(after).toMatchObject({ code, price: minor });
    expect(minor?.replaceAll(/\D/gu, "")).toBe(shown);
    expect([asked.priceUnit, before?.price]).toEqual([null, null]);
    expect(await getBody<ProductsView>(page.session, "/products")).toMatchObject({
      priceUnit: "minor",
      priceUnitExample: null,
    });
  });

  it("refuse a filter by amounts while it is not known what they are", async () => {
    const { session } = await openPage(await openTestStore({ products: 3 }));

    const refused = await session.call("GET", "/products/order?priceFrom=10");

    expect(refused.status).toBeGreaterThanOrEqual(400);
    expect(refused.text).toContain("kuruş mu lira mı");
    expect((await session.call("GET", "/products/order?priceFrom=ten")).status).toBe(400);
  });

  it.each(["0", "1.5", "99999999999999999999", "one"])("refuse %s as a number", async (number) => {
    const { session } = await openPage(await openTestStore({ products: 1 }));

    expect((await session.call("GET", `/products/rows?n=${number}`)).status).toBe(400);
  });
});
