import { expect, it } from "vitest";

import { toNotes } from "../../../src/server/runs/run-view.ts";

const warning = (code: string) => ({ code, message: { tr: code, en: code } });

it("calls a fact about the file a note, and what may be lost a warning", () => {
  const warnings = [warning("W_COLUMN_NOT_SENT"), warning("W_ROWS_EXCLUDED")];

  expect(toNotes({ facts: null }, warnings, "tr")).toEqual({
    notes: ["W_COLUMN_NOT_SENT"],
    warnings: ["W_ROWS_EXCLUDED"],
  });
});
