import { ISSUE_CODES } from "@catalog/mapping";
import { UNCHANGED_CODE } from "@catalog/report";
import { describe, expect, it } from "vitest";

import { labelOf } from "../../src/drafts/issue-labels.ts";

const CODES = [
  ...ISSUE_CODES,
  UNCHANGED_CODE,
  "E_CODE_DUPLICATE",
  "E_COLUMN_COUNT",
  "E_ID_CODE_MISMATCH",
  "E_CODE_ABSENT",
  "W_ROW_LEFT_OUT",
  "W_UNPUBLISHED_ROWS",
];
const MAX_CHARS = 40;

const repeated = (texts: readonly string[]): readonly string[] =>
  texts.filter((text, at) => texts.indexOf(text) !== at);

describe.each(["tr", "en"] as const)("labelOf in %s", (lang) => {
  it("has a label of its own for each kind of issue", () => {
    const unknown = ["E_NONE", "W_NONE"].map((code) => labelOf(code)[lang]);
    const labels = CODES.map((code) => labelOf(code)[lang]);

    expect(repeated([...unknown, ...labels])).toEqual([]);
  });

  it("has labels that fit on a button", () => {
    const long = CODES.map((code) => labelOf(code)[lang]).filter(
      (label) => label.length > MAX_CHARS,
    );

    expect(long).toEqual([]);
  });
});
