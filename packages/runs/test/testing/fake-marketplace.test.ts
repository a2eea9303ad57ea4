import { describe, expect, it } from "vitest";

import { compareFields } from "../../src/plan/compare.ts";
import type { ListQuery, Marketplace } from "../../src/ports/marketplace.ts";
import type { StoreProduct } from "../../src/ports/product.ts";
import {
  answered,
  createFakeMarketplace,
  failing,
  lost,
  refused,
  type Reply,
} from "../../src/testing.ts";
import { listAdded, listUpdated } from "../../src/testing/fake-marketplace.ts";
import { addBody, CHOICE, toProductId, price, updateBody } from "../../src/testing/rows.ts";

const list = async (marketplace: Marketplace, query: ListQuery): Promise<readonly StoreProduct[]> =>
  await Array.fromAsync(marketplace.listProducts(query));

const GO = { beforeSend: (): void => undefined } as const;

// Listings, filters and writes are proven by the suite of all marketplaces in test/engine.

it("createFakeMarketplace answers only once onRequest resolves", async () => {
  const seen: string[] = [];
  const marketplace = createFakeMarketplace({
    onRequest: async (request) => {
      await new Promise((resolve) => setImmediate(resolve));
      seen.push(`${request}, ${marketplace.products.length} stored`);
    },
  });

  await marketplace.addProduct(addBody("A1"), GO);

  expect(seen).toEqual(["ADD A1, 1 stored"]);
});

describe("createFakeMarketplace, with a script", () => {
  it("gives the scripted replies of a request in order, and accepts further requests", async () => {
    const script = { "ADD A1": [refused(502), lost("headers")], "*": [refused(400)] };
    const marketplace = createFakeMarketplace({ script });
    const kinds: string[] = [];
    for (const code of ["A1", "A1", "A1", "A2", "A3"]) {
      kinds.push((await marketplace.addProduct(addBody(code), GO)).kind);
    }

    expect(kinds).toEqual(["refused", "lost", "answered", "refused", "answered"]);
  });

  const REPLIES: readonly (readonly [
    name: string,
    reply: Reply,
    expected: { readonly begun: number; readonly stored: number; readonly arrived: number },
  ])[] = [
    ["a refusal", refused(502), { begun: 1, stored: 0, arrived: 1 }],
    [
      "a refusal of a write that was carried out",
      refused(502, { effect: "now" }),
      { begun: 1, stored: 1, arrived: 1 },
    ],
    ["an unreadable answer", answered({}), { begun: 1, stored: 0, arrived: 1 }],
    [
      "an unreadable answer to a write that was carried out",
      answered({}, "now"),
      { begun: 1, stored: 1, arrived: 1 },
    ],
    ["a lost request", lost("started"), { begun: 1, stored: 0, arrived: 1 }],
    ["a lost answer", lost("body", { effect: "now" }), { begun: 1, stored: 1, arrived: 1 }],
    ["a request that never left", lost("none"), { begun: 0, stored: 0, arrived: 0 }],
    [
      "a request that was started and never left",
      lost("none", { begins: true, effect: "now" }),
      { begun: 1, stored: 0, arrived: 0 },
    ],
  ];

  it.each(REPLIES)("plays %s", async (_name, reply, expected) => {
    const marketplace = createFakeMarketplace({ script: { "ADD A1": [reply] } });
    let begun = 0;
    const beforeSend = (): void => void (begun += 1);

    const answer = await marketplace.addProduct(addBody("A1"), { beforeSend });

    expect(answer).toEqual(answerOf(reply));
    expect({
      begun,
      stored: marketplace.products.length,
      arrived: marketplace.log.length,
    }).toEqual(expected);
  });

  it("throws a failing reply before anything starts", async () => {
    const script = { "ADD A1": [failing(new Error("wrong secret"))] };
    const marketplace = createFakeMarketplace({ script });
    let begun = 0;
    const beforeSend = (): void => void (begun += 1);

    const adding = marketplace.addProduct(addBody("A1"), { beforeSend });

    await expect(adding).rejects.toThrow("wrong secret");
    expect(begun).toBe(0);
  });

  it("carries a late write out after the given number of reads", async () => {
    const script = { "ADD A1": [lost("started", { effect: { afterReads: 2 } })] };
    const marketplace = createFakeMarketplace({ script });
    await marketplace.addProduct(addBody("A1"), GO);
    const found: number[] = [];
    for (const status of ["approved", "approved", "approved", "approved"] as const) {
      found.push((await list(marketplace, { status })).length);
    }

    expect(found).toEqual([0, 0, 1, 1]);
  });

  it("carries out every late write on request", async () => {
    const script = { "ADD A1": [lost("started", { effect: { afterReads: 99 } })] };
    const marketplace = createFakeMarketplace({ script });
    await marketplace.addProduct(addBody("A1"), GO);

    marketplace.catchUp();
    marketplace.catchUp();

    expect(marketplace.products).toHaveLength(1);
  });
});

const answerOf = (reply: Reply): unknown => (reply.kind === "answer" ? reply.answer : undefined);

describe("listAdded", () => {
  it("shows what a listing shows, without category and model", () => {
    expect(listAdded(toProductId("p1"), addBody("A1", { properties: [CHOICE] }), "minor")).toEqual({
      id: "p1",
      product_code: "A1",
      title: "Cup A1",
      subtitle: "A cup",
      brand_id: "brand-1",
      description: "It holds tea.",
      price: 1990,
      has_discount: false,
      discount_type: null,
      discount_value: false,
      stock: 5,
      warranty_type: 1,
      warranty_period: 0,
      shipping_template_id: "template-1",
      images: ["https://images.example/cup.jpg"],
      properties: [CHOICE],
    });
  });

  it("gives prices and amounts in its unit, and rates as they are", () => {
    const amount = addBody("A1", { has_discount: true, discount_type: 1, discount_value: 250 });
    const rate = addBody("A1", { has_discount: true, discount_type: 2, discount_value: 25 });

    expect(listAdded(toProductId("p1"), amount, "major")).toMatchObject({
      price: 19.9,
      discount_value: 2.5,
    });
    expect(listAdded(toProductId("p1"), rate, "major")).toMatchObject({ discount_value: 25 });
  });

  it.each(["minor", "major"] as const)(
    "shows no difference to the sent values in %s units",
    (unit) => {
      const wanted = addBody("A1", { currency: "USD", properties: [CHOICE] });
      const seen = listAdded(toProductId("p1"), wanted, unit);

      expect(compareFields({ wanted, seen, priceUnit: unit })).toEqual({
        changes: [],
        notComparable: ["category_id", "brand_model"],
      });
    },
  );
});

it("listUpdated changes the sent fields and leaves the others", () => {
  const before = listAdded(toProductId("p1"), addBody("A1"), "minor");

  const after = listUpdated(before, updateBody("p1", { title: "Mug", price: price(5) }), "minor");

  expect(after).toEqual({ ...before, title: "Mug", price: 5 });
});
