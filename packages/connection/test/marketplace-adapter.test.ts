import type { WirePhase } from "@catalog/client";
import {
  ApiError,
  AuthError,
  type ClientError,
  InputError,
  NetworkError,
  PermissionError,
  SettingsError,
  ShapeError,
} from "@catalog/client/errors";
import {
  idSchemas,
  LISTING_STATUSES as STATUSES_OF_CALL,
  MAX_PAGE_SIZE,
  priceMinor,
  type StoreProduct,
} from "@catalog/contract";
import type { Answer } from "@catalog/runs";
import { LISTING_STATUSES, PAGE_SIZE } from "@catalog/runs/testing";
import { describe, expect, it } from "vitest";

import { createMarketplaceAdapter, type ProductClient } from "../src/marketplace-adapter.ts";
import { CUP } from "../src/testing/product.ts";
import { createFakeProducts, type FakeProducts } from "./helpers/fake-products.ts";

const CHANGE = { product_id: idSchemas.product.parse("p-1"), price: priceMinor.parse(500) };
const beforeSend = (): void => undefined;

type Make = (endpoint: string, phase: WirePhase) => ClientError;

const network: Make = (endpoint, phase) => new NetworkError("lost it", { endpoint, phase });
const shape: Make = (endpoint, phase) =>
  new ShapeError("no JSON", { endpoint, phase, status: 200, reason: "not-json" });
const api =
  (status: number, retryAfterMs?: number): Make =>
  (endpoint, phase) =>
    new ApiError("said no", { endpoint, phase, status, retryAfterMs });
const auth: Make = (endpoint, phase) =>
  new AuthError("token refused", { endpoint, phase, status: 401 });
const permission: Make = (endpoint, phase) =>
  new PermissionError("not granted", { endpoint, phase, status: 403 });
const input: Make = (endpoint, phase) =>
  new InputError("no price", { endpoint, phase, misfits: [] });

/** Of a write that fails itself, and of one whose login does; `thrown` where sending is pointless. */
type Case = readonly [
  name: string,
  make: Make,
  phase: WirePhase,
  write: Answer | "thrown",
  login: Answer | "thrown",
];

const lost = (phase: WirePhase, message = "lost it"): Answer => ({ kind: "lost", phase, message });
const NOT_BEGUN = lost("none");
/** `told` is the status that the answer came with, where its meaning differs. */
const refusal = (
  status: number,
  message: string,
  told = status,
): Extract<Answer, { kind: "refused" }> => ({
  kind: "refused",
  status,
  phase: "body",
  message,
  retryAfterMs: undefined,
  facts: { status: told, contentType: undefined, excerpt: undefined },
});

const NO_JSON = lost("none", "no JSON");
const UNREADABLE = { ...lost("body", "no JSON"), facts: { status: 200, excerpt: undefined } };

const tokenIn403: Make = (endpoint, phase) =>
  new AuthError("token refused", { endpoint, phase, status: 403 });
const limitIn403: Make = (endpoint, phase) =>
  new ApiError("too many", { endpoint, phase, status: 403, isLimit: true });
const WAIT = { ...refusal(429, "said no"), retryAfterMs: 5000 };

const CASES: readonly Case[] = [
  ["no connection", network, "none", lost("none"), NOT_BEGUN],
  ["a break after the first byte", network, "started", lost("started"), NOT_BEGUN],
  ["an answer that broke off", network, "headers", lost("headers"), NOT_BEGUN],
  ["an answer that makes no sense", shape, "body", UNREADABLE, NO_JSON],
  ["a refusal", api(422), "body", refusal(422, "said no"), "thrown"],
  ["a refusal for too many calls", api(429, 5000), "body", WAIT, "thrown"],
  ["a failure of the server", api(503), "body", refusal(503, "said no"), "thrown"],
  ["a refused token", auth, "body", refusal(401, "token refused"), "thrown"],
  ["a missing permission", permission, "body", refusal(403, "not granted"), "thrown"],
  ["a token refused by a 403", tokenIn403, "body", refusal(401, "token refused", 403), "thrown"],
  ["the hourly limit as a 403", limitIn403, "body", refusal(429, "too many", 403), "thrown"],
  ["a body that the client refuses", input, "none", "thrown", "thrown"],
];

const WRITES = {
  "product.add": (client: ProductClient) =>
    createMarketplaceAdapter(client).addProduct(CUP, { beforeSend }),
  "product.update": (client: ProductClient) =>
    createMarketplaceAdapter(client).updateProduct(CHANGE, { beforeSend }),
};

/** Outcome of a write that fails with `error`. */
async function outcomeOf(
  write: (client: ProductClient) => Promise<Answer>,
  error: Error,
): Promise<Answer | "thrown"> {
  try {
    return await write({ product: createFakeProducts({ fails: error }) });
  } catch (thrown) {
    expect(thrown).toBe(error);
    return "thrown";
  }
}

/** The texts for people are left out here; they are tested in describe-client-error.test.ts. */
function expectAnswer(answer: Answer | "thrown", expected: Answer | "thrown"): void {
  if (expected === "thrown") expect(answer).toBe("thrown");
  else {
    const words = { tr: expect.any(String), en: expect.any(String) };
    expect(answer).toEqual({ ...expected, words });
  }
}

