import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, it, onTestFinished } from "vitest";

import { assertFeedExists } from "../../src/feed/feed-file.ts";
import { parseRuleFile, readTextFile } from "../../src/names/value-rules.ts";

it("refuses a path without a feed, and looks at no address", () => {
  const path = join(mkdtempSync(join(tmpdir(), "feed-")), "stok.csv");

  expect(() => assertFeedExists(path)).toThrow(expect.objectContaining({ code: "E_FEED_MISSING" }));
  writeFileSync(path, "Ürün Kodu;Stok\n");
  assertFeedExists(path);
  assertFeedExists("https://erp.example.com/stok.csv");
});

function write(content: Buffer): string {
  const folder = mkdtempSync(join(tmpdir(), "catalog-json-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "a.json");
  writeFileSync(path, content);
  return path;
}

it("refuses a file of rules in another encoding, in which names would become others", async () => {
  const path = write(Buffer.from('{"kind":"catalog-rules","rules":[],"x":"\xde"}', "latin1"));

  await expect(readTextFile(path)).rejects.toMatchObject({
    code: "E_USAGE",
    localized: { en: expect.stringContaining("is not UTF-8") },
  });
  expect(
    parseRuleFile(
      await readTextFile(write(Buffer.from('\ufeff{"kind":"catalog-rules","rules":[]}'))),
      "a",
    ),
  ).toEqual([]);
});
