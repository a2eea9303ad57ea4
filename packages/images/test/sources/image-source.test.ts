import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { ImageSourceError, openImageSource } from "../../src/sources/image-source.ts";
import { makeZip, type ZipPart } from "../helpers/make-zip.ts";
import { createFolder } from "../helpers/temporary-folder.ts";

async function lookInFolder(name: string): Promise<string> {
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
])("a folder of images answers the name %j with %s", async (name, expected) => {
  expect(await lookInFolder(name)).toBe(expected);
});

const text = (name: string, content = name): ZipPart => ({ name, bytes: Buffer.from(content) });

function writeZip(parts: readonly ZipPart[]): string {
  const path = join(createFolder(), "resimler.zip");
  writeFileSync(path, makeZip(parts));
  return path;
}

async function lookInZip(parts: readonly ZipPart[], name: string): Promise<string> {
  await using source = await openImageSource(writeZip(parts));
  const found = await source.read(name);
  return found.ok ? Buffer.from(found.value).toString() : found.problem.code;
}

describe("a zip of images", () => {
  it("finds images by path or by name, in any case", async () => {
    const parts = [text("Resimler/Kaşık.jpg", "spoon"), text("Resimler/")];

    expect(await lookInZip(parts, "Resimler/Kaşık.jpg")).toBe("spoon");
    expect(await lookInZip(parts, "kaşık.JPG")).toBe("spoon");
    expect(await lookInZip(parts, "çatal.jpg")).toBe("E_IMG_MISSING");
    expect(await lookInZip(parts, "../Kaşık.jpg")).toBe("E_PATH");
  });

  it.each(["../x.jpg", "a/../../x.jpg", "/etc/passwd", String.raw`..\x.jpg`, "C:/x.jpg"])(
    "refuses a zip with a part named %s",
    async (name) => {
      await expect(openImageSource(writeZip([text("a.jpg"), text(name)]))).rejects.toThrow(
        ImageSourceError,
      );
    },
  );

  it("refuses a file that is no zip", async () => {
    const path = join(createFolder(), "resimler.zip");
    writeFileSync(path, "no zip at all");

    await expect(openImageSource(path)).rejects.toMatchObject({
      code: "E_IMAGES_ZIP",
      file: "resimler.zip",
    });
  });

  it("refuses a zip with more files than the limit, and says how many it may have", async () => {
    const path = writeZip([text("a.jpg"), text("b.jpg")]);

    await expect(openImageSource(path, { imageZipEntries: 1 })).rejects.toMatchObject({
      code: "E_IMAGES_ZIP",
      maxEntries: 1,
    });
    await using source = await openImageSource(path, { imageZipEntries: 2 });
    expect((await source.read("b.jpg")).ok).toBe(true);
  });

  it("names the limit that an entry exceeds", async () => {
    const path = writeZip([{ name: "bomb.png", bytes: Buffer.alloc(500_000) }]);
    for (const [limits, setting] of [
      [{ imageMb: 0.1 }, "limits.imageMb"],
      [{ imageZipRatio: 2 }, "limits.imageZipRatio"],
    ] as const) {
      await using source = await openImageSource(path, limits);

      expect(await source.read("bomb.png")).toMatchObject({
        problem: { code: "E_IMG_SIZE", params: { setting } },
      });
    }
  });

  it("does not follow links", async () => {
    const parts = [{ ...text("link.jpg", "/etc/passwd"), isLink: true }];

    expect(await lookInZip(parts, "link.jpg")).toBe("E_IMG_MISSING");
  });

  it("does not unpack an entry beyond the compression limit", async () => {
    const bomb = { name: "bomb.png", bytes: Buffer.alloc(5_000_000) };

    expect(await lookInZip([bomb], "bomb.png")).toBe("E_IMG_SIZE");
  });

  it("refuses an entry that unpacks to more than its stated size", async () => {
    const liar = { name: "liar.png", bytes: Buffer.alloc(50_000, "ab"), saidBytes: 10 };

    expect(await lookInZip([liar], "liar.png")).toBe("E_IMG_CORRUPT");
  });
});
