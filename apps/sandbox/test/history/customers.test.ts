import { describe, expect, it } from "vitest";

import { createCities } from "../../src/catalog/cities.ts";
import { createCustomer, maskName } from "../../src/history.ts";

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
