import { createHash } from "node:crypto";

import type { Lang } from "@catalog/i18n";
import { describe, expect, it } from "vitest";

import { createContactSheet, describeBroken } from "../src/contact-sheet.ts";
import type { CheckedImage } from "../src/file-images.ts";
import type { ImageFacts } from "../src/image-rules.ts";
import { problem } from "../src/problem.ts";

const EVIL = `"><script>alert(1)</script><img src=x onerror='alert(2)'>&`;

const FACTS: ImageFacts = {
  type: "jpeg",
  width: 800,
  height: 600,
  look: "",
  isBlank: false,
  thumbnail: "",
  sizeBytes: 1000,
  sha256: "",
};

const checked = (change: Partial<CheckedImage["image"]> = {}): CheckedImage => ({
  image: {
    kind: "address",
    text: "https://ornek.example/1.jpg",
    cell: "M7",
    column: "Görsel 1",
    value: "https://ornek.example/1.jpg",
    ...change,
  },
  facts: undefined,
  problems: [],
});

const ROW = { row: 7, code: "KOD-7", title: "" };

interface Shown extends Partial<typeof ROW>, Partial<CheckedImage> {}

const page = (images: readonly Shown[], lang: Lang = "tr"): string => {
  const sheet = createContactSheet(true);
  for (const { row = 7, code = "KOD-7", title = "", ...image } of images) {
    sheet.add({ row, code, title }, [{ ...checked(), ...image }]);
  }
  return sheet.format({ title: `liste/${EVIL.replaceAll("/", "")}`, lang });
};

describe("the contact sheet", () => {
  it("shows the row, the problem and what to do, problems first", () => {
    const html = page([
      checked({ cell: "M2" }),
      { row: 9, ...checked({ cell: "M9" }), problems: [problem("E_IMG_TYPE")] },
    ]);

    expect(html).toContain("Satır 9 · M9 · Görsel 1");
    expect(html).toContain("Bu dosya JPEG, PNG ya da WebP değil.");
    expect(html.indexOf("M9")).toBeLessThan(html.indexOf("M2"));
    expect(page([{}], "en")).toContain("Row 7 · M7");
  });

  it("shows why an image cannot be sent before its other problems", () => {
    const refused = { problems: [problem("E_IMG_SMALL")], refusal: problem("E_IMG_NO_UPLOAD") };

    expect(page([refused])).toMatch(/görsel yükleme ayarlanmamış.*Görsel çok küçük/su);
  });

  it("shows images in the order of their rows, however late a row was ready", () => {
    const html = page([9, 2, 5].map((row) => ({ row, code: `KOD-${row}` })));

    expect(html.match(/KOD-\d/gu)).toEqual(["KOD-2", "KOD-5", "KOD-9"]);
  });

  it("shows the first 500 right images, and counts the others", () => {
    const html = page(Array.from({ length: 507 }, (_, row) => ({ row })));

    expect(html).toContain("7 görsel daha var");
    expect(html).toContain("507 görselin hepsi sorunsuz.");
  });

  it("names the product of each image, and sizes in the words of the language", () => {
    const facts = { ...FACTS, sizeBytes: 5.5 * 1024 * 1024 };
    const cup = { code: "KOD-9", title: "Çay bardağı", facts };

    expect(page([cup])).toContain("<strong>KOD-9 · Çay bardağı</strong>");
    expect(page([cup])).toContain("800 × 600 · 5,5 MB");
    expect(page([cup], "en")).toContain("800 × 600 · 5.5 MB");
    expect(page([{ code: "" }])).not.toContain("<strong>");
  });

  it("escapes every text", () => {
    const html = page([
      {
        code: EVIL,
        title: EVIL,
        ...checked({ text: EVIL, column: EVIL, cell: EVIL }),
        problems: [problem("E_IMG_MISSING", { value: EVIL, source: EVIL })],
      },
    ]);

    expect(html).not.toMatch(/<script|<img src=x|onerror='/u);
  });

  it.each(["javascript:alert(1)", "http://a.example/1.jpg", "kaşık.jpg", "https://"])(
    "makes no link from %s",
    (text) => {
      expect(page([checked({ text })])).not.toContain("<a ");
    },
  );

  it("allows itself only its own style and its own thumbnails", () => {
    const html = page([{}]);
    const style = /<style>(?<style>[\s\S]*?)<\/style>/u.exec(html)?.groups?.["style"] ?? "";
    const hash = createHash("sha256").update(style).digest("base64");

    expect(html).toContain(
      `content="default-src 'none'; img-src data:; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'"`,
    );
    expect(html).not.toMatch(/ style="|<script/u);
  });
});

it.each([
  [1, 0, "No problem was found in 1 image.", "1 görsel sorunsuz."],
  [2, 0, "No problem was found in 2 images.", "2 görselin hepsi sorunsuz."],
  [1, 1, "Of 1 image, 1 has a problem.", "1 görselden 1 tanesinde sorun var."],
  [9, 2, "Of 9 images, 2 have a problem.", "9 görselden 2 tanesinde sorun var."],
])("says of %i images that %i have a problem", (total, broken, en, tr) => {
  expect(describeBroken(total, broken)).toEqual({ tr, en });
});
