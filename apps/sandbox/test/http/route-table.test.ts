import { endpoints } from "@catalog/contract";
import { describe, expect, it } from "vitest";

import type { Handlers } from "../../src/handlers/handler-table.ts";
import { createRouteTable, toTable } from "../../src/http/server.ts";

const answer = (): { total: number; result: [] } => ({ total: 0, result: [] });
const handler = { answer };

describe("createRouteTable", () => {
  it("gives every endpoint one path per version, and the token endpoint one without", () => {
    const { token, brand } = endpoints;

    const routes = createRouteTable(toTable({ token, brand }), {
      token: { create: handler },
      brand: { list: handler, models: handler },
    });

    expect(routes.map(({ name, paths }) => `${name} ${paths.join(" ")}`)).toEqual([
      "token.create /app/auth/access",
      "brand.list /v1.1/brand/ /v1.0/brand/",
      "brand.models /v1.1/brand/brand-model /v1.0/brand/brand-model",
    ]);
  });

  it("refuses an endpoint without a handler", () => {
    const { brand } = endpoints;

    expect(() => createRouteTable(toTable({ brand }), { brand: { list: handler } })).toThrow(
      "brand.models has no handler",
    );
  });

  it("does not compile without a handler for every endpoint", () => {
    // @ts-expect-error -- `models` is left out
    const brand: Handlers["brand"] = { list: { answer } };

    expect(Object.keys(brand)).toEqual(["list"]);
  });
});
