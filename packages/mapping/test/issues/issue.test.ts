import { describe, expect, it } from "vitest";

import { ISSUE_CODES, codeOf } from "../../src/issues/codes.ts";
import { createIssue } from "../../src/issues/issue.ts";
import { TEXTS_EN } from "../../src/issues/texts-en.ts";
import { TEXTS_TR } from "../../src/issues/texts-tr.ts";

const location = { sheet: "S", row: 12, column: "Fiyat", cell: "F12", value: "12,345,6" };

const parameters = (text: string | undefined): ReadonlySet<string> =>
  new Set([...(text ?? "").matchAll(/\{\w+\}/gu)].map(([name]) => name));

describe("createIssue", () => {
  it("combines the location, the value and both texts", () => {
    expect(createIssue({ text: "E_NOT_A_NUMBER" }, location)).toEqual({
      code: "E_NOT_A_NUMBER",
      ...location,
      message: {
        tr: "“12,345,6” bir sayı olarak okunamadı.",
        en: "“12,345,6” could not be read as a number.",
      },
      suggestion: {
        tr: "Yalnızca rakam yazın, örneğin 1299,90.",
        en: "Write digits only, such as 1299.90.",
      },
    });
  });

  it("omits a suggestion whose parameter is missing", () => {
    const issue = createIssue({ text: "E_BRAND_UNKNOWN", params: { names: "" } }, location);

    expect(issue.suggestion).toBeUndefined();
  });

  it("keeps a long value whole but shows only its beginning", () => {
    const value = "x".repeat(100);
    const issue = createIssue({ text: "E_NOT_A_NUMBER" }, { ...location, value });

    expect(issue.value).toBe(value);
    expect(issue.message.en).toBe(`“${"x".repeat(59)}…” could not be read as a number.`);
  });

  it("does not fill parameters into the value", () => {
    const issue = createIssue({ text: "E_NOT_A_NUMBER" }, { ...location, value: "{names} $&" });

    expect(issue.message.en).toBe("“{names} $&” could not be read as a number.");
  });
});

describe("issue texts", () => {
  for (const [key, text] of Object.entries(TEXTS_TR)) {
    it(`have the same parameters in both languages for ${key}`, () => {
      const other = Object.entries(TEXTS_EN).find(([name]) => name === key)?.[1];

      expect(parameters(text.message)).toEqual(parameters(other?.message));
      expect(parameters(text.suggestion)).toEqual(parameters(other?.suggestion));
    });
  }

  it("exist for every code", () => {
    const keys = Object.keys(TEXTS_EN).map((key) => key.split(".")[0]);

    expect(new Set(keys)).toEqual(new Set(ISSUE_CODES));
  });

  it("belong to the code that their key begins with", () => {
    expect(codeOf("E_WARRANTY.no-period")).toBe("E_WARRANTY");
    expect(codeOf("E_DISCOUNT.rate")).toBe("E_DISCOUNT");
    expect(codeOf("W_FORMULA")).toBe("W_FORMULA");
  });
});
