import { describe, expect, it } from "vitest";

import { toProblem } from "../../src/server/failures.ts";

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
