import type { Clock } from "@catalog/clock";
import { createFakeClock } from "@catalog/clock/testing";
import { type Endpoint, endpoints, pathParameters } from "@catalog/contract";
import { describe, expect, it } from "vitest";

import { toTable } from "../src/http/server.ts";
import { createSandboxCatalog, startSandbox } from "../src/index.ts";
import { ADDRESSES, COMPANIES } from "../src/shipping.ts";
import { findPackage, read } from "./helpers/market.ts";
import {
  createSampleProduct,
  obtainToken,
  openTestClient,
  readAnswer,
  sendJson,
  type TestClient,
} from "./helpers/test-client.ts";

const HOUR_MS = 60 * 60 * 1000;

describe("every endpoint of the contract", () => {
  const catalog = createSandboxCatalog();
  const product = createSampleProduct();
  const spoon = catalog.category(product.category_id);
  /** Input that each endpoint accepts, path parameters included; the update's id is added later. */
  const inputs: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
    "category.byExternalId": { externalCategoryId: spoon?.external_id },
    "category.properties": { categoryId: spoon?.id },
    "brand.list": { category_id: spoon?.id },
    "brand.models": { category_id: spoon?.id, brand_id: product.brand_id },
    "product.add": { ...product },
    "product.update": { title: "Yeni" },
    "product.search": { type: "b2c", search_key: "a" },
    "order.list": { days: 30 },
    "shippingTemplate.create": {
      template_name: "Yeni",
      sender_address: ADDRESSES[0]?.id,
      shipping_time: 2,
      all_country: true,
      shipping_companies: COMPANIES[0]?.id,
      return_companies: [COMPANIES[0]?.id],
    },
    "shippingTemplate.update": { shipping_template_id: product.shipping_template_id },
    "question.reply": { message: "Evet" },
  };
  /** Status of a package in which each call is possible. */
  const statuses: Readonly<Record<string, number>> = {
    "order.postpone": 1,
    "order.accept": 2,
    "order.acceptReturn": 13,
    "order.rejectReturn": 13,
    "shipping.prices": 9,
    "shipping.generateCode": 3,
  };
  /** Finds values that only the running sandbox has. */
  async function find(visitor: TestClient, name: string): Promise<object> {
    const status = statuses[name];
    if (status !== undefined) {
      const { package_id } = await findPackage(visitor, status);
      return { package_id, company_id: COMPANIES[0]?.id, reason: "Stok", message: "Tamam" };
    }
    if (name !== "question.reply") return {};
    const { result } = await read(visitor, endpoints.question.list, { unanswered: "1" });
    return { product_question_id: result[0]?.id };
  }
  const table: Readonly<Record<string, Readonly<Record<string, Endpoint<unknown, unknown>>>>> =
    toTable({ ...endpoints });
  const rows = Object.entries(table).flatMap(([group, named]) =>
    Object.entries(named).flatMap(([row, endpoint]) => {
      const prefixes = endpoint.versions.map((version) => `/${version}`);
      const name = `${group}.${row}`;
      return (prefixes.length === 0 ? [""] : prefixes).map((prefix) => ({
        name,
        endpoint,
        prefix,
      }));
    }),
  );

  it.each(rows)(
    "$prefix $name answers with the data of the contract",
    async ({ name, endpoint, prefix }) => {
      const visitor = await openTestClient({ products: 30 });
      const { sandbox } = visitor;
      const { clientKey: client_key, clientSecret: client_secret, storeId } = sandbox;
      const product_id = sandbox.products()[0]?.id;
      const found = await find(visitor, name);
      const input = { client_key, client_secret, product_id, storeId, ...inputs[name], ...found };
      const given = new Map<string, unknown>(Object.entries(input));
      const path = pathParameters(endpoint).reduce(
        (filled, key) => filled.replace(`:${key}`, String(given.get(key))),
        `${prefix}${endpoint.path}`,
      );
      const query = Object.fromEntries(
        Object.keys(endpoint.input.shape)
          .filter((key) => given.has(key))
          .map((key) => [key, String(given.get(key))]),
      );

      const answer = await (endpoint.method === "GET"
        ? visitor.get(path, query)
        : visitor.post(path, input));

      expect(answer.httpStatus).toBe(200);
      expect(answer.headers.get("x-sandbox")).toBe("1");
      expect(() => endpoint.data.parse(answer.data)).not.toThrow();
      expect(sandbox.stats().byEndpoint[name]).toBe(name === "token.create" ? 2 : 1);
    },
  );
});

