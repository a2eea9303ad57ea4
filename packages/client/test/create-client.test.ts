/**
 * Calls every row of the endpoint table through the client, and compares the request that was sent.
 */

import { createFakeClock } from "@catalog/clock/testing";
import {
  type Endpoint,
  endpoints,
  idSchemas,
  type StoreProduct,
  type Version,
} from "@catalog/contract";
import { describe, expect, it } from "vitest";

import { createMethods } from "../src/create-client.ts";
import {
  type Client,
  type ClientOptions,
  PermissionError,
  SettingsError,
  type Versions,
} from "../src/index.ts";
import { resolveOptions } from "../src/settings.ts";
import { createMemoryTokenCache } from "../src/token.ts";
import { EVERY_CALL } from "./helpers/every-call.ts";
import {
  connect,
  failureOf,
  json,
  type Reply,
  type Seen,
  startMarketplace,
} from "./helpers/marketplace.ts";
import { ADDED, CUP } from "./helpers/product.ts";

/** A store of `size` products, in pages. */
const listing =
  (size: number): Reply =>
  (seen, response) => {
    const limit = Number(seen.query["limit"] ?? 20);
    const page = Number(seen.query["page"] ?? 1);
    const all = Array.from({ length: size }, (_, n) => ({ id: `p-${n}` }));
    const result = all.slice((page - 1) * limit, page * limit);
    json({ total: size, result })(seen, response);
  };

describe("createClient", () => {
  it("has a method for each row of the endpoint table except the token's", async () => {
    const { client } = connect(await startMarketplace());

    const methods = Object.entries(client).flatMap(([resource, one]) =>
      typeof one === "object" ? Object.keys(one).map((name) => `${resource}.${name}`) : [],
    );

    const { token: _token, ...table } = endpoints;
    const rows = Object.entries(table).flatMap(([resource, names]) =>
      Object.keys(names).map((name) => `${resource}.${name}`),
    );
    expect(methods).toEqual(rows);
  });

  it("returns the data of the answer", async () => {
    const { client } = connect(await startMarketplace(json(ADDED)));

    await expect(client.product.add(CUP)).resolves.toEqual(ADDED);
  });

  it("sends nothing until a method is called", async () => {
    const marketplace = await startMarketplace();

    connect(marketplace);

    expect(marketplace.sockets.size).toBe(0);
  });

  it("reads one page of a listing when the method is called", async () => {
    const { client } = connect(await startMarketplace(listing(120)));

    const page = await client.product.list({ page: 2 });

    expect(page.total).toBe(120);
    expect(page.result.map(({ id }) => id)).toEqual(
      Array.from({ length: 20 }, (_, n) => `p-${n + 20}`),
    );
  });

  it("reads all pages, or all items, with the same filters", async () => {
    const marketplace = await startMarketplace(listing(120));
    const { client } = connect(marketplace);

    const sizes: number[] = [];
    for await (const page of client.product.list.pages({ status: "veto" })) {
      sizes.push(page.result.length);
    }
    const items: StoreProduct[] = [];
    for await (const item of client.product.list.items({ status: "veto" })) items.push(item);

    expect(sizes).toEqual([50, 50, 20]);
    expect(new Set(items.map(({ id }) => id)).size).toBe(120);
    expect(marketplace.seen.map(({ query }) => [query["status"], query["page"]])).toEqual(
      // The first listing has proven the totals, so the second one does not ask for the page behind
      // its end.
      ["1", "2", "3", "4", "1", "2", "3"].map((page) => ["veto", page]),
    );
  });

  it("ends the wait for a retry when the client is closed", async () => {
    const failed = Promise.withResolvers<void>();
    const { client } = connect(await startMarketplace(json({}, 503)), {
      clock: createFakeClock(),
      onCall: ({ status }) => {
        if (status === 503) setImmediate(failed.resolve);
      },
    });

    const failure = failureOf(client.product.list({}));
    await failed.promise;
    await client.close();

    expect(await failure).toBeInstanceOf(SettingsError);
  });

  it("passes the caller's signal on to every page", async () => {
    const { client } = connect(await startMarketplace(listing(120)));
    const controller = new AbortController();
    const read = async (): Promise<void> => {
      for await (const item of client.product.list.items({}, { signal: controller.signal })) {
        if (item.id === "p-49") controller.abort(new Error("enough"));
      }
    };

    await expect(read()).rejects.toThrow("enough");
  });
});

