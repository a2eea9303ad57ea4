import { createFakeClock } from "@catalog/clock/testing";
import { type Comment, endpoints } from "@catalog/contract";
import { describe, expect, it } from "vitest";

import { read, send } from "../helpers/market.ts";
import { shareSandbox, openTestClient, type TestClient } from "../helpers/test-client.ts";

const { comment, product } = endpoints;
const START = Date.UTC(2026, 4, 1, 9);

const createOptions = () => ({ clock: createFakeClock(START), products: 5 });

/** Shared by all tests of this file, none of which changes its state. */
const openShop = shareSandbox(createOptions());

let comments: Promise<readonly Comment[]> | undefined;
const readAll = (): Promise<readonly Comment[]> => (comments ??= readPages(openShop()));

/** Every comment of the store, page by page. */
async function readPages(shop: TestClient): Promise<readonly Comment[]> {
  const pages = await Promise.all(
    Array.from({ length: 40 }, (_, n) =>
      read(shop, comment.storeComments, { limit: "50", page: String(n + 1) }),
    ),
  );
  return pages.flatMap(({ result }) => result);
}

const timeOf = ({ created_at }: Comment): number => Date.parse(String(created_at));

describe("the store comment listing", () => {
  it("has 2,000 comments, newest first, each once", async () => {
    const shop = openShop();

    const all = await readAll();

    const { total } = await read(shop, comment.storeComments);
    expect(total).toBe(2000);
    expect(new Set(all.map(({ id }) => id)).size).toBe(2000);
    expect(all.map(timeOf)).toEqual(all.map(timeOf).toSorted((a, b) => b - a));
  });

  it("contains texts that break a careless export", async () => {
    const text = (await readAll()).map(({ message }) => message);

    expect(text).toContain('=HYPERLINK("http://kotu.example","Tıkla")');
    for (const pattern of [
      /^[+@-]/u,
      /\n/u,
      /\r\n/u,
      /"/u,
      /;/u,
      /\p{Emoji_Presentation}/u,
      /ı/u,
    ]) {
      expect(text.filter((one) => pattern.test(one ?? "")).length).toBeGreaterThan(5);
    }
  });

  it.each([
    [{ satisfaction: "happy" }, (one: Comment) => (one.rate ?? 0) >= 4],
    [{ satisfaction: "neutral" }, (one: Comment) => one.rate === 3],
    [{ satisfaction: "unhappy" }, (one: Comment) => (one.rate ?? 9) <= 2],
    [{ rate: "2" }, (one: Comment) => one.rate === 2],
    [{ min_rate: "2", max_rate: "3" }, (one: Comment) => one.rate === 2 || one.rate === 3],
    [{ start_date: "1770000000" }, (one: Comment) => timeOf(one) >= 1_770_000_000_000],
    [{ end_date: "1770000000" }, (one: Comment) => timeOf(one) < 1_770_000_001_000],
  ])("is filtered by %o", async (query, fits) => {
    const shop = openShop();
    const expected = (await readAll()).filter(fits);

    const { total, result } = await read(shop, comment.storeComments, { ...query, limit: "50" });

    expect(expected.length).toBeGreaterThan(0);
    expect(total).toBe(expected.length);
    expect(result).toEqual(expected.slice(0, 50));
  });

  it("selects one day in Türkiye by any time of it", async () => {
    const shop = openShop();
    const midnight = Date.UTC(2026, 2, 9, 21) / 1000;

    const [day, late, next] = await Promise.all(
      [midnight, midnight + 86_399, midnight + 86_400].map((moment) =>
        read(shop, comment.storeComments, { date_created: String(moment) }),
      ),
    );

    expect(day?.result.length).toBeGreaterThan(2);
    for (const one of day?.result ?? []) {
      expect(Math.floor((timeOf(one) / 1000 - midnight) / 86_400)).toBe(0);
    }
    expect(late).toEqual(day);
    expect(next?.result).not.toEqual(day?.result);
  });

  it("can be sorted oldest first", async () => {
    const shop = openShop();
    const all = await readAll();

    const { result } = await read(shop, comment.storeComments, { sort_by_date: "ascending" });

    expect(result).toEqual(all.toReversed().slice(0, 20));
  });
});

