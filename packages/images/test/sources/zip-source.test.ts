import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { ImageSourceError, openImageSource } from "../../src/sources/image-source.ts";
import { makeZip, type ZipPart } from "../helpers/make-zip.ts";
import { createFolder } from "../helpers/temporary-folder.ts";

const text = (name: string, content = name): ZipPart => ({ name, bytes: Buffer.from(content) });

function writeZip(parts: readonly ZipPart[]): string {
  const path = join(createFolder(), "resimler.zip");
  writeFileSync(path, makeZip(parts));
  return path;
}

async function look(parts: readonly ZipPart[], name: string): Promise<string> {
  await using source = await openImageSource(writeZip(parts));
  const found = await source.read(name);
  return found.ok ? Buffer.from(found.value).toString() : found.problem.code;
}

describe("a zip of images", () => {
  it("finds images by path or by name, in any case", async () => {
    const parts = [text("Resimler/Kaşık.jpg", "spoon"), text("Resimler/")];

    expect(await look(parts, "Resimler/Kaşık.jpg")).toBe("spoon");
    expect(await look(parts, "kaşık.JPG")).toBe("spoon");
    expect(await look(parts, "çatal.jpg")).toBe("E_IMG_MISSING");
    expect(await look(parts, "../Kaşık.jpg")).toBe("E_PATH");
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

    expect(await look(parts, "link.jpg")).toBe("E_IMG_MISSING");
  });

  it("does not unpack an entry beyond the compression limit", async () => {
    const bomb = { name: "bomb.png", bytes: Buffer.alloc(5_000_000) };

    expect(await look([bomb], "bomb.png")).toBe("E_IMG_SIZE");
  });

  it("refuses an entry that unpacks to more than its stated size", async () => {
    const liar = { name: "liar.png", bytes: Buffer.alloc(50_000, "ab"), saidBytes: 10 };

    expect(await look([liar], "liar.png")).toBe("E_IMG_CORRUPT");
  });
});
