import { createFakeClock } from "@catalog/clock/testing";
import { idSchemas } from "@catalog/contract";
import { describe, expect, it } from "vitest";

import { createCallHours } from "../../src/admin/call-hours.ts";
import {
  createQuota,
  createRequestChecks,
  type RequestChecksOptions,
} from "../../src/http/request-checks.ts";
import { createTokenService } from "../../src/http/token-service.ts";
import { createStatsCounter } from "../../src/market-state.ts";

const IP = "127.0.0.1";

function openGate(options: Partial<RequestChecksOptions> = {}) {
  const clock = createFakeClock();
  const tokens = createTokenService({ clock, seed: "seed" });
  const stats = createStatsCounter();
  const hours = createCallHours(clock);
  const parts = { clock, tokens, stats, hours, quota: createQuota(clock), latencyMs: 0 };
  const stores = {
    storeId: idSchemas.store.parse("ours"),
    closedStoreId: idSchemas.store.parse("closed"),
  };
  const closing = new AbortController().signal;
  const request = { client_key: tokens.clientKey, client_secret: tokens.clientSecret };
  const accessToken = tokens.grant(request, IP).value;
  return {
    clock,
    stats,
    accessToken,
    gate: createRequestChecks({ ...parts, ...stores, closing, ...options }),
  };
}

describe("count", () => {
  it("counts a request before it is let in", () => {
    const { gate, stats } = openGate({ latencyMs: 300 });

    gate.count("product.add");
    gate.count(undefined);

    expect(stats.read()).toMatchObject({ requests: 2, byEndpoint: { "product.add": 1 } });
  });
});

describe("enter", () => {
  it("waits for the latency before the answer", async () => {
    const { clock, gate } = openGate({});
    const slow = openGate({ latencyMs: 300, clock }).gate;
    let entered = false;
    const entering = slow.enter().then(() => (entered = true));

    await clock.advance(299);
    expect(entered).toBe(false);

    await clock.advance(1);
    await entering;
    await gate.enter();
  });

  it("stops waiting when the sandbox closes", async () => {
    const closing = new AbortController();
    const { gate } = openGate({ latencyMs: 300, closing: closing.signal });
    const entering = gate.enter();

    closing.abort(new Error("closing"));

    await expect(entering).rejects.toThrow("closing");
  });
});

describe("authorize", () => {
  it.each([
    ["none", { token: false, store: undefined }],
    ["general", { token: true, store: undefined }],
    ["store", { token: true, store: "ours" }],
  ] as const)("accepts a caller of the class %s with %o", (permission, { token, store }) => {
    const { gate, accessToken } = openGate();
    const caller = { accessToken: token && accessToken, ip: IP, storeId: store };

    expect(() => gate.authorize(permission, caller)).not.toThrow();
  });

  it.each([
    ["general", { status: 401 }],
    ["store", { storeId: "ours", status: 401 }],
    ["store", { token: true, storeId: "closed", status: 403 }],
    ["store", { token: true, storeId: "other", status: 403 }],
    ["store", { token: true, status: 403 }],
  ] as const)("refuses a caller of the class %s with %o", (permission, { status, ...rest }) => {
    const { gate, accessToken } = openGate();
    const given = { token: undefined, storeId: undefined, ...rest };
    const caller = { accessToken: given.token && accessToken, ip: IP, storeId: given.storeId };

    expect(() => gate.authorize(permission, caller)).toThrow(
      expect.objectContaining({ httpStatus: status }),
    );
  });

  it("checks the caller's address", () => {
    const { gate, accessToken } = openGate();
    const caller = { accessToken, ip: "127.0.0.2", storeId: "ours" };

    expect(() => gate.authorize("store", caller)).toThrow("another IP address");
  });
});
