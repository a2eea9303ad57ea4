import { type ImageFacts, problem } from "@catalog/images";
import type { ImageCell, MappedRow } from "@catalog/mapping";
import { describe, expect, it } from "vitest";

import {
  type CheckedImage,
  checkRowImages,
  resolveRowImages,
} from "../../src/images/resolve-row-images.ts";

const RULES = { minEdge: 300, maxEdge: 5000, minBytes: 1, maxBytes: 1_000_000, maxAspect: 3 };

const picture = (text: string, cell: string): ImageCell => ({
  kind: "address",
  text,
  place: { sheet: "Ürünler", row: 2, column: "Görsel", cell, value: text },
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

const ROW: MappedRow = {
  row: 2,
  code: "KOD-1",
  isNumberCode: false,
  codeKey: "KOD-1",
  productId: undefined,
  action: "auto",
  changes: { title: "Fincan", images: ["a", "b"] },
  clears: [],
  given: [],
  keepsImages: true,
  leavesSale: false,
  names: {},
  imageFiles: [picture("a", "M2"), picture("b", "N2")],
  issues: [],
  warnings: [],
  locationOf: () => undefined,
};

const WELL: readonly CheckedImage[] = ROW.imageFiles.map((each) => ({
  image: each,
  facts: facts("00"),
  problems: [],
}));

const BROKEN: readonly CheckedImage[] = [
  ...WELL.slice(0, 1),
  { image: picture("b", "N2"), facts: undefined, problems: [problem("E_IMG_EMPTY")] },
];

const look = (found: Readonly<Record<string, ImageFacts>>): Promise<readonly CheckedImage[]> =>
  checkRowImages(
    Object.keys(found).map((text, index) => picture(text, `M${index}`)),
    {
      rules: RULES,
      check: ({ text }) => {
        const value = found[text];
        return Promise.resolve(
          value === undefined ? { ok: false, problem: problem("E_IMG_TYPE") } : { ok: true, value },
        );
      },
    },
  );

describe("checkRowImages", () => {
  it("reports the first image that a later one repeats", async () => {
    const looked = await look({
      a: facts("00"),
      b: facts("ff"),
      c: facts("11", "ff"),
      d: facts("00"),
    });

    expect(
      looked.map(({ problems }) => problems.map(({ code, params }) => [code, params["other"]])),
    ).toEqual([[], [], [["W_IMG_ALIKE", "M1"]], [["E_IMG_TWICE", "M0"]]]);
  });

  it("reports everything that is wrong with each image", async () => {
    const looked = await look({ a: { ...facts("00"), width: 100, height: 1000 } });

    expect(looked[0]?.problems.map(({ code }) => code)).toEqual(["E_IMG_SMALL", "E_IMG_ASPECT"]);
  });
});

describe("resolveRowImages", () => {
  it("replaces the images that the row names by their published URLs, in order", async () => {
    const settled = await resolveRowImages(ROW, WELL, {
      isStrict: true,
      findRefusal: () => undefined,
      deliver: ({ image: { text } }) => Promise.resolve({ ok: true, value: { url: `${text}!` } }),
    });

    expect(settled.mapped.changes).toEqual({
      title: "Fincan",
      images: [{ url: "a!" }, { url: "b!" }],
    });
    expect(settled.imageIssues).toEqual([]);
  });

  it.each([
    [true, ["E_IMG_EMPTY"], 0],
    [false, ["W_IMG_EMPTY"], 2],
  ])(
    "reports when strict is %s %j at the image's own cell and publishes %d",
    async (isStrict, codes, count) => {
      let delivered = 0;
      const settled = await resolveRowImages(ROW, BROKEN, {
        isStrict,
        findRefusal: () => undefined,
        deliver: ({ image: { text } }) => {
          delivered += 1;
          return Promise.resolve({ ok: true, value: text });
        },
      });

      expect(settled.imageIssues.map(({ code }) => code)).toEqual(codes);
      expect(settled.imageIssues[0]).toMatchObject({ row: 2, cell: "N2", value: "b" });
      expect(delivered).toBe(count);
    },
  );

  it("blocks a row whose image cannot be sent, even where image problems are warnings", async () => {
    const settled = await resolveRowImages(ROW, WELL, {
      isStrict: false,
      findRefusal: () => undefined,
      deliver: () =>
        Promise.resolve({ ok: false, problem: problem("E_IMG_NO_UPLOAD", { value: "a" }) }),
    });

    expect(settled.imageIssues.map(({ code, cell }) => `${cell} ${code}`)).toEqual([
      "M2 E_IMG_NO_UPLOAD",
      "N2 E_IMG_NO_UPLOAD",
    ]);
    expect(settled.checked.map(({ refusal }) => refusal?.code)).toEqual([
      "E_IMG_NO_UPLOAD",
      "E_IMG_NO_UPLOAD",
    ]);
  });

  it("reports an image that cannot be sent although its row is blocked for another reason", async () => {
    const settled = await resolveRowImages(ROW, BROKEN, {
      isStrict: true,
      findRefusal: ({ image }) =>
        image.text === "a" ? problem("E_IMG_NO_UPLOAD", { value: "a" }) : undefined,
      deliver: () => Promise.reject(new Error("a blocked row uploads nothing")),
    });

    expect(settled.imageIssues.map(({ code, cell }) => `${cell} ${code}`)).toEqual([
      "M2 E_IMG_NO_UPLOAD",
      "N2 E_IMG_EMPTY",
    ]);
    expect(settled.mapped.changes).toEqual(ROW.changes);
  });
});
