import { endpoints } from "@catalog/contract";
import { describe, expect, it } from "vitest";

import { renderDocsPage } from "../../src/openapi/docs-page.ts";
import { createOpenApi } from "../../src/openapi/openapi.ts";

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