it("createMethods makes a method for a new row of the table", async () => {
  const asked: unknown[] = [];
  const table = { star: { find: endpoints.category.properties, scan: endpoints.category.list } };

  const methods = createMethods(table, {
    call: (target, input, options) => {
      asked.push([target.name, target.resource, input, options]);
      return Promise.reject(new Error("not there yet"));
    },
    limits: () => ({ reads: 1, writes: 1 }),
    totalsOf: () => ({ areProven: false }),
  });

  await expect(methods.star.scan({ search: "x" })).rejects.toThrow("not there yet");
  expect(asked).toEqual([["star.scan", "star", { search: "x" }, undefined]]);
  expect("pages" in methods.star.scan).toBe(true);
  expect("pages" in methods.star.find).toBe(false);
});

const options: ClientOptions = {
  baseUrl: "https://api.example/market",
  credentials: { clientKey: "key", clientSecret: "very secret" },
  storeId: idSchemas.store.parse("store-1"),
  tokens: createMemoryTokenCache(),
};

const keyFor = (change: Partial<ClientOptions>): string =>
  resolveOptions({ ...options, ...change }).tokenKey;

describe("resolveOptions", () => {
  const allowed = [
    "https://api.example",
    "http://localhost:8080",
    "http://127.0.0.1:1",
    "http://127.8.9.1",
    "http://[::1]:8080/x",
  ];
  it.each(allowed)("allows the address %s", (baseUrl) => {
    expect(resolveOptions({ ...options, baseUrl }).baseUrl.href).toContain(baseUrl);
  });

  const refused = [
    "http://api.example",
    "http://127.0.0.1.api.example",
    "http://localhost.api.example",
    "http://10.0.0.1",
    "ftp://localhost",
    "https://api.example/v1.1",
    "https://api.example/market/v2/",
    "https://user:pass@api.example",
    "https://api.example/?access_token=x",
    "https://api.example/#x",
    "api.example",
    "",
  ];
  for (const baseUrl of refused) {
    it(`refuses the address ${baseUrl || "no address"}`, () => {
      expect(() => resolveOptions({ ...options, baseUrl })).toThrow(SettingsError);
    });
  }

  const wrong: readonly [string, Partial<ClientOptions>][] = [
    ["clientKey", { credentials: { clientKey: " ", clientSecret: "s" } }],
    ["clientSecret", { credentials: { clientKey: "k", clientSecret: "" } }],
    ["concurrency", { concurrency: 0 }],
    ["timeoutMs", { timeoutMs: Number.POSITIVE_INFINITY }],
    ["retries", { retries: -1 }],
    ["retries", { retries: 1.5 }],
  ];
  for (const [name, change] of wrong) {
    it(`names ${name} when it is ${JSON.stringify(Object.values(change))}`, () => {
      expect(() => resolveOptions({ ...options, ...change })).toThrow(name);
    });
  }

  it("has a default for every option but the address, the credentials, the store and the cache", () => {
    const resolved = resolveOptions(options);

    expect(resolved).toMatchObject({ concurrency: {}, timeoutMs: 60_000, retries: 4 });
    const numbers = Array.from({ length: 100 }, resolved.random);
    expect(numbers.every((n) => n >= 0 && n < 1)).toBe(true);
    expect(new Set(numbers).size).toBeGreaterThan(90);
  });

  it("separates tokens by address, application and secret, under a key that reveals none of them", () => {
    const credentials = { clientKey: "other", clientSecret: "very secret" };
    const rotated = { clientKey: "key", clientSecret: "another" };

    expect(keyFor({})).toMatch(/^[0-9a-f]{64}$/u);
    expect(keyFor({ baseUrl: "https://api.example/market/" })).toBe(keyFor({}));
    expect(keyFor({ credentials: rotated })).not.toBe(keyFor({}));
    expect(keyFor({ credentials })).not.toBe(keyFor({}));
    expect(keyFor({ baseUrl: "https://api.example" })).not.toBe(keyFor({}));
  });
});

interface AnyMethod {
  (input: unknown): Promise<unknown>;
  readonly items?: (input: unknown) => AsyncIterable<unknown>;
}

const { token: _token, ...table } = endpoints;

const rows: readonly { name: string; endpoint: Endpoint<unknown, unknown> }[] = Object.entries(
  table,
).flatMap(([resource, named]: [string, object]) =>
  Object.entries(named).map(([name, endpoint]) => ({ name: `${resource}.${name}`, endpoint })),
);

/** The client's method for a row, looked up by name. */
function methodOf(client: Client, name: string): AnyMethod {
  const [resource = "", method = ""] = name.split(".");
  return Reflect.get(Reflect.get(client, resource), method);
}

const expectedOf = (name: string): (typeof EVERY_CALL)[string] =>
  EVERY_CALL[name] ?? { input: {}, line: "no request is expected for this row", data: null };

