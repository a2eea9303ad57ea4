import { createFakeClock } from "@catalog/clock/testing";
import { endpoints, type StoreProduct } from "@catalog/contract";
import { describe, expect, it } from "vitest";

import { createMethods } from "../src/create-client.ts";
import { SettingsError } from "../src/index.ts";
import { connect, failureOf, json, type Reply, startMarketplace } from "./helpers/marketplace.ts";
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

describe("createMethods", () => {
  it("makes a method for a new row of the table", async () => {
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
});
