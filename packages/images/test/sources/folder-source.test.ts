import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { openImageSource } from "../../src/sources/image-source.ts";
import { createFolder } from "../helpers/temporary-folder.ts";

async function look(name: string): Promise<string> {
  const outside = createFolder();
  writeFileSync(join(outside, "secret.jpg"), "secret");
  const root = join(createFolder(), "resimler");
  mkdirSync(join(root, "mutfak"), { recursive: true });
  mkdirSync(join(root, "bahçe"));
  writeFileSync(join(root, "kaşık.jpg"), "spoon");
  writeFileSync(join(root, "ILIK.JPG"), "warm");
  writeFileSync(join(root, "mutfak", "çatal.png"), "fork");
  writeFileSync(join(root, "mutfak", "tabak.png"), "plate");
  writeFileSync(join(root, "bahçe", "tabak.png"), "garden plate");
  symlinkSync(join(outside, "secret.jpg"), join(root, "link.jpg"));
  symlinkSync(outside, join(root, "linked"));
  symlinkSync(join(root, "kaşık.jpg"), join(root, "same.jpg"));
  symlinkSync(join(root, "nowhere"), join(root, "broken.jpg"));
  await using source = await openImageSource(root);
  const found = await source.read(name);
  return found.ok ? Buffer.from(found.value).toString() : found.problem.code;
}

describe("a folder of images", () => {
  it.each([
    ["kaşık.jpg", "spoon"],
    ["KAŞIK.JPG", "spoon"],
    ["kaşık.jpg".normalize("NFD"), "spoon"],
    ["ilik.jpg", "warm"],
    ["ılık.jpg", "warm"],
    ["mutfak/çatal.png", "fork"],
    [String.raw`mutfak\çatal.png`, "fork"],
    ["./mutfak/çatal.png", "fork"],
    ["çatal.png", "fork"],
    ["mutfak/tabak.png", "plate"],
    ["same.jpg", "spoon"],
    ["tabak.png", "E_IMG_AMBIGUOUS"],
    ["bıçak.png", "E_IMG_MISSING"],
    ["broken.jpg", "E_IMG_MISSING"],
    ["mutfak", "E_IMG_MISSING"],
    ["link.jpg", "E_PATH"],
    ["linked", "E_PATH"],
    ["linked/secret.jpg", "E_IMG_MISSING"],
    ["file:///etc/passwd", "E_PATH"],
    ["/etc/passwd", "E_PATH"],
    [String.raw`C:\resimler\kaşık.jpg`, "E_PATH"],
    ["C:kaşık.jpg", "E_PATH"],
    [String.raw`..\..\x.jpg`, "E_PATH"],
    ["../secret.jpg", "E_PATH"],
    ["mutfak/../../x.jpg", "E_PATH"],
    [String.raw`\\server\share\x.jpg`, "E_PATH"],
    ["kaşık.jpg\0.png", "E_PATH"],
    ["", "E_PATH"],
    ["%2e%2e/x.jpg", "E_IMG_MISSING"],
    ["CON", "E_IMG_MISSING"],
    [`${"a".repeat(300)}.jpg`, "E_IMG_MISSING"],
  ])("answers the name %j with %s", async (name, expected) => {
    expect(await look(name)).toBe(expected);
  });
});
