import { describe, expect, it } from "vitest";

import { hashBytes, isTransient, toImageProblem } from "../src/check/image-checker.ts";
import { createDecoder } from "../src/decode/decoder.ts";
import {
  checkImageRules,
  compareImages,
  DEFAULT_RULES,
  type ImageFacts,
} from "../src/image-rules.ts";
import { FetchError } from "../src/index.ts";
import { describeProblem, problem } from "../src/problem.ts";
import { drawing } from "./helpers/make-images.ts";

const FACTS: ImageFacts = {
  type: "jpeg",
  width: 1000,
  height: 800,
  look: "00".repeat(32),
  isBlank: false,
  thumbnail: "",
  sizeBytes: 100_000,
  sha256: "aa",
};

describe("checkImageRules", () => {
  it.each([
    [{}, []],
    [{ width: 300, height: 300 }, []],
    [{ width: 299, height: 400 }, ["E_IMG_SMALL"]],
    [{ width: 1, height: 1, isBlank: true }, ["E_IMG_SMALL"]],
    [{ width: 12_000, height: 3_000 }, []],
    [{ width: 12_001, height: 12_000 }, ["E_IMG_LARGE"]],
    [{ width: 1201, height: 300 }, ["E_IMG_ASPECT"]],
    [{ width: 300, height: 1201 }, ["E_IMG_ASPECT"]],
    [{ sizeBytes: 10 * 1024 * 1024 + 1 }, ["E_IMG_SIZE"]],
    [{ isBlank: true }, ["E_IMG_BLANK"]],
    [{ width: 13_000, height: 100 }, ["E_IMG_SMALL", "E_IMG_LARGE", "E_IMG_ASPECT"]],
  ] as const)("finds for %j: %j", (change, expected) => {
    const found = checkImageRules({ ...FACTS, ...change }, DEFAULT_RULES);

    expect(found.map(({ code }) => code)).toEqual(expected);
  });

  it("uses the limits that were given", () => {
    const found = checkImageRules(FACTS, { ...DEFAULT_RULES, minEdge: 900, minBytes: 200_000 });

    expect(found.map(({ code, params }) => [code, params["limit"]])).toEqual([
      ["E_IMG_SMALL", "900"],
      ["E_IMG_SIZE", { tr: "195 KB – 10 MB", en: "195 KB – 10 MB" }],
    ]);
  });
});

it("the texts of problems write sizes and ratios with the decimal sign of the language", () => {
  const facts = { ...FACTS, width: 3500, height: 800, sizeBytes: 5.5 * 1024 * 1024 };

  const found = checkImageRules(facts, { ...DEFAULT_RULES, maxBytes: 1024 * 1024 });

  const texts = found.map((each) => describeProblem(each).message);
  expect(texts.map(({ tr }) => tr)).toEqual([
    "Görsel dosyası 5,5 MB; 1 bayt – 1 MB sınırının dışında.",
    "Görselin kenar oranı 4,4 : 1; en çok 4 : 1 olabilir (3500 × 800).",
  ]);
  expect(texts[0]?.en).toContain("has 5.5 MB,");
});

it("compareImages distinguishes the same, alike and different images, however they were saved", async () => {
  await using decoder = createDecoder({ processes: 1 });
  const inspect = async (bytes: Buffer): Promise<ImageFacts> => {
    const found = await decoder.inspect(bytes);
    if (!found.ok) throw new Error(found.problem.code);
    return { ...found.value, sizeBytes: bytes.byteLength, sha256: hashBytes(bytes) };
  };
  const original = await inspect(await drawing(900, 900, 3).jpeg({ quality: 95 }).toBuffer());
  const resaved = await inspect(await drawing(900, 900, 3).resize(500).webp().toBuffer());
  const other = await inspect(await drawing(900, 900, 5).jpeg().toBuffer());

  expect(compareImages(original, original)).toBe("same");
  expect(compareImages(original, resaved)).toBe("alike");
  expect(compareImages(original, other)).toBe("different");
  const blank = { ...original, sha256: "b", isBlank: true };
  expect(compareImages(original, blank)).toBe("different");
});

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
