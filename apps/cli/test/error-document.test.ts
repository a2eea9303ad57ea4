import { describe, expect, it } from "vitest";

import { toErrorDocument } from "../src/error-document.ts";

const FAILURE = { exit: 4, code: "AUTH_ERROR", text: "The login was refused.", issues: [] };

describe("toErrorDocument", () => {
  it("has every key of a summary, and the error", () => {
    const nothing = { add: 0, update: 0, unchanged: 0, invalid: 0, duplicate: 0, held: 0 };

    expect(JSON.parse(toErrorDocument(FAILURE, { command: "import" }))).toEqual({
      command: "import",
      run: null,
      state: "stopped",
      exit: 4,
      counts: {
        rows: 0,
        added: 0,
        updated: 0,
        unchanged: 0,
        skipped: 0,
        invalid: 0,
        duplicate: 0,
        rejected: 0,
        held: 0,
        unknown: 0,
        cancelled: 0,
        pending: 0,
      },
      planned: { ...nothing, stock: 0, requests: 0, seconds: 0 },
      requests: { total: 0, token: 0, read: 0, write: 0 },
      verification: { accepted: 0, visible: 0, mismatch: 0, not_visible: 0 },
      files: {
        dir: null,
        result: null,
        failed: null,
        held: null,
        plan: null,
        page: null,
        summary: null,
      },
      warnings: [],
      issues: [],
      more_issues: 0,
      error: { code: "AUTH_ERROR", message: "The login was refused." },
    });
  });

  it("is one line, and names no command when none was parsed", () => {
    const text = toErrorDocument({ ...FAILURE, text: "a\nb" });

    expect(text.split("\n")).toHaveLength(2);
    expect(JSON.parse(text)).toMatchObject({ command: "", error: { message: "a\nb" } });
  });
});