describe("the token endpoint", () => {
  it("issues a token that is valid for six hours, with its expiry as ISO text", async () => {
    const clock = createFakeClock(Date.UTC(2025, 5, 1));
    const { sandbox, get } = await openTestClient({ clock });
    const { clientKey: client_key, clientSecret: client_secret } = sandbox;

    const { data } = await sendJson(`${sandbox.baseUrl}/app/auth/access`, {
      client_key,
      client_secret,
    });
    await clock.advance(6 * HOUR_MS - 1);
    const fresh = await get("/v1.1/category/");
    await clock.advance(1);
    const expired = await get("/v1.1/category/");

    expect(data).toMatchObject({ status: "success", expires_at: "2025-06-01T06:00:00.000Z" });
    expect([fresh.httpStatus, expired.httpStatus]).toEqual([200, 401]);
  });

  it("refuses a wrong secret, without access_token in the answer", async () => {
    const { sandbox } = await openTestClient();

    const answer = await sendJson(`${sandbox.baseUrl}/app/auth/access`, {
      client_key: sandbox.clientKey,
      client_secret: "guess",
    });

    expect(answer.httpStatus).toBe(401);
    expect(answer.data).toEqual({
      status: "error",
      message: "client_key or client_secret is wrong",
      message_tr: "client_key veya client_secret hatalı",
    });
  });

  it.each([[{}], [{ access_token: "guess" }]])(
    "is required by every service, which refuses the query %o",
    async (query) => {
      const { sandbox } = await openTestClient();

      const search = new URLSearchParams(query).toString();
      const answer = await readAnswer(await fetch(`${sandbox.baseUrl}/v1.1/category/?${search}`));

      expect(answer.httpStatus).toBe(401);
      expect(answer.data).toMatchObject({
        status: false,
        message: expect.stringContaining("access_token"),
        message_tr: expect.stringContaining("access_token"),
      });
    },
  );

  it("issues different tokens for each call and each seed", async () => {
    const one = await openTestClient({ seed: "one" });
    const two = await openTestClient({ seed: "two" });

    const tokens = [one.token, two.token, await obtainToken(one.sandbox)];

    expect(new Set(tokens).size).toBe(3);
    expect(one.sandbox.clientSecret).not.toBe(two.sandbox.clientSecret);
    expect(one.sandbox.stats().tokens).toBe(2);
  });
});

describe("a call for a store", () => {
  it("is forbidden for another store, known or not", async () => {
    const { sandbox, get } = await openTestClient();

    const closed = await get(`/v1.1/product/store/${sandbox.closedStoreId}`);
    const unknown = await get("/v1.1/product/store/000000000000000000000000");

    expect([closed.httpStatus, unknown.httpStatus]).toEqual([403, 403]);
    expect(closed.data).toMatchObject({ message: "The store has not granted permission" });
    expect(unknown.data).toMatchObject({ message: "The store is unknown" });
  });
});

describe("startSandbox", () => {
  it("limits the number of requests in an hour", async () => {
    const clock = createFakeClock();
    const { sandbox, get } = await openTestClient({ clock, requestsPerHour: 2 });

    const second = await get("/v1.1/category/");
    await clock.advance(HOUR_MS / 4);
    const third = await get("/v1.1/category/");
    await clock.advance((HOUR_MS * 3) / 4);
    const later = await get("/v1.1/category/");

    expect([second, third, later].map(({ httpStatus }) => httpStatus)).toEqual([200, 429, 200]);
    expect(third.headers.get("retry-after")).toBe("2700");
    expect(sandbox.stats().requests).toBe(4);
  });

  it("listens only on the loopback address", async () => {
    const { sandbox } = await openTestClient();

    expect(new URL(sandbox.baseUrl).hostname).toBe("127.0.0.1");
  });

  it("aborts waiting requests when it closes, and can be closed twice", async () => {
    const { promise: waiting, resolve: startWaiting } = Promise.withResolvers<AbortSignal>();
    const fake = createFakeClock();
    const clock: Clock = {
      now: () => fake.now(),
      sleep(ms, signal) {
        if (signal !== undefined) startWaiting(signal);
        return fake.sleep(ms, signal);
      },
    };
    const sandbox = await startSandbox({ clock, latencyMs: 1000 });
    const request = fetch(`${sandbox.baseUrl}/v1.1/category/`).catch(() => undefined);
    const signal = await waiting;

    await sandbox.close();
    await sandbox.close();

    await request;
    expect(signal.aborted).toBe(true);
    await expect(fetch(sandbox.baseUrl)).rejects.toThrow("fetch failed");
  });

  it.each([{ products: -1 }, { products: 1.5 }, { latencyMs: -1 }, { requestsPerHour: 0 }])(
    "refuses the options %o",
    async (options) => {
      await expect(startSandbox(options)).rejects.toThrow(RangeError);
    },
  );
});
