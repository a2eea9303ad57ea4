import { describe, expect, it } from "vitest";

import {
  type CheckedImage,
  checkImages,
  type NamedImage,
  resolveImages,
} from "../src/file-images.ts";
import { DEFAULT_RULES, type ImageFacts } from "../src/image-rules.ts";
import { type ImageProblem, problem } from "../src/problem.ts";

const picture = (text: string, cell: string): NamedImage => ({
  kind: "address",
  text,
  cell,
  column: "Görsel",
  value: text,
});

const facts = (sha256: string, look = sha256): ImageFacts => ({
  type: "jpeg",
  width: 800,
  height: 800,
  look: look.repeat(32),
  isBlank: false,
  thumbnail: "",
  sizeBytes: 1000,
  sha256,
});

const check = (found: Readonly<Record<string, ImageFacts>>): ReturnType<typeof checkImages> =>
  checkImages(
    Object.keys(found).map((text, index) => picture(text, `M${index}`)),
    {
      rules: DEFAULT_RULES,
      check: ({ text }) => {
        const value = found[text];
        return Promise.resolve(
          value === undefined ? { ok: false, problem: problem("E_IMG_TYPE") } : { ok: true, value },
        );
      },
    },
  );

const WELL: readonly CheckedImage[] = [picture("a", "M2"), picture("b", "N2")].map((image) => ({
  image,
  facts: facts("00"),
  problems: [],
}));

const BROKEN: readonly CheckedImage[] = [
  ...WELL.slice(0, 1),
  { image: picture("b", "N2"), facts: undefined, problems: [problem("E_IMG_EMPTY")] },
];

const NO_UPLOAD: ImageProblem = problem("E_IMG_NO_UPLOAD", { value: "a" });

const resolve = (
  found: readonly CheckedImage[],
  tools: Partial<Parameters<typeof resolveImages>[1]> = {},
): ReturnType<typeof resolveImages> =>
  resolveImages(found, {
    isStrict: true,
    isBlocked: false,
    findRefusal: () => undefined,
    deliver: ({ image: { text } }) => Promise.resolve({ ok: true, value: text }),
    ...tools,
  });

const codesOf = ({ issues }: Awaited<ReturnType<typeof resolve>>): readonly string[] =>
  issues.map(({ image, code }) => `${image.cell} ${code}`);

describe("the images of a row", () => {
  it("report the first image that a later one repeats", async () => {
    const looked = await check({
      a: facts("00"),
      b: facts("ff"),
      c: facts("11", "ff"),
      d: facts("00"),
    });

    expect(
      looked.map(({ problems }) => problems.map(({ code, params }) => [code, params["other"]])),
    ).toEqual([[], [], [["W_IMG_ALIKE", "M1"]], [["E_IMG_TWICE", "M0"]]]);
  });

  it("report everything that is wrong with each image", async () => {
    const looked = await check({ a: { ...facts("00"), width: 100, height: 1000 } });

    expect(looked[0]?.problems.map(({ code }) => code)).toEqual(["E_IMG_SMALL", "E_IMG_ASPECT"]);
  });

  it("are replaced by what is published, in order", async () => {
    const resolved = await resolve(WELL, {
      deliver: ({ image: { text } }) => Promise.resolve({ ok: true, value: { url: `${text}!` } }),
    });

    expect(resolved).toMatchObject({ images: [{ url: "a!" }, { url: "b!" }], issues: [] });
  });

  it.each([
    [true, ["N2 E_IMG_EMPTY"], undefined],
    [false, ["N2 W_IMG_EMPTY"], ["a", "b"]],
  ])("report, when strict is %s, %j and publish %j", async (isStrict, codes, images) => {
    const resolved = await resolve(BROKEN, { isStrict });

    expect(codesOf(resolved)).toEqual(codes);
    expect(resolved.images).toEqual(images);
  });

  it("block their row when one cannot be sent, even where problems are warnings", async () => {
    const resolved = await resolve(WELL, {
      isStrict: false,
      deliver: () => Promise.resolve({ ok: false, problem: NO_UPLOAD }),
    });

    expect(codesOf(resolved)).toEqual(["M2 E_IMG_NO_UPLOAD", "N2 E_IMG_NO_UPLOAD"]);
    expect(resolved.images).toBeUndefined();
    expect(resolved.checked.map(({ refusal }) => refusal)).toEqual([NO_UPLOAD, NO_UPLOAD]);
  });

  it.each([
    [BROKEN, { isBlocked: false }, ["M2 E_IMG_NO_UPLOAD", "N2 E_IMG_EMPTY"]],
    [WELL, { isBlocked: true }, ["M2 E_IMG_NO_UPLOAD"]],
  ])("of a row that is blocked otherwise are not uploaded", async (found, blocked, codes) => {
    const resolved = await resolve(found, {
      ...blocked,
      findRefusal: ({ image }) => (image.text === "a" ? NO_UPLOAD : undefined),
      deliver: () => Promise.reject(new Error("a blocked row uploads nothing")),
    });

    expect(codesOf(resolved)).toEqual(codes);
    expect(resolved.images).toBeUndefined();
  });
});
