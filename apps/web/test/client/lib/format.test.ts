import { describe, expect, it } from "vitest";

import { createFormat, foldText, isTypedCount } from "../../../client/lib/format.ts";

const NOW = Date.parse("2026-11-23T17:30:00Z");

describe("createFormat", () => {
  it("writes numbers, sizes and changes as Turkish people do", () => {
    const format = createFormat("tr");

    expect(format.number(1_234_567)).toBe("1.234.567");
    expect(format.bytes(1_450_000)).toBe("1,5 MB");
    expect(format.bytes(900)).toBe("900 B");
    expect(format.percent(-12.4)).toBe("−%12");
    expect(format.percent(0.1818)).toBe("+%0,18");
    expect(format.percent(0)).toBe("%0");
    expect(format.percent(-99.887)).toBe("−%99,9");
    expect(format.percent(-100)).toBe("−%100");
    expect(createFormat("en").percent(-12.4)).toBe("−12%");
    expect(format.percent(50)).toBe("+%50");
  });

  it("writes times in Turkish time, with the date on other days only", () => {
    const format = createFormat("tr");

    expect(format.time("2026-11-23T11:05:00Z", NOW)).toBe("14:05");
    expect(format.time("2026-11-23T21:05:00Z", NOW)).toBe("24 Kas 2026 00:05");
    expect(createFormat("en").date("2026-11-23T11:05:00Z")).toBe("23 Nov 2026, 14:05");
  });

  const agos = [
    ["2026-11-23T17:29:50Z", "bu dakika", "this minute"],
    ["2026-11-23T17:25:00Z", "5 dakika önce", "5 minutes ago"],
    ["2026-11-23T14:30:00Z", "3 saat önce", "3 hours ago"],
    ["2026-11-22T17:00:00Z", "dün", "yesterday"],
  ] as const;
  for (const [at, tr, en] of agos) {
    it(`says ${tr}`, () => {
      expect(createFormat("tr").ago(at, NOW)).toBe(tr);
      expect(createFormat("en").ago(at, NOW)).toBe(en);
    });
  }
});

it("finds a text whatever its case, its accents and its i", () => {
  expect(foldText(" ÇIĞLIK İĞNE ")).toBe("ciglik igne");
  expect(foldText("çığlık iğne")).toBe("ciglik igne");
});

it.each(["1299", " 1299 ", "1.299", "1,299", "1 299"])("takes %s for 1299 rows", (typed) => {
  expect(isTypedCount(typed, 1_299)).toBe(true);
});

it.each(["", "129", "12990", "x1299", "-1299"])("does not take '%s' for 1299 rows", (typed) => {
  expect(isTypedCount(typed, 1_299)).toBe(false);
});

it("does not take an empty text for no rows", () => {
  expect(isTypedCount("", 0)).toBe(false);
});
