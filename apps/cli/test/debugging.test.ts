import { UsageError } from "@catalog/console";
import { describe, expect, it } from "vitest";

import { assertSilent, isTalkative } from "../src/debugging.ts";

describe("isTalkative", () => {
  it.each(["http", "https", "http2", "fetch", "undici", "net", "TLS", "module, net", "h*"])(
    "is true for NODE_DEBUG=%s",
    (NODE_DEBUG) => {
      expect(isTalkative({ NODE_DEBUG })).toBe(true);
    },
  );

  it.each([undefined, "", "module", "app,timer", "network"])("is false for %s", (NODE_DEBUG) => {
    expect(isTalkative({ NODE_DEBUG })).toBe(false);
  });
});

describe("assertSilent", () => {
  it("names the variable and the next step, in both languages", () => {
    expect(() => assertSilent({ NODE_DEBUG: "net" })).toThrow(UsageError);
    expect(() => assertSilent({ NODE_DEBUG: "net,http" })).toThrow("NODE_DEBUG=net,http");
    expect(() => assertSilent({})).not.toThrow();
  });
});
