import { type Endpoint, endpoints } from "@catalog/contract";
import { describe, expect, it } from "vitest";

import { toTable } from "../../src/http/server.ts";
import { createOpenApi, type DescribedRoute, type Operation } from "../../src/openapi/openapi.ts";

const table: Readonly<Record<string, Readonly<Record<string, Endpoint<unknown, unknown>>>>> =
  toTable({ ...endpoints });

const routes: readonly DescribedRoute[] = Object.entries(table).flatMap(([group, named]) =>
  Object.entries(named).map(([row, endpoint]) => ({
    name: `${group}.${row}`,
    endpoint,
    paths:
      endpoint.versions.length === 0
        ? [endpoint.path]
        : endpoint.versions.map((version) => `/${version}${endpoint.path}`),
  })),
);

const document = createOpenApi(routes, "http://127.0.0.1:1");
const operations: readonly Operation[] = Object.values(document.paths).flatMap((byMethod) =>
  Object.values(byMethod),
);

describe("createOpenApi", () => {
  it("has an operation for every row and version, each with an id of its own", () => {
    const ids = operations.map(({ operationId }) => operationId);

    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toHaveLength(routes.flatMap(({ paths }) => paths).length);
    expect(Object.keys(document.paths)).toContain("/v1.0/order/store/{storeId}");
    expect(Object.keys(document.paths)).toContain("/v1.1/order/store/{storeId}");
    expect(Object.keys(document.paths)).not.toContain("/v1.1/payment/store/{storeId}");
  });

  it("declares every parameter of its paths", () => {
    for (const [path, byMethod] of Object.entries(document.paths)) {
      const inPath = [...path.matchAll(/\{([A-Za-z]+)\}/gu)].map(([, name]) => name);
      for (const { parameters } of Object.values(byMethod)) {
        const declared = parameters.filter((one) => one.in === "path");

        expect(declared.map(({ name }) => name)).toEqual(inPath);
        expect(declared.every(({ required }) => required)).toBe(true);
      }
    }
  });

  it("states required flags, defaults, maxima and values of a query", () => {
    const search = document.paths["/v1.1/product/search"]?.["get"];
    const comments = document.paths["/v1.1/comment/product-comments/store/{storeId}"]?.["get"];

    expect(search?.parameters).toEqual([
      {
        name: "type",
        in: "query",
        required: true,
        schema: { type: "string", enum: ["b2c", "c2c"] },
      },
      {
        name: "search_key",
        in: "query",
        required: true,
        schema: { type: "string", minLength: 1 },
      },
      {
        name: "limit",
        in: "query",
        required: false,
        description: "Elements a page",
        schema: { type: "integer", minimum: 1, maximum: 50, default: 20 },
      },
      {
        name: "page",
        in: "query",
        required: false,
        description: "Counted from 1",
        schema: { type: "integer", minimum: 1, default: 1 },
      },
    ]);
    expect(comments?.parameters.find(({ name }) => name === "limit")?.schema).toEqual({
      type: "integer",
      minimum: 1,
      default: 20,
    });
  });

  it("sends lists as one text with commas", () => {
    const list = document.paths["/v1.1/product/store/{storeId}"]?.["get"];

    expect(list?.parameters.find(({ name }) => name === "ids")).toMatchObject({
      style: "form",
      explode: false,
      schema: { type: "array", items: { title: "ProductId" } },
    });
  });

  it("requires a token in the query for every operation but the login", () => {
    expect(document.components).toMatchObject({
      securitySchemes: { accessToken: { type: "apiKey", in: "query", name: "access_token" } },
    });
    for (const { operationId, security } of operations) {
      expect(security).toEqual(operationId === "token.create" ? [] : [{ accessToken: [] }]);
    }
  });

  it("describes the body of every POST, and answers and refusals of all operations", () => {
    for (const byMethod of Object.values(document.paths)) {
      expect(byMethod["get"]?.requestBody).toBeUndefined();
      if (byMethod["post"]) expect(byMethod["post"].requestBody?.required).toBe(true);
    }
    for (const { responses } of operations) {
      expect(responses).toMatchObject({
        "200": { content: { "application/json": { schema: { required: ["data"] } } } },
        default: { $ref: "#/components/responses/Refusal" },
      });
    }
  });

  it("spells fields as the specification does", () => {
    const text = JSON.stringify(document);

    expect(text).toContain('"use_contractred_company"');
    expect(text).toContain('"shippingCode"');
  });
});
