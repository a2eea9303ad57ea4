import { createFakeClock } from "@catalog/clock/testing";
import { TOKEN_VALIDITY_MS } from "@catalog/contract";
import { describe, expect, it } from "vitest";

import { createTokenService, RENEWAL_MARGIN_MS } from "../../src/http/token-service.ts";

const IP = "127.0.0.1";

function openFixture() {
  const clock = createFakeClock(1000);
  const service = createTokenService({ clock, seed: "seed" });
  const request = { client_key: service.clientKey, client_secret: service.clientSecret };
  return { clock, service, request };
}

describe("createTokenService", () => {
  it("makes the same credentials and tokens for the same seed", () => {
    const [one, two] = [openFixture(), openFixture()];

    const token = one.service.grant(one.request, IP);

    expect(two.request).toEqual(one.request);
    expect(two.service.grant(two.request, IP)).toEqual(token);
    expect(token.value).toMatch(/^sandbox-token:[0-9a-f]{64}$/u);
  });

  it("accepts a token until its last millisecond", async () => {
    const { clock, service, request } = openFixture();
    const { value, expiresAtMs } = service.grant(request, IP);

    await clock.advance(TOKEN_VALIDITY_MS - 1);
    expect(() => service.check(value, IP)).not.toThrow();

    await clock.advance(1);
    expect(() => service.check(value, IP)).toThrow("expired");
    expect(expiresAtMs).toBe(clock.now());
  });

  it("keeps earlier tokens valid beside a new one", () => {
    const { service, request } = openFixture();
    const values = [service.grant(request, IP).value, service.grant(request, IP).value];

    expect(new Set(values).size).toBe(2);
    expect(() => values.forEach((value) => service.check(value, IP))).not.toThrow();
  });

  it("ends earlier tokens of the address when configured so", () => {
    const clock = createFakeClock();
    const service = createTokenService({ clock, seed: "seed", newToken: "kills-old" });
    const request = { client_key: service.clientKey, client_secret: service.clientSecret };
    const [first, elsewhere] = [service.grant(request, IP), service.grant(request, "127.0.0.2")];

    const second = service.grant(request, IP);

    expect(() => service.check(first.value, IP)).toThrow("unknown");
    expect(() => service.check(elsewhere.value, "127.0.0.2")).not.toThrow();
    expect(() => service.check(second.value, IP)).not.toThrow();
  });

  it("reports a token that is requested long before the last one expires", async () => {
    const clock = createFakeClock();
    let early = 0;
    const service = createTokenService({ clock, seed: "seed", onEarlyRequest: () => (early += 1) });
    const request = { client_key: service.clientKey, client_secret: service.clientSecret };
    const grant = (ip = IP): number => {
      service.grant(request, ip);
      return early;
    };

    const counts = [grant(), grant("127.0.0.2")];
    await clock.advance(TOKEN_VALIDITY_MS - RENEWAL_MARGIN_MS - 1);
    counts.push(grant());
    await clock.advance(TOKEN_VALIDITY_MS - RENEWAL_MARGIN_MS);
    counts.push(grant());

    expect(counts).toEqual([0, 0, 1, 1]);
  });

  it("makes the same tokens after it was loaded", () => {
    const [one, two] = [openFixture(), openFixture()];
    const { value } = one.service.grant(one.request, IP);

    two.service.load(one.service.save());

    expect(() => two.service.check(value, IP)).not.toThrow();
    expect(two.service.grant(two.request, IP)).toEqual(one.service.grant(one.request, IP));
    expect(two.service.list()).toEqual(one.service.list());
  });

  it("refuses a token that comes from another address", () => {
    const { service, request } = openFixture();
    const { value } = service.grant(request, IP);

    expect(() => service.check(value, "127.0.0.2")).toThrow("another IP address");
  });

  it.each([undefined, "", "guess", ["a", "b"]])("refuses the token %o", (value) => {
    const { service } = openFixture();

    expect(() => service.check(value, IP)).toThrow("access_token is");
  });

  it.each([{ client_key: "guess" }, { client_secret: "guess" }])(
    "refuses the credentials %o",
    (wrong) => {
      const { service, request } = openFixture();

      expect(() => service.grant({ ...request, ...wrong }, IP)).toThrow("is wrong");
    },
  );
});
