import { AuthError } from "@catalog/client/errors";
import { describe, expect, it } from "vitest";

import { describeFailure } from "../src/failure.ts";

const FACTS = { endpoint: "product.list", phase: "none" } as const;

describe("a failure of an interrupted command", () => {
  it.each([
    ["tr", "Durduruldu; hiçbir şey gönderilmedi."],
    ["en", "Stopped; nothing was sent."],
  ] as const)("reports an interruption as such, in %s", (lang, text) => {
    expect(describeFailure(new Error("interrupted"), lang, true)).toEqual({
      exit: 130,
      code: "E_INTERRUPTED",
      text,
      issues: [],
    });
  });

  it("reports the marketplace's answer when it came before the interruption", () => {
    const error = new AuthError("no", { ...FACTS, status: 401 });

    expect(describeFailure(error, "en", true)).toMatchObject({ exit: 4, code: "AUTH_ERROR" });
  });
});
