import { createFakeClock } from "@catalog/clock/testing";
import { describe, expect, it } from "vitest";
import * as z from "zod";

import type { BehaviorOptions } from "../../src/index.ts";
import { openTestClient } from "../helpers/test-client.ts";
import { ask } from "../helpers/wire.ts";

const page = z.object({
  total: z.union([z.number(), z.string()]),
  result: z.array(z.record(z.string(), z.unknown())),
});

/** One page of the approved products of a store that has 32 of them. */
async function listWith(behavior: BehaviorOptions, query: Record<string, string> = {}) {
  const { sandbox, get } = await openTestClient({ products: 40, personality: behavior });
  return get(`/v1.1/product/store/${sandbox.storeId}`, query);
}

describe("the setting expires-at", () => {
  const start = Date.UTC(2025, 5, 1);

  it.each([
    ["iso", "2025-06-01T06:00:00.000Z"],
    ["seconds", start / 1000 + 6 * 60 * 60],
    ["milliseconds", start + 6 * 60 * 60 * 1000],
    ["local-text", "2025-06-01 09:00:00"],
  ] as const)("writes the expiry as %s", async (value, expected) => {
    const clock = createFakeClock(start);
    const { sandbox } = await openTestClient({ clock, personality: { "expires-at": value } });
    const body = { client_key: sandbox.clientKey, client_secret: sandbox.clientSecret };

    const { text } = await ask(`${sandbox.baseUrl}/app/auth/access`, { body });

    expect(JSON.parse(text)).toMatchObject({ data: { expires_at: expected } });
  });
});

describe("the setting prices", () => {
  const product = { price: 129_990, has_discount: true, discount_type: 1, discount_value: 990 };

  it.each([
    ["minor", { price: 129_990, paid_price: 129_000, discount_value: 990 }],
    ["major", { price: 1299.9, paid_price: 1290, discount_value: 9.9 }],
    ["text", { price: "1299.90", paid_price: "1290.00", discount_value: "9.90" }],
  ] as const)("writes prices as %s", async (value, expected) => {
    const visitor = await openTestClient({ personality: { prices: value } });
    await visitor.add(product);

    const { data } = await visitor.get(`/v1.1/product/store/${visitor.sandbox.storeId}`);

    expect(page.parse(data).result[0]).toMatchObject(expected);
    expect(visitor.sandbox.products()[0]).toMatchObject(product);
  });

  it.each([
    ["minor", { price: 129_990, discount_amount: 990, shipping_price: 7990 }],
    ["major", { price: 1299.9, discount_amount: 9.9, shipping_price: 79.9 }],
    ["text", { price: "1299.90", discount_amount: "9.90", shipping_price: "79.90" }],
  ] as const)("writes prices of a search as %s", async (value, expected) => {
    const visitor = await openTestClient({ personality: { prices: value } });
    await visitor.add({ ...product, title: "Bulunacak Kaşık" });

    const { data } = await visitor.get("/v1.1/product/search", {
      type: "b2c",
      search_key: "bulunacak",
    });

    expect(page.parse(data).result).toMatchObject([expected]);
  });

  it("does not change a discount rate", async () => {
    const visitor = await openTestClient({ personality: { prices: "major" } });
    await visitor.add({ has_discount: true, discount_type: 2, discount_value: 25 });

    const { data } = await visitor.get(`/v1.1/product/store/${visitor.sandbox.storeId}`);

    expect(page.parse(data).result[0]).toMatchObject({ discount_value: 25 });
  });
});

describe("the setting images", () => {
  it("can write images as objects", async () => {
    const visitor = await openTestClient({ personality: { images: "objects" } });
    await visitor.add();

    const { data } = await visitor.get(`/v1.1/product/store/${visitor.sandbox.storeId}`);

    const url = "https://ornek.example/kasik.jpg";
    expect(page.parse(data).result[0]).toMatchObject({ images: [{ url, order: 1 }] });
  });
});

describe("the setting total", () => {
  it.each([
    ["right", 32],
    ["this-page", 12],
    ["too-high", 39],
    ["zero", 0],
    ["text", "32"],
  ] as const)("states %s", async (value, total) => {
    const { data } = await listWith({ total: value }, { page: "2" });

    const answer = page.parse(data);
    expect([answer.total, answer.result.length]).toEqual([total, 12]);
  });

  it("applies to every listing", async () => {
    const { get } = await openTestClient({ personality: { total: "zero" } });

    const { data } = await get("/v1.1/category/");

    expect(data).toMatchObject({ total: 0 });
  });
});

describe("the setting page-past-end", () => {
  it("can answer with an empty page", async () => {
    const { data } = await listWith({}, { page: "3" });

    expect(data).toEqual({ total: 32, result: [] });
  });

  it("can answer with an error", async () => {
    const { httpStatus, data } = await listWith({ "page-past-end": "error" }, { page: "3" });

    expect(httpStatus).toBe(404);
    expect(data).toMatchObject({ message: "Page not found" });
  });

  it("can answer with the last page again", async () => {
    const behavior = { "page-past-end": "last-page" } as const;
    const last = await listWith(behavior, { page: "4", limit: "10" });
    const past = await listWith(behavior, { page: "9", limit: "10" });

    expect(past.data).toEqual(last.data);
    expect(page.parse(past.data).result).toHaveLength(2);
  });

  it.each(["error", "last-page"] as const)(
    "does not apply as %s to an empty listing",
    async (value) => {
      const behavior = { "page-past-end": value };
      const { sandbox, get } = await openTestClient({ personality: behavior });

      const { httpStatus, data } = await get(`/v1.1/product/store/${sandbox.storeId}`);

      expect([httpStatus, data]).toEqual([200, { total: 0, result: [] }]);
    },
  );
});

describe("the setting versions", () => {
  it.each([
    ["both", 200, 200],
    ["v1.0", 200, 404],
    ["v1.1", 404, 200],
  ] as const)("serves the prefixes %s", async (value, older, newer) => {
    const { sandbox, get } = await openTestClient({ personality: { versions: value } });

    const answers = [
      await get("/v1.0/category/"),
      await get("/v1.1/category/"),
      await get(`/v1.0/shipping-template/store/${sandbox.storeId}`),
    ];

    expect(answers.map(({ httpStatus }) => httpStatus)).toEqual([older, newer, 200]);
  });
});
