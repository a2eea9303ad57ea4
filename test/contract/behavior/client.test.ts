import { createMemoryTokenCache } from "@catalog/client";
import { SettingsError } from "@catalog/client/errors";
import { createFakeClock } from "@catalog/clock/testing";
import { priceMinor } from "@catalog/contract";
import {
  createSandboxCatalog,
  listBehaviorSettings,
  parseBehavior,
  type BehaviorOptions,
} from "@catalog/sandbox";
import { describe, expect, it } from "vitest";

import { createProduct, LISTED, type Outcome, outcomeOf, type Visit, visit } from "./calls.ts";

/** "name=value" for every value of every setting. */
const BEHAVIORS = listBehaviorSettings().flatMap(({ name, values }) =>
  values.map((value) => `${name}=${value}`),
);

type Call = (visit: Visit) => Promise<unknown>;

/** Every call of the client, with valid input. */
const CALLS: Readonly<Record<string, Call>> = {
  login: ({ client }) => client.login(),
  "category.list": ({ client }) => client.category.list({}),
  "category.byExternalId": ({ client }) => {
    const category = createSandboxCatalog().category(createProduct().category_id);
    return client.category.byExternalId({ externalCategoryId: Number(category?.external_id) });
  },
  "category.properties": ({ client }) =>
    client.category.properties({ categoryId: createProduct().category_id }),
  "brand.list": ({ client }) => client.brand.list({ category_id: createProduct().category_id }),
  "brand.models": ({ client }) => {
    const { category_id, brand_id } = createProduct();
    return client.brand.models({ category_id, brand_id });
  },
  "shippingTemplate.list": ({ client }) => client.shippingTemplate.list({}),
  "product.list": ({ client }) => client.product.list({}),
  "product.list, all": async ({ client }) => {
    const ids = await Array.fromAsync(client.product.list.items({}), ({ id }) => id);
    expect(new Set(ids).size).toBe(LISTED);
    expect(ids).toHaveLength(LISTED);
  },
  "product.list, after the end": ({ client }) => client.product.list({ page: 99 }),
  "product.add": ({ client }) => client.product.add(createProduct()),
  "product.add, the code again": ({ client }) => client.product.add(createProduct()),
  "product.add, refused": ({ client }) =>
    client.product.add(createProduct({ price: priceMinor.parse(10), ...HALF_OFF })),
  "product.update": ({ client, listed: product_id }) =>
    client.product.update({ product_id, title: "Yeni" }),
  "product.update, stock": ({ client, listed: product_id }) =>
    client.product.update({ product_id, stock_count: 3 }),
};

/** A discount above the price, which no schema of a single field rejects. */
const HALF_OFF = { has_discount: true, discount_type: 1, discount_value: 500 } as const;

/** The default outcomes of the calls. */
const USUAL: Readonly<Record<string, Outcome>> = {
  ...Object.fromEntries(Object.keys(CALLS).map((name) => [name, "works"])),
  "product.add, refused": "ApiError 400",
};

const allBut = (outcome: Outcome, ...except: readonly string[]): Record<string, Outcome> =>
  Object.fromEntries(
    Object.keys(CALLS)
      .filter((name) => !except.includes(name))
      .map((name) => [name, outcome]),
  );

/** Documented errors of calls that a behavior makes impossible. */
const IMPOSSIBLE: Readonly<Record<string, Readonly<Record<string, Outcome>>>> = {
  "duplicate-code=refused": { "product.add, the code again": "ApiError 400" },
  "page-past-end=error": { "product.list, after the end": "ApiError 404" },
  "update-stock=refused": { "product.update, stock": "ApiError 400" },
  "versions=v1.0": allBut("ApiError 404", "login", "shippingTemplate.list"),
};

async function callAll(on: Visit): Promise<Record<string, Outcome>> {
  const outcomes: Record<string, Outcome> = {};
  for (const [name, call] of Object.entries(CALLS)) outcomes[name] = await outcomeOf(call(on));
  return outcomes;
}

describe("every call of the client", () => {
  it.each(BEHAVIORS)("under %s works or ends in its documented error", async (text) => {
    const on = await visit(parseBehavior([text]));

    const outcomes = await callAll(on);

    expect(outcomes).toEqual({ ...USUAL, ...IMPOSSIBLE[text] });
    // The sandbox itself refuses one add for a value that the specification allows.
    expect(on.sandbox.inspect().violations).toEqual([]);
    expect(on.sandbox.inspect().tokens).toHaveLength(1);
  });

  it("works with the older prefix when it is configured", async () => {
    const v = "v1.0";
    const versions = { category: v, brand: v, product: v } as const;
    const on = await visit({ versions: v }, { client: { versions } });

    expect(await callAll(on)).toEqual(USUAL);
    expect(on.sandbox.inspect().violations).toEqual([]);
  });
});

