import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, it } from "vitest";

import { assertFeedExists } from "../../src/feed/feed-file.ts";

it("refuses a path without a feed, and looks at no address", () => {
  const path = join(mkdtempSync(join(tmpdir(), "feed-")), "stok.csv");

  expect(() => assertFeedExists(path)).toThrow(expect.objectContaining({ code: "E_FEED_MISSING" }));
  writeFileSync(path, "Ürün Kodu;Stok\n");
  assertFeedExists(path);
  assertFeedExists("https://erp.example.com/stok.csv");
});
