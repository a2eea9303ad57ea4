import { describe, expect, it } from "vitest";

import { describeFailure, toProblem } from "../../src/server/failures.ts";

const ID = "r-260101-0900-aabbccddeeff";

it.each(["E_DRAFT_UNKNOWN", "E_RUN_UNKNOWN", "E_PLAN_OLD", "E_PLAN_FILE"])(
  "says %s in words of the page, without a command",
  (code) => {
    for (const lang of ["tr", "en"] as const) {
      const text = `"${ID}" yok. catalog runs`;
      const { problem, isBug } = describeFailure(new Error("x"), lang, () => ({
        code,
        text,
        isLogin: false,
      }));

      expect(isBug).toBe(false);
      expect(problem.code).toBe(code);
      expect(problem.message).not.toMatch(/catalog|--|r-26/u);
      expect(problem.message.split(". ").length).toBeGreaterThan(1);
    }
  },
);

it("keeps the sentence of the program for any other error", () => {
  const known = { code: "E_STORE_BUSY", text: "Mağaza meşgul.", isLogin: false };

  expect(describeFailure(new Error("x"), "tr", () => known)).toEqual({
    status: 423,
    problem: { code: "E_STORE_BUSY", message: "Mağaza meşgul." },
    isBug: false,
  });
});

const ended = (document: unknown) => ({ exit: 137, document, errors: "Error: x\n    at y.ts:1:1" });

describe("a command that has ended", () => {
  it("without a document is told of by its exit code, and by nothing that it has written", () => {
    expect(toProblem(ended(undefined), "tr")).toEqual({
      code: "E_COMMAND",
      message:
        "İşlem beklenmedik biçimde durdu (çıkış kodu 137). Yeniden deneyin; yine olursa bu kodu bildirin.",
    });
    expect(toProblem(ended(undefined), "en")?.message).toContain("(exit code 137). Try again");
  });

  it("has failed where its document says so, unless a person has stopped it", () => {
    const failed = { error: { code: "E_X", message: "Olmadı. Bakmak için: catalog runs" } };

    expect(toProblem(ended(failed), "tr")).toEqual({ code: "E_X", message: "Olmadı." });
    expect(toProblem(ended({ error: { code: "E_INTERRUPTED", message: "" } }), "tr")).toBeNull();
    expect(toProblem(ended({ run: "r-1" }), "tr")).toBeNull();
  });
});
