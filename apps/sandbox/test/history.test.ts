import { describe, expect, it } from "vitest";

import { createCities } from "../src/catalog/cities.ts";
import { createCustomer, isWithinPeriod, lazy, maskName, sortByTime } from "../src/history.ts";

describe("once", () => {
  it("creates the value at the first call only", () => {
    let count = 0;
    const thing = lazy(() => {
      count += 1;
      return undefined;
    });

    expect(count).toBe(0);
    thing();
    thing();
    expect(count).toBe(1);
  });
});

describe("isWithin", () => {
  it.each([
    [{}, true],
    [{ start_date: 100 }, true],
    [{ start_date: 101 }, false],
    [{ end_date: 100 }, true],
    [{ end_date: 99 }, false],
    [{ start_date: 1, end_date: 99 }, false],
    [{ date_created: 0 }, true],
    [{ date_created: -3 * 3600 }, true],
    [{ date_created: -3 * 3600 - 1 }, false],
    [{ date_created: 21 * 3600 - 1 }, true],
    [{ date_created: 21 * 3600 }, false],
  ])("compares whole seconds, and days in Türkiye: %o is %s", (query, expected) => {
    expect(isWithinPeriod(100_999, query)).toBe(expected);
  });
});

describe("inOrder", () => {
  it("puts the newest first unless the query asks for the oldest", () => {
    expect(sortByTime([1, 2])).toEqual([2, 1]);
    expect(sortByTime([1, 2], "descending")).toEqual([2, 1]);
    expect(sortByTime([1, 2], "ascending")).toEqual([1, 2]);
  });
});

describe("createCustomer", () => {
  it("returns the same person for the same words, at a district of the city", () => {
    const cities = createCities();

    const people = Array.from({ length: 50 }, (_, n) => createCustomer(cities, String(n)));

    expect(people[7]).toEqual(createCustomer(cities, "7"));
    expect(new Set(people.map(({ name }) => name)).size).toBeGreaterThan(30);
    for (const { email, address } of people) {
      expect(email).toMatch(/^[a-z.]+\d+@ornek\.example$/u);
      const [, district, city] = /, ([^,]+) \/ (.+)$/u.exec(address) ?? [];
      const found = cities.find(({ name }) => name === city);
      expect(found?.districts.map(({ name }) => name)).toContain(district);
    }
  });
});

describe("maskName", () => {
  it.each([
    ["Ayşe Kaya", "A*** K***"],
    ["İrem Çağ", "İ*** Ç***"],
    ["A B", "A B"],
  ])("masks %s as %s", (name, masked) => {
    expect(maskName(name)).toBe(masked);
  });
});
