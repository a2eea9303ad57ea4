import { describe, expect, it } from "vitest";

import { UsageError } from "../src/index.ts";

describe("UsageError", () => {
  it("keeps its words in both languages, the English ones as the message", () => {
    const error = new UsageError({ tr: "Böyle olmaz.", en: "Not so." });

    expect(error).toMatchObject({
      name: "UsageError",
      code: "E_USAGE",
      message: "Not so.",
      localized: { tr: "Böyle olmaz.", en: "Not so." },
    });
  });
});
