import { describe, expect, it } from "vitest";

import { InputError, LocalizedError } from "../src/index.ts";

const TEXT = { tr: "Böyle olmaz.", en: "Not so." };

describe("InputError", () => {
  it("carries both languages, with the English text as message", () => {
    const error = new InputError(TEXT);

    expect(error).toBeInstanceOf(LocalizedError);
    expect(error).toMatchObject({
      name: "InputError",
      code: "E_USAGE",
      message: "Not so.",
      localized: TEXT,
    });
  });

  it("keeps its own code and its cause", () => {
    const cause = new Error("below");

    const error = new InputError(TEXT, { code: "E_RULE_FILE", cause });

    expect(error).toMatchObject({ code: "E_RULE_FILE", cause });
  });

  it("has no cause where none was given", () => {
    expect("cause" in new InputError(TEXT, { code: "E_RULE_FILE" })).toBe(false);
  });
});
