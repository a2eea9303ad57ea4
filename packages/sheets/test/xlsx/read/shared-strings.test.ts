import { openSync } from "node:fs";
import { join } from "node:path";

import { expect, it } from "vitest";

import { collectSharedStrings } from "../../../src/xlsx/read/cell-value.ts";
import type { StoredRange } from "../../../src/xlsx/read/row-frame.ts";
import { temporaryFolder } from "../../helpers/files.ts";
import { sharedStrings, writeInPieces } from "../../helpers/xml.ts";

const textAt = (index: number): string => `${index} ${"şığ".repeat(index % 900)}`;

it("keeps texts beyond its memory in the file, and finds each of them in any order", () => {
  const fd = openSync(join(temporaryFolder(), "strings"), "w+");
  const { xml, strings } = collectSharedStrings({ fd, maxChars: 32_767, memoryBytes: 1 });
  const count = 3_000;
  const texts = Array.from({ length: count }, (_, index) => `<si><t>${textAt(index)}</t></si>`);

  writeInPieces(xml, `<sst>${texts.join("")}</sst>`, 10_000);

  const range: StoredRange = { bytes: Buffer.alloc(0), start: 0, end: 0 };
  let found = 0;
  for (let step = 0; step < count; step += 1) {
    const index = (step * 7_919) % count;
    expect(strings.get(index) === textAt(index)).toBe(true);
    if (!strings.find(index, range)) continue;
    found += 1;
    expect(
      Buffer.from(range.bytes).toString("utf8", range.start, range.end) === textAt(index),
    ).toBe(true);
  }
  // The other texts cross the border of two pages.
  expect(found).toBeGreaterThan(count - 30);
});

it("cuts a text that is too long one character beyond the limit", () => {
  const { xml, strings } = collectSharedStrings({ maxChars: 5 });

  writeInPieces(xml, `<sst><si><t>${"a".repeat(90)}</t></si></sst>`, 1_000);

  expect(strings.get(0)).toBe("aaaaaa");
});

it("does not return a text as bytes that contain a cell separator", () => {
  const strings = sharedStrings(["a&#31;b", "_x001F_", "ab"]);

  const range: StoredRange = { bytes: Buffer.alloc(0), start: 0, end: 0 };
  expect([0, 1, 2, 3].map((index) => strings.find(index, range))).toEqual([
    false,
    false,
    true,
    false,
  ]);
  expect(strings.get(0)).toBe("a\u001fb");
});
