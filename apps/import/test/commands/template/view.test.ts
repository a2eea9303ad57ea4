import { expect, it } from "vitest";

import { formatMade } from "../../../src/commands/template/run.ts";

it("says that brands are too many for a list of models, whatever the number of categories", () => {
  const made = { path: "a.xlsx", lists: [{ column: "Marka *", count: 201 }], lacksModels: true };

  const text = formatMade(made, "tr", {});

  expect(text).toContain("Marka (201)");
  expect(text).toContain("Çok fazla marka olduğu için model listesi eklenmedi");
  expect(text).not.toContain("kategoride");
});
