import { describe, expect, it } from "vitest";

import { describeFaults } from "../../src/commands/demo/run.ts";

const SENT = { first: { adds: 52, updates: 0 }, second: { adds: 0, updates: 0 } };
const SEEN = { doubles: {}, violations: [] };

describe("describeFaults", () => {
  it("returns nothing for a demo without faults", () => {
    expect(describeFaults(SENT, SEEN, "tr")).toBeUndefined();
  });

  it("names each call that breaks the specification, with its field and count", () => {
    const violations = [
      { rule: "bad-value", endpoint: "product.add", field: "price", count: 3 },
      { rule: "accept", endpoint: "product.list", field: "", count: 1 },
    ] as const;

    expect(describeFaults(SENT, { ...SEEN, violations }, "tr")).toBe(
      [
        "Beklenmedik: belirtime aykırı 3 istek: product.add price (bad-value).\n",
        "Beklenmedik: belirtime aykırı 1 istek: product.list (accept).\n",
        "Bu, programın bir hatasıdır; bu çıktıyla birlikte bildirin.\n",
      ].join(""),
    );
  });

  it("names the codes of products that exist twice", () => {
    const seen = { ...SEEN, doubles: { "TST-1": ["a", "b"] } };

    expect(describeFaults(SENT, seen, "en")).toContain("product codes added twice: TST-1.");
  });

  it.each([
    [
      "nothing in the first import",
      { ...SENT, first: { adds: 0, updates: 0 } },
      "added no product",
    ],
    ["an add in the second", { ...SENT, second: { adds: 1, updates: 0 } }, "sent something"],
    ["an update in the second", { ...SENT, second: { adds: 0, updates: 1 } }, "sent something"],
  ])("says so when the marketplace counted %s", (_, sent, output) => {
    expect(describeFaults(sent, SEEN, "en")).toContain(output);
  });
});
