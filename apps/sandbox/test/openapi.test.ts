import { type Endpoint, endpoints, idSchemas, priceMinor } from "@catalog/contract";
import { describe, expect, it } from "vitest";
import * as z from "zod";

import { toTable } from "../src/http/server.ts";
import {
  createOpenApi,
  type DescribedRoute,
  listFields,
  nameType,
  type Operation,
  renderDocsPage,
  toFields,
  toJsonSchema,
} from "../src/openapi.ts";
import { openTestClient } from "./helpers/test-client.ts";

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

describe("toJsonSchema", () => {
  it.each([
    [z.int(), { type: "integer" }],
    [z.int().min(1).max(50), { type: "integer", minimum: 1, maximum: 50 }],
    [z.union([z.literal(1), z.literal(2)]), { type: "integer", enum: [1, 2] }],
    [z.literal([0, 1]), { type: "integer", enum: [0, 1] }],
    [z.literal(1), { type: "integer", enum: [1] }],
    [z.enum(["a", "b"]), { type: "string", enum: ["a", "b"] }],
    [
      z.union([z.number(), z.literal(false)]),
      expect.objectContaining({ anyOf: expect.any(Array) }),
    ],
    [z.looseObject({}), { type: "object", properties: {} }],
    [z.unknown(), {}],
    [priceMinor, { type: "integer", exclusiveMinimum: 0 }],
    [idSchemas.product, { type: "string", minLength: 1, title: "ProductId", format: "object-id" }],
  ])("describes a schema briefly", (schema, expected) => {
    expect(toJsonSchema(schema)).toEqual(expected);
  });
});

describe("toFields", () => {
  it("marks required fields, except fields of an answer that may be missing", () => {
    expect(toFields(endpoints.product.search.input).required).toEqual(["type", "search_key"]);
    expect(toFields(z.object({})).properties).toEqual({});
    const { required } = toFields(endpoints.category.byExternalId.data);
    expect(required).toEqual(["id", "name", "properties"]);
  });
});

const item = { type: "object", properties: { id: { type: "string" } }, required: ["id"] };

describe("listFields", () => {
  it("lists fields of objects, lists and alternatives", () => {
    const schema = {
      type: "object",
      properties: {
        list: { type: "array", items: item },
        either: { anyOf: [{ type: "null" }, item] },
        plain: { type: "number" },
      },
      required: ["list"],
    };

    expect(listFields(schema).map(({ path, required }) => [path, required])).toEqual([
      ["list", true],
      ["list[].id", true],
      ["either", false],
      ["either.id", true],
      ["plain", false],
    ]);
  });

  it("finds no fields in a schema without any", () => {
    expect(listFields({})).toEqual([]);
    expect(listFields({ type: "string" })).toEqual([]);
  });
});

describe("nameType", () => {
  it.each([
    [{ type: "string", title: "ProductId" }, "string (ProductId)"],
    [{ type: ["string", "null"] }, "string or null"],
    [{ type: "array", items: { type: "integer" } }, "array of integer"],
    [{ type: "array", items: {} }, "array of anything"],
    [{ anyOf: [{ type: "string" }, { type: "number" }, { type: "string" }] }, "string or number"],
    [{ enum: [false, "error"] }, "value"],
    [{}, "anything"],
  ])("names the type of %o %s", (schema, expected) => {
    expect(nameType(schema)).toBe(expected);
  });
});

const { list } = endpoints.order;
const route = {
  name: "order.list",
  endpoint: { ...list, summary: 'List <orders> & "more"' },
  paths: ["/v1.1/order/store/:storeId", "/v1.0/order/store/:storeId"],
};

describe("renderDocsPage", () => {
  const page = renderDocsPage(createOpenApi([route], "http://127.0.0.1:7"));

  it("shows an operation once, with both of its paths", () => {
    expect(page.match(/<details /gu)).toHaveLength(1);
    expect(page).toContain("<code>/v1.1/order/store/{storeId}</code>");
    expect(page).toContain("Also under <code>/v1.0/order/store/{storeId}</code>");
  });

  it("escapes every text", () => {
    expect(page).toContain("List &lt;orders&gt; &amp; &quot;more&quot;");
    expect(page).not.toContain("<orders>");
  });

  it("shows parameters with their limits, and fields of the answer", () => {
    expect(page).toContain("from 0 · up to 16");
    expect(page).toContain("one of 0, 1 · default 0");
    expect(page).toContain("<code>data[].packages[].items[].paid_amount</code>");
  });

  it("loads nothing", () => {
    expect(page).not.toMatch(/<(?:script|link|img|iframe)|@import|url\(|\bsrc=/u);
    expect([...page.matchAll(/href="([^"]*)"/gu)].map(([, href]) => href)).toEqual([
      "/openapi.json",
      "#orders",
    ]);
  });
});

describe("addDocuments", () => {
  it("serves the document without a token, with its own address, and does not count it", async () => {
    const { sandbox } = await openTestClient({ requestsPerHour: 1 });

    const response = await fetch(`${sandbox.baseUrl}/openapi.json`);
    const served: unknown = await response.json();

    expect(response.status).toBe(200);
    expect(served).toMatchObject({ openapi: "3.1.0", servers: [{ url: sandbox.baseUrl }] });
    expect(sandbox.stats().requests).toBe(1);
  });

  it("serves a page that may load nothing", async () => {
    const { sandbox } = await openTestClient();

    const response = await fetch(`${sandbox.baseUrl}/docs`);

    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(await response.text()).toContain("/v1.0/payment/store/{storeId}");
  });
});