/** The request line without the token, which must occur once, at the end. */
function lineOf(seen: Seen | undefined): string {
  const target = seen?.target.replace(/[?&]access_token=token-1$/u, "") ?? "nothing";
  return `${seen?.method} ${target}`;
}

const bodyOf = (seen: Seen | undefined): unknown =>
  seen?.body === "" ? undefined : JSON.parse(seen?.body ?? "null");

describe("every row of the endpoint table", () => {
  it("has an expected request in the tests", () => {
    expect(Object.keys(EVERY_CALL)).toEqual(rows.map(({ name }) => name));
  });

  it.each(rows)("sends the whole input of $name and returns its data", async ({ name }) => {
    const { input, line, body, data } = expectedOf(name);
    const marketplace = await startMarketplace(json(data ?? null));
    const { client } = connect(marketplace);

    const answer = await methodOf(client, name)(input);

    const [seen] = marketplace.seen;
    expect(marketplace.seen).toHaveLength(1);
    expect({ line: lineOf(seen), body: bodyOf(seen) }).toEqual({ line, body });
    expect(seen?.headers.accept).toBe("application/json");
    expect(seen?.headers["content-type"]).toBe(body && "application/json");
    expect(answer).toEqual(data ?? null);
  });

  it.each(rows)("covers every parameter of $name in the tests", ({ name, endpoint }) => {
    const given = Object.keys(expectedOf(name).input);
    // An update takes every field of add; two are enough here.
    const left = name === "product.update" ? [] : Object.keys(endpoint.input.shape);

    const missing = left.filter((field) => !given.includes(field) && field !== "properties");

    expect(missing).toEqual([]);
  });

  const versions: Versions & Record<string, Version> = Object.fromEntries(
    Object.keys(table).map((resource) => [resource, "v1.0" as const]),
  );
  const newVersions: typeof versions = Object.fromEntries(
    Object.keys(table).map((resource) => [resource, "v1.1" as const]),
  );
  for (const [prefix, chosen] of [
    ["v1.0", versions],
    ["v1.1", newVersions],
  ] as const) {
    it.each(rows)(
      `sends $name to /${prefix} where its resource is configured so`,
      async ({ name }) => {
        const { input, line, data } = expectedOf(name);
        const marketplace = await startMarketplace(json(data ?? null));
        const { client } = connect(marketplace, { versions: chosen });

        await methodOf(client, name)(input);

        expect(lineOf(marketplace.seen[0])).toBe(line.replace(/\/v1\.\d/u, `/${prefix}`));
      },
    );
  }

  it.each(rows)("says who has not granted $name", async ({ name, endpoint }) => {
    const { client } = connect(await startMarketplace(json({}, 403)));

    const error = await failureOf(methodOf(client, name)(expectedOf(name).input));

    const isStore = endpoint.path.includes(":storeId");
    expect(error).toBeInstanceOf(PermissionError);
    expect(error).toMatchObject({
      endpoint: name,
      service: endpoint.section,
      storeId: isStore ? "store-1" : undefined,
      message: expect.stringContaining(isStore ? "Store store-1 has not" : "The platform has not"),
    });
  });
});

describe("every listing", () => {
  const listings = rows.filter(({ endpoint }) => endpoint.paging !== undefined);

  it("is a paged row of the endpoint table", () => {
    expect(listings.map(({ name }) => name)).toEqual([
      "product.search",
      "product.list",
      "comment.commentedProducts",
      "comment.productComments",
      "comment.storeComments",
      "category.list",
      "brand.list",
      "brand.models",
      "shippingTemplate.list",
      "question.list",
      "payment.list",
    ]);
  });

  it.each(listings)("reads $name to its end, page by page", async ({ name, endpoint }) => {
    const size = endpoint.paging?.maxSize ?? 20;
    const all = Array.from({ length: size * 2 + 1 }, (_, n) => ({
      id: `${n}`,
      name: "n",
      template_name: "t",
    }));
    const marketplace = await startMarketplace((seen, response) => {
      const [limit, page] = [Number(seen.query["limit"]), Number(seen.query["page"])];
      const result = all.slice((page - 1) * limit, page * limit);
      json({ total: all.length, result })(seen, response);
    });
    const { client } = connect(marketplace);
    const { limit: _limit, page: _page, ...filters } = expectedOf(name).input;

    const items = await Array.fromAsync(methodOf(client, name).items?.(filters) ?? []);

    expect(items).toEqual(all);
    expect(marketplace.seen.map(({ query }) => [query["limit"], query["page"]])).toEqual(
      ["1", "2", "3", "4"].map((page) => [String(size), page]),
    );
  });
});