describe("the listing of commented products", () => {
  it("has correct counts, highest first", async () => {
    const shop = openShop();

    const pages = await Promise.all(
      ["1", "2", "3"].map((page) => read(shop, comment.commentedProducts, { limit: "50", page })),
    );

    const counts = pages.flatMap(({ result }) => result.map((one) => one.comment_count ?? 0));
    expect(counts).toHaveLength(pages[0]?.total ?? 0);
    expect(counts).toEqual(counts.toSorted((a, b) => b - a));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(2000);
  });

  it.each([
    [{ min_comment_count: "10", max_comment_count: "12" }, (n: number) => n >= 10 && n <= 12],
    [{ comment_count: "11" }, (n: number) => n === 11],
  ])("is filtered by %o", async (query, fits) => {
    const { result } = await read(openShop(), comment.commentedProducts, query);

    expect(result.length).toBeGreaterThan(0);
    expect(result.every((one) => fits(one.comment_count ?? -1))).toBe(true);
  });

  it("can be sorted lowest first", async () => {
    const shop = openShop();

    const { result } = await read(shop, comment.commentedProducts, {
      sort_by_comment_count: "ascending",
    });

    const counts = result.map((one) => one.comment_count ?? 0);
    expect(counts).toEqual(counts.toSorted((a, b) => a - b));
  });
});

describe("the product comment listing", () => {
  it("contains the product, and as many comments as the listing of products says", async () => {
    const shop = openShop();
    const { result: products } = await read(shop, comment.commentedProducts);
    const [first] = products;

    const page = await read(shop, comment.productComments, {
      product_id: first?.id ?? "",
      limit: "500",
    });

    expect(page.product).toMatchObject({ id: first?.id, title: first?.title });
    expect(page.total).toBe(first?.comment_count);
    expect(page.result).toHaveLength(page.total);
  });

  it("distinguishes comments by where they were written", async () => {
    const shop = openShop();
    const { result: products } = await read(shop, comment.commentedProducts);
    const ask = (query: Readonly<Record<string, string>>) =>
      read(shop, comment.productComments, { product_id: products[0]?.id ?? "", ...query });

    const [all, details, order, both] = await Promise.all([
      ask({}),
      ask({ commented_at_product_details: "1" }),
      ask({ commented_at_order: "1" }),
      ask({ commented_at_product_details: "1", commented_at_order: "1" }),
    ]);

    expect(details.result.every((one) => one.comment_type === "product_details")).toBe(true);
    expect(order.total).toBeGreaterThan(0);
    expect(details.total + order.total).toBe(all.total);
    expect(both).toEqual(all);
  });

  it("shows the product's new title", async () => {
    const shop = await openTestClient(createOptions());
    const product_id = shop.sandbox.products()[0]?.id ?? "";

    await send(shop, product.update, { product_id, title: "Yeni Ad" });

    const page = await read(shop, comment.productComments, { product_id });
    expect(page.product?.title).toBe("Yeni Ad");
  });

  it("answers 404 for an unknown product, and requires a product", async () => {
    const shop = openShop();
    const path = `/v1.1/comment/product-comments/store/${shop.sandbox.storeId}`;

    const unknown = await shop.get(path, { product_id: "p" });
    const missing = await shop.get(path);
    const switchedOff = await shop.get(path, { product_id: "p", commented_at_order: "0" });

    expect([unknown, missing, switchedOff].map(({ httpStatus }) => httpStatus)).toEqual([
      404, 400, 400,
    ]);
  });

  it("is empty for a product that was just added", async () => {
    const shop = await openTestClient();
    const product_id = await shop.add();

    const page = await read(shop, comment.productComments, { product_id });

    expect(page.total).toBe(0);
  });
});
