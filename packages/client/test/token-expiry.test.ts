import { TOKEN_VALIDITY_MS } from "@catalog/contract";
import { describe, expect, it } from "vitest";

import { parseTokenExpiry, UNKNOWN_VALIDITY_MS } from "../src/token.ts";

const NOW = Date.parse("2026-03-01T12:00:00Z");
const IN_AN_HOUR = NOW + 3_600_000;
const UNKNOWN = NOW + UNKNOWN_VALIDITY_MS;

describe("parseTokenExpiry", () => {
  const cases: readonly [string, unknown, number][] = [
    ["ISO text", "2026-03-01T13:00:00.000Z", IN_AN_HOUR],
    ["ISO text with an offset", "2026-03-01T16:00:00+03:00", IN_AN_HOUR],
    ["seconds", IN_AN_HOUR / 1000, IN_AN_HOUR],
    ["milliseconds", IN_AN_HOUR, IN_AN_HOUR],
    ["seconds as text", ` ${IN_AN_HOUR / 1000} `, IN_AN_HOUR],
    ["milliseconds as text", String(IN_AN_HOUR), IN_AN_HOUR],
    ["a time beyond the stated validity", NOW + 10 * TOKEN_VALIDITY_MS, NOW + TOKEN_VALIDITY_MS],
    ["text without a time zone", "2026-03-01T13:00:00", UNKNOWN],
    ["Turkish time without a zone", "2026-03-01 20:59:00", NOW + TOKEN_VALIDITY_MS - 60_000],
    ["UTC without a zone", " 2026-03-01T17:59:00 ", NOW + TOKEN_VALIDITY_MS - 60_000],
    ["text in an unknown time zone", "2026-03-01T19:00:00", UNKNOWN],
    ["a day without a time", "2026-03-02", UNKNOWN],
    ["a time in the past", NOW - 1, UNKNOWN],
    ["now", NOW, UNKNOWN],
    ["nothing", undefined, UNKNOWN],
    ["null", null, UNKNOWN],
    ["words", "tomorrow", UNKNOWN],
    ["a day that does not exist", "2026-13-45T00:00:00Z", UNKNOWN],
    ["not a number", Number.NaN, UNKNOWN],
    ["no end", Number.POSITIVE_INFINITY, NOW + TOKEN_VALIDITY_MS],
    ["a negative number", -5, UNKNOWN],
  ];
  for (const [what, value, expected] of cases) {
    it(`reads an expiry given as ${what}`, () => {
      expect(parseTokenExpiry(value, NOW)).toBe(expected);
    });
  }

  it("returns a moment after now and within the stated validity", () => {
    const values = cases.map(([, value]) => value);
    const expiries = [0, 1, NOW, NOW * 2].flatMap((now) =>
      values.map((value) => parseTokenExpiry(value, now) - now),
    );

    expect(Math.min(...expiries)).toBeGreaterThan(0);
    expect(Math.max(...expiries)).toBeLessThanOrEqual(TOKEN_VALIDITY_MS);
  });
});
