import { open } from "node:fs/promises";
import { join } from "node:path";

import { expect, it } from "vitest";

import { createZipWriter } from "../../../src/xlsx/zip/zip-writer.ts";
import { temporaryFolder } from "../../helpers/files.ts";
import { partOf } from "../../helpers/workbooks.ts";

async function* slowly(texts: readonly string[]): AsyncGenerator<string> {
  for (const text of texts) yield text;
}

async function* brokenTexts(): AsyncGenerator<string> {
  yield "1";
  throw new Error("store is gone");
}

it("writes a zip whose parts can all be read", async () => {
  const path = join(temporaryFolder(), "a.zip");
  await using handle = await open(path, "wx+");
  const zip = createZipWriter(handle);

  await zip.add("klasör/bir.txt", ["ş".repeat(100_000)]);
  await zip.add("iki.txt", slowly(["a", "", "b"]));
  await zip.finish();

  expect(partOf(path, "klasör/bir.txt")).toBe("ş".repeat(100_000));
  expect(partOf(path, "iki.txt")).toBe("ab");
});

it.each([0, 1, 2, 3])(
  "splits no character where its buffer ends, %i bytes further on",
  async (shift) => {
    const path = join(temporaryFolder(), "a.zip");
    await using handle = await open(path, "wx+");
    const zip = createZipWriter(handle);
    const text = `${"x".repeat(shift)}${"😍ş".repeat(40_000)}`;

    await zip.add("a.txt", ["", text, text]);
    await zip.finish();

    expect(partOf(path, "a.txt")).toBe(text + text);
  },
);

it("fails when the texts or the file fail", async () => {
  const handle = await open(join(temporaryFolder(), "a.zip"), "wx+");
  const zip = createZipWriter(handle);
  async function* closing(): AsyncGenerator<string> {
    yield "1";
    await handle.close();
    for (let index = 0; index < 500; index += 1) yield `${index * 7_919}`.repeat(1_000);
  }

  await expect(zip.add("a.txt", brokenTexts())).rejects.toThrow("store is gone");
  await expect(zip.add("b.txt", closing())).rejects.toThrow();
});
