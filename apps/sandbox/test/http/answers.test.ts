import { once } from "node:events";
import { connect } from "node:net";

import { createFakeClock } from "@catalog/clock/testing";
import { describe, expect, it } from "vitest";
import * as z from "zod";

import {
  createInputRefusal,
  createMissingRefusal,
  parseInput,
  toPage,
} from "../../src/http/answers.ts";
import type { BehaviorOptions, Sandbox, SandboxOptions } from "../../src/index.ts";
import { createSampleProduct, openTestClient } from "../helpers/test-client.ts";
import { ask } from "../helpers/wire.ts";

describe("createInputRefusal", () => {
  it("names every field in both languages", () => {
    const refusal = createInputRefusal([
      { field: "price", message: { en: "too low", tr: "çok düşük" } },
      { field: "title", message: { en: "missing", tr: "yok" } },
    ]);

    expect(refusal).toMatchObject({
      httpStatus: 400,
      status: false,
      message: "Invalid input: price: too low; title: missing",
      messageTr: "Geçersiz girdi: price: çok düşük; title: yok",
    });
  });
});

describe("createMissingRefusal", () => {
  it("names what is missing", () => {
    expect(createMissingRefusal({ en: "Product", tr: "Ürün" })).toMatchObject({
      httpStatus: 404,
      message: "Product not found",
      messageTr: "Ürün bulunamadı",
    });
  });
});

describe("parseInput", () => {
  const schema = z.object({ ids: z.array(z.int()), name: z.string() });

  it("returns the input as the schema parses it", () => {
    expect(parseInput(schema, { ids: [1], name: "a", more: true })).toEqual({
      ids: [1],
      name: "a",
    });
  });

  it("names the path within a field", () => {
    expect(() => parseInput(schema, { ids: [1, "x"], name: "a" })).toThrow("ids.1: ");
  });

  it("names the whole input the body", () => {
    expect(() => parseInput(schema, undefined)).toThrow("Invalid input: body: ");
  });
});

const items = Array.from({ length: 45 }, (_, index) => index);

describe("toPage", () => {
  it("returns twenty items of the first page by default", () => {
    expect(toPage(items, {})).toEqual({ total: 45, result: items.slice(0, 20) });
  });

  it("returns a shorter last page and empty ones after it", () => {
    expect(toPage(items, { page: 3 }).result).toEqual([40, 41, 42, 43, 44]);
    expect(toPage(items, { page: 4 })).toEqual({ total: 45, result: [] });
  });

  it.each([1, 7, 45, 50])("returns every item once in pages of %i", (limit) => {
    const pages = Array.from({ length: Math.ceil(45 / limit) }, (_, index) =>
      toPage(items, { limit, page: index + 1 }),
    );

    expect(pages.flatMap(({ result }) => result)).toEqual(items);
  });
});

it("carries out a request whose sender has disconnected before the answer", async () => {
  const { sandbox, token } = await openTestClient({ latencyMs: 20 });
  const { hostname, port } = new URL(sandbox.baseUrl);
  const body = JSON.stringify(createSampleProduct());
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");

  socket.write(
    [
      `POST /v1.1/product/add/store/${sandbox.storeId}?access_token=${token} HTTP/1.1`,
      "host: sandbox",
      "content-type: application/json",
      `content-length: ${Buffer.byteLength(body)}`,
      "connection: close",
      "",
      body,
    ].join("\r\n"),
  );
  socket.destroy();

  await expect.poll(() => sandbox.stats().adds, { timeout: 120_000 }).toBe(1);
});

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

const refused = ({ baseUrl }: Sandbox): string => `${baseUrl}/v1.1/category/?access_token=guess`;

async function open(behavior: BehaviorOptions, options: SandboxOptions = {}) {
  return openTestClient({ ...options, personality: behavior });
}

describe("the setting auth-error", () => {
  it.each(["401", "403", "200"] as const)("refuses a token with %s", async (value) => {
    const { sandbox } = await open({ "auth-error": value });

    const answer = await ask(refused(sandbox));

    expect(answer.status).toBe(Number(value));
    expect(JSON.parse(answer.text)).toMatchObject({
      data: { status: false, message: "access_token is unknown" },
    });
  });

  it("refuses a login the same way, and leaves other refusals as they are", async () => {
    const { sandbox, get } = await open({ "auth-error": "200" });

    const body = { client_key: sandbox.clientKey, client_secret: "guess" };
    const login = await ask(`${sandbox.baseUrl}/app/auth/access`, { body });
    const closed = await get(`/v1.1/product/store/${sandbox.closedStoreId}`);

    expect(login.status).toBe(200);
    expect(JSON.parse(login.text)).toMatchObject({ data: { status: "error" } });
    expect(closed.httpStatus).toBe(403);
  });
});

describe("the setting error-body", () => {
  const words = { message: "access_token is unknown", message_tr: "access_token tanınmıyor" };

  it.each([
    ["data", JSON.stringify({ data: { status: false, ...words } })],
    ["error-object", JSON.stringify({ error: { code: "E401", ...words } })],
    ["errors-list", JSON.stringify({ errors: [words] })],
    ["text", words.message],
    ["empty", ""],
  ] as const)("has the form %s", async (shape, text) => {
    const { sandbox } = await open({ "error-body": shape });

    const answer = await ask(refused(sandbox));

    expect(answer).toMatchObject({ status: 401, text });
    expect(answer.headers["content-type"]?.includes("json") ?? false).toBe(text.startsWith("{"));
  });

  it("applies to an unknown path", async () => {
    const { sandbox } = await open({ "error-body": "errors-list" });

    const answer = await ask(`${sandbox.baseUrl}/v1.1/nothing`);

    expect(JSON.parse(answer.text)).toMatchObject({ errors: [{ message: "Path not found" }] });
  });
});

describe("the setting hourly-limit", () => {
  it.each([
    ["429-retry-after", 429, "3600"],
    ["429", 429, undefined],
    ["403", 403, undefined],
  ] as const)("refuses with %s", async (value, status, retryAfter) => {
    const { sandbox, token } = await open({ "hourly-limit": value }, { requestsPerHour: 1 });

    const answer = await ask(`${sandbox.baseUrl}/v1.1/category/?access_token=${token}`);

    expect(answer.status).toBe(status);
    expect(answer.headers["retry-after"]).toBe(retryAfter);
  });

  it("can end the connection without an answer", async () => {
    const { sandbox, token } = await open({ "hourly-limit": "silent" }, { requestsPerHour: 1 });

    const answer = ask(`${sandbox.baseUrl}/v1.1/category/?access_token=${token}`);

    await expect(answer).rejects.toThrow("socket hang up");
    expect(sandbox.stats().requests).toBe(2);
  });
});

describe("the setting date-header", () => {
  const HOUR_MS = 60 * 60 * 1000;

  it.each([
    ["hour-ahead", HOUR_MS],
    ["hour-behind", -HOUR_MS],
  ] as const)("shifts the date by an hour: %s", async (value, shiftMs) => {
    const now = Date.UTC(2025, 5, 1);
    const clock = { now: () => now, sleep: async () => undefined };
    const { sandbox } = await open({ "date-header": value }, { clock });

    const answer = await ask(refused(sandbox));

    expect(Date.parse(answer.headers.date ?? "")).toBe(now + shiftMs);
  });

  it("can leave the date out", async () => {
    const silent = await open({ "date-header": "missing" });
    const right = await open({ "date-header": "right" });

    const answers = [await ask(refused(silent.sandbox)), await ask(refused(right.sandbox))];

    expect(answers.map(({ headers }) => headers.date !== undefined)).toEqual([false, true]);
  });
});
