import { describe, expect, it } from "vitest";

import { readAnswer, sendJson, openTestClient } from "../helpers/test-client.ts";

describe("addAdminRoutes", () => {
  it("returns the stats without a token and does not count the request", async () => {
    const { sandbox, add } = await openTestClient();
    await add();

    const answer = await readAnswer(await fetch(`${sandbox.baseUrl}/_sandbox/stats`));

    expect(answer.headers.get("x-sandbox")).toBe("1");
    expect(answer.data).toEqual({
      products: 1,
      adds: 1,
      updates: 0,
      tokens: 1,
      requests: 2,
      byEndpoint: { "token.create": 1, "product.add": 1 },
    });
    expect(answer.data).toEqual(sandbox.stats());
  });

  it("returns every product with a code", async () => {
    const { sandbox, add } = await openTestClient({ products: 3 });
    const ids = [await add(), await add()];

    const all = await readAnswer(await fetch(`${sandbox.baseUrl}/_sandbox/products`));
    const some = await readAnswer(await fetch(`${sandbox.baseUrl}/_sandbox/products?code=KSK-001`));

    expect(all.data).toHaveLength(5);
    expect(some.data).toEqual(ids.map((id) => expect.objectContaining({ id })));
  });

  it("restores the start on reset, and keeps tokens valid", async () => {
    const { sandbox, add, get } = await openTestClient({ products: 3 });
    const before = sandbox.products();
    await add();

    const { data } = await sendJson(`${sandbox.baseUrl}/_sandbox/reset`, {});
    const later = await get("/v1.1/category/");

    expect(data).toEqual({ status: true });
    expect(sandbox.products()).toEqual(before);
    expect(later.httpStatus).toBe(200);
    expect(sandbox.stats()).toMatchObject({ products: 3, adds: 0, tokens: 0, requests: 1 });
  });
});
