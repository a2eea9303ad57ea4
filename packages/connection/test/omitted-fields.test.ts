import { describe, expect, it } from "vitest";

import { createOmittedFields } from "../src/omitted-fields.ts";

describe("parts of answers that were left out", () => {
  it("are reported once for each field, and a left-out total as such", () => {
    const notes = createOmittedFields();
    const lists = ["total", "title", "total", "title"].map((field) => ({
      endpoint: "product.list",
      field,
    }));
    for (const left of lists) notes.note(left);

    const warnings = notes.warnings();

    expect(warnings.map(({ code }) => code)).toEqual(["W_ANSWER_LEFT_OUT", "W_ANSWER_LEFT_OUT"]);
    expect(warnings[0]?.message.tr).toContain("sayfalar onsuz, sonuna kadar okundu");
    expect(warnings[1]?.message.en).toContain("“title” values");
  });
});
