import { createHash } from "node:crypto";

import type { Lang } from "@catalog/i18n";
import { describe, expect, it } from "vitest";

import { describeBroken, formatContactSheet, type SheetImage } from "../src/contact-sheet.ts";
import type { ImageFacts } from "../src/image-rules.ts";
import { describeProblem, problem } from "../src/problem.ts";

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

const image = (change: Partial<SheetImage> = {}): SheetImage => ({
  row: 7,
  code: "KOD-7",
  title: "",
  cell: "M7",
  column: "Görsel 1",
  value: "https://ornek.example/1.jpg",
  facts: undefined,
  problems: [],
  ...change,
});

const page = (images: readonly SheetImage[], lang: Lang = "tr"): string =>
  formatContactSheet({ lang, title: EVIL, images, total: 9, broken: 1 });

describe("formatContactSheet", () => {
  it("shows the row, the problem and what to do, problems first", () => {
    const wrong = { isBlocking: true, ...describeProblem(problem("E_IMG_TYPE")) };

    const html = page([image({ cell: "M2" }), image({ row: 9, cell: "M9", problems: [wrong] })]);

    expect(html).toContain("Satır 9 · M9 · Görsel 1");
    expect(html).toContain("Bu dosya JPEG, PNG ya da WebP değil.");
    expect(html.indexOf("M9")).toBeLessThan(html.indexOf("M2"));
    expect(html).toContain("7 görsel daha var");
    expect(page([image()], "en")).toContain("Row 7 · M7");
  });

  it("names the product of each image, and sizes in the words of the language", () => {
    const facts = { ...FACTS, sizeBytes: 5.5 * 1024 * 1024 };
    const cup = image({ code: "KOD-9", title: "Çay bardağı", facts });

    expect(page([cup])).toContain("<strong>KOD-9 · Çay bardağı</strong>");
    expect(page([cup])).toContain("800 × 600 · 5,5 MB");
    expect(page([cup], "en")).toContain("800 × 600 · 5.5 MB");
    expect(page([image({ code: "" })])).not.toContain("<strong>");
  });

  it("escapes every text", () => {
    const wrong = {
      isBlocking: false,
      message: { tr: EVIL, en: EVIL },
      suggestion: { tr: EVIL, en: EVIL },
    };

    const html = page([
      image({ value: EVIL, code: EVIL, title: EVIL, column: EVIL, cell: EVIL, problems: [wrong] }),
    ]);

    expect(html).not.toMatch(/<script|<img src=x|onerror='/u);
  });

  it.each(["javascript:alert(1)", "http://a.example/1.jpg", "kaşık.jpg", "https://"])(
    "makes no link from %s",
    (value) => {
      expect(page([image({ value })])).not.toContain("<a ");
    },
  );

  it("allows itself only its own style and its own thumbnails", () => {
    const html = page([image()]);
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
