import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, it, onTestFinished } from "vitest";

import { assertFeedExists } from "../../src/feed/feed-file.ts";
import { openJsonFeed } from "../../src/feed/open-feed.ts";
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

it("refuses a JSON feed in another encoding, in which codes would become others", async () => {
  const path = write(Buffer.from('[{"product_code":"KOD-\xde","stock":1}]', "latin1"));

  await expect(openJsonFeed(path)).rejects.toMatchObject({
    code: "E_FEED_JSON",
    localized: { tr: expect.stringContaining("UTF-8 değil") },
  });
});

it.each([
  ["E_TOO_LARGE", { jsonMb: 0.000_01 }],
  ["E_TOO_MANY_ROWS", { rows: 1 }],
] as const)("refuses a JSON feed over its limit with %s", async (code, limits) => {
  const path = write(Buffer.from('[{"product_code":"A"},{"product_code":"B"}]'));

  const [setting] = Object.keys(limits);
  await expect(openJsonFeed(path, limits)).rejects.toMatchObject({ code, details: { setting } });
});

it("reads a JSON feed with a byte order mark", async () => {
  const { header } = await openJsonFeed(write(Buffer.from('\ufeff[{"Ürün Kodu":"KOD-Ş"}]')));

  expect(header.cells).toEqual(["Ürün Kodu"]);
});

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
