import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";

import { endpoints, idSchemas } from "@catalog/contract";
import { describe, expect, it } from "vitest";

import {
  type AnswerContext,
  MAX_TEXT_LENGTH,
  parseData,
  readAnswer,
  unpack,
} from "../src/answer.ts";
import type { Exchange } from "../src/http/wire-phase.ts";
import { ApiError, AuthError, NetworkError, PermissionError, ShapeError } from "../src/index.ts";
import { redact } from "../src/redact.ts";
import { failureOf } from "./helpers/marketplace.ts";
import { ADDED } from "./helpers/product.ts";

const ANSWER = Buffer.from('{"data":{}}');

function exchangeOf(encoding: string, body: Uint8Array): Exchange {
  const headers = { "content-encoding": encoding };
  return { phase: "body", status: 200, headers, body, failure: undefined };
}

describe("unpack", () => {
  it.each([
    ["gzip", gzipSync(ANSWER)],
    ["GZIP ", gzipSync(ANSWER)],
    ["deflate", deflateSync(ANSWER)],
    ["br", brotliCompressSync(ANSWER)],
    ["identity", ANSWER],
  ])("unpacks a body that came as %s", async (encoding, body) => {
    const { body: unpacked, failure } = await unpack(exchangeOf(encoding, body), 1_000);

    expect([Buffer.from(unpacked).toString(), failure]).toEqual([ANSWER.toString(), undefined]);
  });

  it("stops unpacking at the size limit", async () => {
    const bomb = gzipSync(Buffer.alloc(20_000_000));

    const { body, failure } = await unpack(exchangeOf("gzip", bomb), 1_000_000);

    expect([body.length, failure]).toEqual([0, { kind: "too-large" }]);
  });

  it.each([
    ["gzip", Buffer.from("no gzip")],
    ["gzip, gzip", gzipSync(gzipSync(ANSWER))],
    ["constructor", ANSWER],
  ])("leaves a body that is not valid %s as it is", async (encoding, body) => {
    const exchange = exchangeOf(encoding, body);

    expect(await unpack(exchange, 1_000)).toBe(exchange);
  });
});

const LONG = "x".repeat(MAX_TEXT_LENGTH + 1);
const PRODUCT = { id: "p-1", product_code: "A", title: "Kaşık", price: 100, stock: 3 };

const readList = (data: unknown) => parseData(endpoints.product.list, data);

describe("the answer of a listing", () => {
  it.each([
    ["a text", "1234"],
    ["negative", -1],
    ["broken", 1.5],
    ["nothing", null],
    ["missing", undefined],
  ])("is read without its total where that is %s", (_what, total) => {
    const read = readList({ total, result: [PRODUCT], took: 3 });

    expect(read).toEqual({
      ok: true,
      data: { total: 0, result: [PRODUCT], took: 3 },
      leftOut: ["total"],
    });
  });

  it.each([
    ["a description that is no text", { description: 5 }],
    ["a title over the length limit", { title: LONG }],
    ["images that are no list", { images: "a.jpg" }],
    ["properties without their names", { properties: [{ property: 5 }, "x"] }],
  ])("is read without %s, and keeps the other products whole", (_what, odd) => {
    const other = { ...PRODUCT, id: "p-2" };
    const result = [PRODUCT, { ...PRODUCT, ...odd }, other];

    const read = readList({ total: 3, result });

    const [name = ""] = Object.keys(odd);
    const rest = Object.entries(PRODUCT).filter(([key]) => key !== name);
    expect(read).toEqual({
      ok: true,
      data: { total: 3, result: [PRODUCT, Object.fromEntries(rest), other] },
      leftOut: [name],
    });
  });

  it.each([
    ["the id", { id: 5 }, "data.result.1.id"],
    ["the code", { product_code: 5 }, "data.result.1.product_code"],
    ["the whole code", { product_code: LONG }, "data.result.1.product_code"],
    ["the price", { price: "12,50" }, "data.result.1.price"],
    ["the stock", { stock: "five" }, "data.result.1.stock"],
  ])(
    "is refused where %s of a product cannot be read, since the product must not count as absent",
    (_what, odd, path) => {
      const read = readList({ total: "2", result: [PRODUCT, { ...PRODUCT, ...odd, title: 5 }] });

      expect(read).toMatchObject({ ok: false });
      const paths = read.ok ? [] : read.misfits.map((misfit) => misfit.path);
      expect(paths).toContain(path);
      const words = read.ok ? [] : read.misfits.map((misfit) => misfit.message);
      expect(words.at(-1)).toMatch(/ \(in "(?:A|p-1)"\)$/u);
    },
  );

  it.each([[null], ["x"], [{ total: 1 }], [{ total: 1, result: {} }]])(
    "is refused where it is no page: %j",
    (data) => {
      expect(readList(data).ok).toBe(false);
    },
  );
});

it("the answer of a call that is no listing is refused wherever it does not match the contract", () => {
  expect(parseData(endpoints.product.add, { status: "true", title: LONG }).ok).toBe(false);
});

