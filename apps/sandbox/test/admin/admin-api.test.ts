import { describe, expect, it } from "vitest";

import { sendJson, openTestClient } from "../helpers/test-client.ts";

describe("createAdminApi", () => {
  it("clears counts, violations, hours and faults on reset, but keeps tokens", async () => {
    const { sandbox, add, get } = await openTestClient({
      faults: [{ kind: "html", endpoint: "category.list", nth: 2 }],
    });
    await add({ properties: [] });
    await get("/v1.1/category/", { colour: "red" });

    sandbox.reset();

    expect(sandbox.inspect()).toMatchObject({
      stats: { products: 0, requests: 0 },
      calls: { lastHour: 0, busiestHour: 0 },
      tokens: [{ isValid: true }],
      productsByCode: {},
      violations: [],
      undocumented: [],
    });
    // The fault meets the second call after the reset, not the first one.
    expect((await get("/v1.1/category/")).httpStatus).toBe(200);
  });

  it("approves products and ends tokens over HTTP", async () => {
    const { sandbox, add, get } = await openTestClient({
      personality: { "new-product": "after-approval" },
    });
    await add();

    const approved = await sendJson(`${sandbox.baseUrl}/_sandbox/approve`, {});
    const listed = await get(`/v1.1/product/store/${sandbox.storeId}`);
    const ended = await sendJson(`${sandbox.baseUrl}/_sandbox/end-tokens`, {});
    const refused = await get("/v1.1/category/");

    expect(approved.data).toEqual({ approved: 1 });
    expect(listed.data).toMatchObject({ total: 1 });
    expect(ended.data).toEqual({ status: true });
    expect(refused.httpStatus).toBe(401);
    expect(sandbox.inspect().tokens).toEqual([]);
  });
});
