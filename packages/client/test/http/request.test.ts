import { type Endpoint, endpoints, idSchemas } from "@catalog/contract";
import { describe, expect, it } from "vitest";

import { prepareRequest, type Target } from "../../src/http/request.ts";
import { InputError } from "../../src/index.ts";
import { CHEAPER_CUP, CUP } from "../helpers/product.ts";

const settings = { storeId: idSchemas.store.parse("store/1"), versions: {} };

function target(resource: string, name: string, endpoint: Endpoint<unknown, unknown>): Target {
  return { resource, name: `${resource}.${name}`, endpoint };
}

const list = target("product", "list", endpoints.product.list);
const add = target("product", "add", endpoints.product.add);
const update = target("product", "update", endpoints.product.update);
const properties = target("category", "properties", endpoints.category.properties);
const byExternalId = target("category", "byExternalId", endpoints.category.byExternalId);

function misfitsOf(one: Target, input: unknown): unknown {
  try {
    prepareRequest(one, input, settings);
  } catch (error) {
    expect(error).toBeInstanceOf(InputError);
    expect(error).toMatchObject({ phase: "none", endpoint: one.name });
    return error instanceof InputError ? error.misfits.map(({ path }) => path) : [];
  }
  return "accepted";
}

describe("prepareRequest", () => {
  it("puts a listing's input into the query, and the store into the path", () => {
    const input = { ids: ["a", "b"], limit: 50, page: 2, title: undefined, status: "veto" };

    expect(prepareRequest(list, input, settings)).toEqual({
      method: "GET",
      path: "/v1.1/product/store/store%2F1",
      query: [
        ["limit", "50"],
        ["page", "2"],
        ["ids", "a%2Cb"],
        ["status", "veto"],
      ],
      body: undefined,
    });
  });

  it("puts the input of a POST into its body, and nothing into the query", () => {
    const { method, path, query, body } = prepareRequest(add, CUP, settings);

    expect({ method, path, query }).toEqual({
      method: "POST",
      path: "/v1.1/product/add/store/store%2F1",
      query: [],
    });
    expect(JSON.parse(body ?? "")).toEqual(CUP);
  });

  it("leaves undefined fields out of an update", () => {
    const { body } = prepareRequest(update, { ...CHEAPER_CUP, title: undefined }, settings);

    expect(JSON.parse(body ?? "")).toEqual(CHEAPER_CUP);
  });

  it("takes the path parameters from the input", () => {
    const one = prepareRequest(properties, { categoryId: "a b/c?" }, settings);
    const other = prepareRequest(byExternalId, { externalCategoryId: 7 }, settings);

    expect([one.path, one.query]).toEqual(["/v1.1/category/get-properties/a%20b%2Fc%3F", []]);
    expect(other.path).toBe("/v1.1/category/get-by-external-id/7");
  });

  it("uses the configured version for its resource only", () => {
    const chosen = { ...settings, versions: { product: "v1.0" } } as const;

    expect(prepareRequest(list, {}, chosen).path).toContain("/v1.0/product/");
    expect(prepareRequest(properties, { categoryId: "c" }, chosen).path).toContain(
      "/v1.1/category",
    );
  });

  it("adds no version to a path that has none in the contract", () => {
    const token = target("token", "create", endpoints.token.create);
    const input = { client_key: "k", client_secret: "s" };
    const chosen = { ...settings, versions: { token: "v1.0" } } as const;

    expect(prepareRequest(token, input, chosen).path).toBe("/app/auth/access");
  });

  it("names the fields that do not match the contract", () => {
    expect(misfitsOf(list, { limit: 51, status: "gone" })).toEqual(["limit", "status"]);
    expect(misfitsOf(add, { ...CUP, price: 0 })).toEqual(["price"]);
  });

  it("refuses a field that the contract does not know instead of dropping it", () => {
    expect(misfitsOf(update, { ...CHEAPER_CUP, stock: 3 })).toEqual(["stock"]);
    expect(misfitsOf(update, { ...CHEAPER_CUP, stock: undefined })).toBe("accepted");
  });

  it("refuses an empty list of ids, which the marketplace would read as all", () => {
    expect(misfitsOf(list, { ids: [] })).toEqual(["ids"]);
  });

  it("refuses a path parameter that would lead to another path", () => {
    expect(misfitsOf(properties, { categoryId: ".." })).toEqual(["categoryId"]);
  });

  it("refuses text that cannot be encoded", () => {
    expect(misfitsOf(list, { title: "\uD800" })).toEqual(["title"]);
  });

  it("refuses input that is not an object", () => {
    expect(misfitsOf(list, undefined)).toEqual([""]);
    expect(misfitsOf(list, [])).toEqual([""]);
  });
});