const context: AnswerContext = {
  target: { resource: "product", name: "product.add", endpoint: endpoints.product.add },
  kind: "write",
  storeId: idSchemas.store.parse("store-1"),
  now: 0,
  redact: (text) => redact(text, ["CANARY-1"]),
};
const login: AnswerContext = {
  ...context,
  target: { resource: "token", name: "token.create", endpoint: endpoints.token.create },
  kind: "token",
};

function answer(status: number, body: unknown, headers: Exchange["headers"] = {}): Exchange {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return { phase: "body", status, headers, body: Buffer.from(text), failure: undefined };
}

describe("readAnswer", () => {
  it("returns the data that the contract describes, unknown fields included", async () => {
    const data = { ...ADDED, more: 1 };

    await expect(readAnswer(answer(200, { data }), context)).resolves.toEqual(data);
  });

  const tokenRefusals: readonly unknown[] = [
    { data: { status: false, message: "access_token has expired" } },
    { data: { status: "error", message_tr: "Erişim anahtarı geçersiz" } },
    { error: { message: "Invalid access token" } },
  ];
  for (const body of tokenRefusals) {
    it(`sees a refused token in ${JSON.stringify(body)}, although the status is 200`, async () => {
      const error = await failureOf(readAnswer(answer(200, body), context));

      expect(error).toBeInstanceOf(AuthError);
      expect(error).toMatchObject({ status: 200, phase: "body", endpoint: "product.add" });
    });
  }

  const otherAnswers: readonly unknown[] = [
    { status: true, product_id: "p-1", message: "access_token renewed" },
    { status: false, message: "a token is no product" },
  ];
  for (const data of otherAnswers) {
    it(`sees no refused token in ${JSON.stringify(data)}`, async () => {
      await expect(readAnswer(answer(200, { data }), context)).resolves.toEqual(data);
    });
  }

  it("keeps the message of the marketplace in both languages", async () => {
    const body = { data: { message: " bad price ", message_tr: "fiyat hatalı" } };
    const headers = { "retry-after": "3", "content-type": "application/json" };

    const error = await failureOf(readAnswer(answer(422, body, headers), context));

    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      code: "API_ERROR",
      endpoint: "product.add",
      phase: "body",
      status: 422,
      retryAfterMs: 3000,
      contentType: "application/json",
      message: "product.add was refused with status 422: bad price",
      localized: { en: "bad price", tr: "fiyat hatalı" },
      excerpt: JSON.stringify(body),
    });
  });

  const output: readonly [string, unknown, unknown][] = [
    ["beside data", { message: "no" }, { en: "no" }],
    ["only in Turkish", { data: { message_tr: "olmaz" } }, { tr: "olmaz" }],
    ["in an error", { error: { message: "no", message_tr: "olmaz" } }, { en: "no", tr: "olmaz" }],
    ["in place of an error", { error: "no" }, { en: "no" }],
    [
      "first of several errors",
      { errors: [{ message: "no" }, { message: "never" }] },
      { en: "no" },
    ],
    ["nowhere", { data: [] }, undefined],
    ["empty", { data: { message: " " } }, undefined],
    ["not as text", { message: { en: "no" } }, undefined],
  ];
  it.each(output)("finds the marketplace's message %s", async (_where, body, expected) => {
    const error = await failureOf(readAnswer(answer(400, body), context));

    expect(error).toBeInstanceOf(ApiError);
    expect(error instanceof ApiError ? error.localized : "none").toEqual(expected);
  });

  it("describes a refusal that is not JSON by its status", async () => {
    const error = await failureOf(readAnswer(answer(502, "<html>bad gateway"), context));

    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 502, excerpt: "<html>bad gateway" });
  });

  it("distinguishes a refused token from a missing permission", async () => {
    const refused = await failureOf(readAnswer(answer(401, {}), context));
    const forbidden = await failureOf(readAnswer(answer(403, {}), context));

    expect(refused).toBeInstanceOf(AuthError);
    expect(refused).toMatchObject({ code: "AUTH_ERROR", status: 401, phase: "body" });
    expect(forbidden).toBeInstanceOf(PermissionError);
    expect(forbidden).toMatchObject({
      code: "PERMISSION_ERROR",
      message:
        'product.add: Store store-1 has not granted "Products", a store service, to this application',
      service: "Products",
      storeId: "store-1",
    });
  });

  const forbidden: readonly [unknown, string, boolean][] = [
    [{ data: { status: false, message: "access_token has expired" } }, "AuthError", false],
    ["Erişim anahtarı geçersiz", "AuthError", false],
    [{ error: { message: "This access token has no permission" } }, "PermissionError", false],
    [{ data: { message_tr: "access_token için mağaza izni yok" } }, "PermissionError", false],
    [{ errors: [{ message: "Too many requests this hour" }] }, "ApiError", true],
    [{ data: { message_tr: "Saatlik istek sınırı aşıldı" } }, "ApiError", true],
    ["Rate limit exceeded", "ApiError", true],
    ["<html>access token</html>", "PermissionError", false],
    ["", "PermissionError", false],
  ];
  for (const [body, name, isLimit] of forbidden) {
    it(`reads a 403 with ${JSON.stringify(body)} as ${name}`, async () => {
      const error = await failureOf(readAnswer(answer(403, body), context));

      expect(error).toMatchObject({ name, status: 403, ...(isLimit && { isLimit }) });
    });
  }

  it("does not blame the credentials where a 403 of the login names the hourly limit", async () => {
    const error = await failureOf(readAnswer(answer(403, { message: "Too many requests" }), login));

    expect(error).toMatchObject({ name: "ApiError", isLimit: true });
  });

  it("repeats a refusal that is one line of text", async () => {
    const error = await failureOf(readAnswer(answer(400, "price: is wrong"), context));

    expect(error).toMatchObject({
      message: "product.add was refused with status 400: price: is wrong",
      localized: { en: "price: is wrong" },
    });
  });

  it("names the platform where the permission is not the store's", async () => {
    const target = {
      resource: "category",
      name: "category.list",
      endpoint: endpoints.category.list,
    };

    const error = await failureOf(readAnswer(answer(403, {}), { ...context, target }));

    expect(String(error)).toContain('The platform has not granted "Categories", a general service');
    expect(error).toMatchObject({ service: "Categories", storeId: undefined });
  });

  it.each([400, 401, 403, 404, 422])(
    "takes status %s of a login as wrong credentials",
    async (status) => {
      const error = await failureOf(
        readAnswer(answer(status, { data: { message: "wrong key" } }), login),
      );

      expect(error).toBeInstanceOf(AuthError);
      expect(error).toMatchObject({ status, localized: { en: "wrong key" } });
    },
  );

  it.each([302, 408, 429, 500, 503])(
    "does not blame the credentials for status %s of a login",
    async (status) => {
      const error = await failureOf(readAnswer(answer(status, {}), login));

      expect(error).toBeInstanceOf(ApiError);
    },
  );

  it("says of a failed login that the call was not sent, and repeats nothing of the answer", async () => {
    const error = await failureOf(readAnswer(answer(200, "secret words"), login));

    expect(error).toMatchObject({ phase: "none", excerpt: undefined, reason: "not-json" });
  });

  const odd: readonly [string, Exchange, string, readonly string[]][] = [
    ["is no JSON", answer(200, "<html>"), "not-json", []],
    ["is empty", answer(204, ""), "not-json", []],
    ["is an array", answer(200, []), "mismatch", [""]],
    ["has no data", answer(200, { result: [] }), "mismatch", ["data"]],
    ["has other data", answer(200, { data: { status: "yes" } }), "mismatch", ["data.status"]],
    [
      "has a broken letter",
      {
        ...answer(200, ""),
        body: Buffer.from('{"data":{"status":true,"message":"\xFC"}}', "latin1"),
      },
      "not-json",
      [],
    ],
  ];
  it.each(odd)("does not trust a body that %s", async (_what, exchange, reason, paths) => {
    const error = await failureOf(readAnswer(exchange, context));

    expect(error).toBeInstanceOf(ShapeError);
    expect(error).toMatchObject({ reason, phase: "body", status: exchange.status });
    expect(error instanceof ShapeError ? error.misfits.map(({ path }) => path) : []).toEqual(paths);
  });

  it("accepts any data but none where the contract does not describe it", async () => {
    const target = {
      resource: "product",
      name: "product.update",
      endpoint: endpoints.product.update,
    };

    await expect(
      readAnswer(answer(200, { data: null }), { ...context, target }),
    ).resolves.toBeNull();
    await expect(readAnswer(answer(200, {}), { ...context, target })).rejects.toThrow("data");
  });

  it("repeats at most 512 bytes of a body, in whole characters and without secrets", async () => {
    const body = `CANARY-1${"ş".repeat(600)}`;

    const error = await failureOf(readAnswer(answer(200, body), context));

    const excerpt = error instanceof ShapeError ? error.excerpt : undefined;
    expect(excerpt).toBe(`[redacted]${"ş".repeat(251)}`);
  });

  it("distinguishes an answer that broke off from one that never came", async () => {
    const lost = {
      phase: "started",
      status: undefined,
      headers: {},
      body: Buffer.alloc(0),
    } as const;
    const error = Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });

    const late = await failureOf(readAnswer({ ...lost, failure: { kind: "timeout" } }, context));
    const reset = await failureOf(
      readAnswer({ ...lost, failure: { kind: "network", error } }, context),
    );

    expect(late).toBeInstanceOf(NetworkError);
    expect(late).toMatchObject({ code: "TIMEOUT", phase: "started" });
    expect(reset).toMatchObject({ code: "NETWORK_ERROR", phase: "started" });
    expect(reset).toMatchObject({ cause: { code: "ECONNRESET", message: "read ECONNRESET" } });
  });
});
