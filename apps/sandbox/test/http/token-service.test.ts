import { createFakeClock } from "@catalog/clock/testing";
import { TOKEN_VALIDITY_MS } from "@catalog/contract";
import { describe, expect, it } from "vitest";

import { createTokenDesk, RENEWAL_MARGIN_MS } from "../../src/http/token-service.ts";

const IP = "127.0.0.1";

function openDesk() {
  const clock = createFakeClock(1000);
  const desk = createTokenDesk({ clock, seed: "seed" });
  const request = { client_key: desk.clientKey, client_secret: desk.clientSecret };
  return { clock, desk, request };
}

describe("createTokenDesk", () => {
  it("makes the same credentials and tokens for the same seed", () => {
    const [one, two] = [openDesk(), openDesk()];

    const token = one.desk.grant(one.request, IP);

    expect(two.request).toEqual(one.request);
    expect(two.desk.grant(two.request, IP)).toEqual(token);
    expect(token.value).toMatch(/^sandbox-token:[0-9a-f]{64}$/u);
  });

  it("accepts a token until its last millisecond", async () => {
    const { clock, desk, request } = openDesk();
    const { value, expiresAtMs } = desk.grant(request, IP);

    await clock.advance(TOKEN_VALIDITY_MS - 1);
    expect(() => desk.check(value, IP)).not.toThrow();

    await clock.advance(1);
    expect(() => desk.check(value, IP)).toThrow("expired");
    expect(expiresAtMs).toBe(clock.now());
  });

  it("keeps earlier tokens valid beside a new one", () => {
    const { desk, request } = openDesk();
    const values = [desk.grant(request, IP).value, desk.grant(request, IP).value];

    expect(new Set(values).size).toBe(2);
    expect(() => values.forEach((value) => desk.check(value, IP))).not.toThrow();
  });

  it("ends earlier tokens of the address when configured so", () => {
    const clock = createFakeClock();
    const desk = createTokenDesk({ clock, seed: "seed", newToken: "kills-old" });
    const request = { client_key: desk.clientKey, client_secret: desk.clientSecret };
    const [first, elsewhere] = [desk.grant(request, IP), desk.grant(request, "127.0.0.2")];

    const second = desk.grant(request, IP);

    expect(() => desk.check(first.value, IP)).toThrow("unknown");
    expect(() => desk.check(elsewhere.value, "127.0.0.2")).not.toThrow();
    expect(() => desk.check(second.value, IP)).not.toThrow();
  });

  it("reports a token that is requested long before the last one expires", async () => {
    const clock = createFakeClock();
    let early = 0;
    const desk = createTokenDesk({ clock, seed: "seed", onEarlyRequest: () => (early += 1) });
    const request = { client_key: desk.clientKey, client_secret: desk.clientSecret };
    const grant = (ip = IP): number => {
      desk.grant(request, ip);
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
    const [one, two] = [openDesk(), openDesk()];
    const { value } = one.desk.grant(one.request, IP);

    two.desk.load(one.desk.save());

    expect(() => two.desk.check(value, IP)).not.toThrow();
    expect(two.desk.grant(two.request, IP)).toEqual(one.desk.grant(one.request, IP));
    expect(two.desk.list()).toEqual(one.desk.list());
  });

  it("refuses a token that comes from another address", () => {
    const { desk, request } = openDesk();
    const { value } = desk.grant(request, IP);

    expect(() => desk.check(value, "127.0.0.2")).toThrow("another IP address");
  });

  it.each([undefined, "", "guess", ["a", "b"]])("refuses the token %o", (value) => {
    const { desk } = openDesk();

    expect(() => desk.check(value, IP)).toThrow("access_token is");
  });

  it.each([{ client_key: "guess" }, { client_secret: "guess" }])(
    "refuses the credentials %o",
    (wrong) => {
      const { desk, request } = openDesk();

      expect(() => desk.grant({ ...request, ...wrong }, IP)).toThrow("is wrong");
    },
  );
});
