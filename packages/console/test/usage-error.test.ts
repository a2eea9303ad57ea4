import { describe, expect, it } from "vitest";

import { UsageError } from "../src/index.ts";

describe("UsageError", () => {
  it("keeps its text in both languages, with the English one as message", () => {
    const error = new UsageError({ tr: "Böyle olmaz.", en: "Not so." });

    expect(error).toMatchObject({
      name: "UsageError",
      code: "E_USAGE",
      message: "Not so.",
      localized: { tr: "Böyle olmaz.", en: "Not so." },
    });
  });
});
