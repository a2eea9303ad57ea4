import { open } from "node:fs/promises";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { createZipWriter } from "../../src/xlsx/zip-writer.ts";
import { temporaryFolder } from "../helpers/files.ts";
import { partOf } from "../helpers/workbooks.ts";

async function* slowly(texts: readonly string[]): AsyncGenerator<string> {
  for (const text of texts) yield text;
}

describe("createZipWriter", () => {
  it("writes a zip of which each part is found again", async () => {
    const path = join(temporaryFolder(), "a.zip");
    await using handle = await open(path, "wx+");
    const zip = createZipWriter(handle);

    await zip.add("klasör/bir.txt", ["ş".repeat(100_000)]);
    await zip.add("iki.txt", slowly(["a", "", "b"]));
    await zip.finish();

    expect(partOf(path, "klasör/bir.txt")).toBe("ş".repeat(100_000));
    expect(partOf(path, "iki.txt")).toBe("ab");
  });
});