describe("a write that fails", () => {
  for (const [endpoint, write] of Object.entries(WRITES)) {
    it.each(CASES)(`gets the same answer for %s from ${endpoint}`, async (...expected) => {
      const [, make, phase, answer] = expected;

      expectAnswer(await outcomeOf(write, make(endpoint, phase)), answer);
    });

    it.each(CASES)(
      `counts as not begun when %s happens at the login (${endpoint})`,
      async (...expected) => {
        const [, make, phase, , answer] = expected;

        expectAnswer(await outcomeOf(write, make("token.create", phase)), answer);
      },
    );
  }

  it("reports the marketplace's Turkish words, else its English ones", async () => {
    const facts = { endpoint: "product.add", phase: "body", status: 422 } as const;
    const both = new ApiError("422", {
      ...facts,
      localized: { tr: "Kod var.", en: "Code taken." },
    });
    const english = new ApiError("422", { ...facts, localized: { en: "Code taken." } });

    const outcomes = [
      await outcomeOf(WRITES["product.add"], both),
      await outcomeOf(WRITES["product.add"], english),
    ];

    expect(outcomes).toMatchObject([
      { message: "Kod var.", words: { tr: "Kod var.", en: "Code taken." } },
      { message: "Code taken.", words: { tr: "“Code taken.”", en: "Code taken." } },
    ]);
  });

  it.each([
    ["settings that cannot work", new SettingsError("The client is closed.")],
    ["the reason of an aborted signal", new Error("interrupted")],
    ["what was thrown right before sending", new TypeError("a bug")],
  ])("throws %s unchanged", async (_name, error) => {
    expect(await outcomeOf(WRITES["product.add"], error)).toBe("thrown");
  });
});

describe("a write that is answered", () => {
  it("returns the answer without judging it", async () => {
    const products = createFakeProducts({ answer: { status: false, message: "no" } });
    const marketplace = createMarketplaceAdapter({ product: products });

    const answer = await marketplace.addProduct(CUP, { beforeSend });

    expect(answer).toEqual({
      kind: "answered",
      data: { status: false, message: "no" },
      phase: "body",
    });
  });

  it("passes the body, its slot, the last check before sending and the abort signal to the client", async () => {
    const products = createFakeProducts({ answer: { status: true } });
    const marketplace = createMarketplaceAdapter(
      { product: products },
      { takeSlot: async () => undefined },
    );
    const { signal } = new AbortController();

    await marketplace.addProduct(CUP, { beforeSend, signal });
    await marketplace.updateProduct(CHANGE, { beforeSend });

    const [add, update] = products.calls;
    const options = { beforeSend, hasSlot: true };
    expect(add).toEqual({ call: "add", input: CUP, options: { ...options, signal } });
    expect(update).toEqual({ call: "update", input: CHANGE, options });
  });
});

/** Lists `count` products by their ids. */
const readIds = async (products: FakeProducts, count: number): Promise<StoreProduct[]> => {
  const ids = Array.from({ length: count }, (_, index) => idSchemas.product.parse(`p-${index}`));
  const query = { status: "passive", ids } as const;
  return await Array.fromAsync(createMarketplaceAdapter({ product: products }).listProducts(query));
};

describe("the listing", () => {
  it("has the pages and statuses that the engine counts with", () => {
    expect({ PAGE_SIZE, LISTING_STATUSES }).toEqual({
      PAGE_SIZE: MAX_PAGE_SIZE,
      LISTING_STATUSES: STATUSES_OF_CALL,
    });
  });

  it("is counted with a page of the smallest size", async () => {
    const products = createFakeProducts({ total: 1234 });

    expect(await createMarketplaceAdapter({ product: products }).countProducts("veto")).toBe(1234);
    expect(products.calls).toEqual([
      { call: "list", input: { status: "veto", limit: 1 }, options: {} },
    ]);
  });

  it("is read by status and code", async () => {
    const products = createFakeProducts({});
    const marketplace = createMarketplaceAdapter({ product: products });

    await Array.fromAsync(marketplace.listProducts({ status: "approved", code: "A-1" }));

    expect(products.calls).toEqual([
      {
        call: "pages",
        input: { status: "approved", product_code: "A-1" },
        options: { onEnd: expect.any(Function) },
      },
    ]);
  });

  it.each([
    [1, [1]],
    [50, [50]],
    [51, [50, 1]],
    [120, [50, 50, 20]],
    [0, []],
  ])("is read for %d ids in pieces of %j", async (count, pieces) => {
    const products = createFakeProducts({});

    const listed = await readIds(products, count);

    expect(products.calls.map(({ input: { ids } }) => ids?.length)).toEqual(pieces);
    expect(listed.map(({ id }) => id)).toEqual(
      Array.from({ length: count }, (_, index) => `p-${index}`),
    );
  });
});

describe("checkUpdate", () => {
  const { checkUpdate } = createMarketplaceAdapter({ product: createFakeProducts({}) });

  it("returns a body that the call takes, in the order of its fields", () => {
    const checked = checkUpdate({ product_id: "p-1", price: 500, title: "Cup" });

    expect(JSON.stringify(checked)).toBe(
      '{"ok":true,"body":{"title":"Cup","price":500,"product_id":"p-1"}}',
    );
  });

  it("names what the call would refuse", () => {
    const rate = { has_discount: true, discount_type: 2, discount_value: 150 };

    expect(checkUpdate({ product_id: "p-1", ...rate })).toEqual({
      ok: false,
      problems: ["discount_value a rate is from 1 to 99"],
    });
  });
});