describe("a token that the marketplace ended", () => {
  const CASES: readonly (readonly [BehaviorOptions["auth-error"], Record<string, Outcome>])[] = [
    // Whether to repeat a refused add is the caller's decision; the other calls are repeated.
    ["401", { read: "works", add: "AuthError 401", update: "works" }],
    ["403", { read: "works", add: "AuthError 403", update: "works" }],
    ["200", { read: "works", add: "AuthError 200", update: "works" }],
  ];

  for (const [value, expected] of CASES) {
    it(`ends with ${value} in the documented errors`, async () => {
      const on = await visit({ "auth-error": value });
      const calls = {
        read: () => on.client.category.list({}),
        add: () => on.client.product.add(createProduct()),
        update: () => on.client.product.update({ product_id: on.listed, title: "Yeni" }),
      };
      const outcomes: Record<string, Outcome> = {};

      for (const [name, call] of Object.entries(calls)) {
        await on.client.login();
        on.sandbox.endTokens();
        outcomes[name] = await outcomeOf(call());
      }

      expect(outcomes).toEqual(expected);
      expect(on.sandbox.inspect()).toMatchObject({ violations: [], stats: { adds: 0 } });
    });

    it(`is an AuthError when a wrong secret is answered with ${value}`, async () => {
      const credentials = { clientKey: "someone", clientSecret: "not-the-secret" };
      const on = await visit({ "auth-error": value }, { client: { credentials } });

      expect(await outcomeOf(on.client.login())).toBe(`AuthError ${value}`);
      expect(on.sandbox.inspect()).toMatchObject({ violations: [], stats: { requests: 1 } });
    });
  }
});

describe("the hourly limit", () => {
  it.each([
    ["429-retry-after", "ApiError 429"],
    ["429", "ApiError 429"],
    ["403", "ApiError 403"],
    ["silent", "NetworkError"],
  ] as const)(
    "is the documented error in the form %s, for reads and writes",
    async (value, expected) => {
      const on = await visit({ "hourly-limit": value }, { requestsPerHour: 1 });
      await on.client.login();

      const read = await outcomeOf(on.client.category.list({}));
      const write = await outcomeOf(on.client.product.add(createProduct()));

      expect([read, write]).toEqual([expected, expected]);
      expect(on.sandbox.inspect()).toMatchObject({ violations: [], stats: { adds: 0 } });
      // A write is never repeated, whatever the answer.
      expect(on.sandbox.stats().byEndpoint["product.add"]).toBe(1);
    },
  );
});

describe("the text of a refusal", () => {
  it.each([
    ["data", "discount_value"],
    ["error-object", "discount_value"],
    ["errors-list", "discount_value"],
    ["text", "discount_value"],
    ["empty", "refused with status 400"],
  ] as const)("reaches the caller as far as the shape %s allows", async (value, words) => {
    const on = await visit({ "error-body": value });

    const add = CALLS["product.add, refused"]?.(on);

    await expect(add).rejects.toThrow(words);
  });
});

describe("a store without access", () => {
  it.each(["data", "error-object", "errors-list", "text", "empty"] as const)(
    "is a PermissionError with the body %s",
    async (value) => {
      const other = await visit({ "error-body": value });
      const storeId = other.sandbox.closedStoreId;
      const { client } = await visit(
        { "error-body": value },
        { client: { storeId, tokens: createMemoryTokenCache() } },
      );

      expect(await outcomeOf(client.product.list({}))).toBe("PermissionError 403");
    },
  );
});

describe("a day of calls", () => {
  const HOUR_MS = 60 * 60 * 1000;

  it.each(["iso", "seconds", "milliseconds", "local-text"] as const)(
    "fetches a token four times when it expires as %s, and is never refused",
    async (value) => {
      const clock = createFakeClock(Date.UTC(2025, 5, 1));
      const on = await visit({ "expires-at": value, "new-token": "kills-old" }, { clock });

      for (let hour = 0; hour < 23; hour += 1) {
        expect(await outcomeOf(on.client.category.list({}))).toBe("works");
        await clock.advance(HOUR_MS);
      }

      expect(on.sandbox.stats().tokens).toBe(4);
      expect(on.sandbox.inspect().violations).toEqual([]);
    },
  );
});

describe("a client that is closed", () => {
  it("makes no call under any personality", async () => {
    const on = await visit({});
    await on.client.close();

    await expect(on.client.login()).rejects.toBeInstanceOf(SettingsError);
    expect(on.sandbox.stats().requests).toBe(0);
  });
});
