import { describe, expect, it } from "vitest";

import { openTestClient } from "../helpers/test-client.ts";

describe("addDocuments", () => {
  it("serves the document without a token, with its own address, and does not count it", async () => {
    const { sandbox } = await openTestClient({ requestsPerHour: 1 });

    const response = await fetch(`${sandbox.baseUrl}/openapi.json`);
    const document: unknown = await response.json();

    expect(response.status).toBe(200);
    expect(document).toMatchObject({ openapi: "3.1.0", servers: [{ url: sandbox.baseUrl }] });
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
