import { describe, expect, it } from "vitest";

import { isTransient, toImageProblem } from "../src/check/image-checker.ts";
import { FetchError } from "../src/index.ts";
import { describeProblem, problem } from "../src/problem.ts";

describe("describeProblem", () => {
  it("describes what is wrong and what to do, in both languages", () => {
    const found = problem("E_IMG_SMALL", { width: "100", height: "90", limit: "300" });

    expect(describeProblem(found)).toEqual({
      message: {
        tr: "Görsel çok küçük: 100 × 90 piksel; kısa kenar en az 300 olmalı.",
        en: "The image is too small: 100 × 90 pixels; its shorter edge needs 300.",
      },
      suggestion: {
        tr: "Daha büyük bir görsel verin; büyütmek yaramaz.",
        en: "Give a larger image; enlarging this one does not help.",
      },
    });
  });

  it("shortens untrusted texts", () => {
    const { message } = describeProblem(problem("E_PATH", { value: "x".repeat(5_000) }));

    expect(message.en.length).toBeLessThan(150);
  });
});

describe("toImageProblem", () => {
  it.each([
    ["E_URL_FORM", "E_URL_FORM"],
    ["E_URL_CREDENTIALS", "E_URL_CREDENTIALS"],
    ["E_URL_PRIVATE", "E_URL_PRIVATE"],
    ["E_URL_PORT", "E_URL_PORT"],
    ["E_URL_REDIRECT", "E_IMG_REDIRECT"],
    ["E_FETCH_SIZE", "E_IMG_SIZE"],
    ["E_FETCH_SLOW", "E_IMG_SLOW"],
    ["E_FETCH_CUT", "E_IMG_UNREACHABLE"],
    ["E_FETCH_FAILED", "E_IMG_UNREACHABLE"],
    ["E_FETCH_ENCODING", "E_IMG_TYPE"],
    ["E_FETCH_STATUS", "E_IMG_STATUS"],
  ] as const)("turns %s into %s", (code, expected) => {
    const found = toImageProblem(new FetchError(code, ""), "https://a.example/1.jpg");

    expect(found.code).toBe(expected);
    expect(describeProblem(found).message.en).not.toContain("{");
  });

  it.each([
    [404, false],
    [410, false],
    [429, true],
    [500, true],
    [503, true],
  ])("decides whether status %d is transient: %s", (status, expected) => {
    expect(isTransient(new FetchError("E_FETCH_STATUS", "", { status }))).toBe(expected);
  });
});
