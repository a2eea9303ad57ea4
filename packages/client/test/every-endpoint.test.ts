/**
 * Calls every row of the endpoint table through the client, and compares the request that was sent.
 */

import { type Endpoint, endpoints, type Version } from "@catalog/contract";
import { describe, expect, it } from "vitest";

import { type Client, PermissionError, type Versions } from "../src/index.ts";
import { EVERY_CALL } from "./helpers/every-call.ts";
import { connect, failureOf, json, type Seen, startMarketplace } from "./helpers/marketplace.ts";

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
