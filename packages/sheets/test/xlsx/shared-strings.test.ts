import { openSync } from "node:fs";
import { join } from "node:path";

import { expect, it } from "vitest";

import { collectSharedStrings } from "../../src/xlsx/shared-strings.ts";
import { temporaryFolder } from "../helpers/files.ts";

const textAt = (index: number): string => `${index} ${"şığ".repeat(index % 900)}`;

it("keeps texts beyond its memory in the file, and finds each of them in any order", () => {
  const fd = openSync(join(temporaryFolder(), "strings"), "w+");
  const { scanner, strings } = collectSharedStrings({ fd, maxChars: 32_767, memoryBytes: 1 });
  const count = 3_000;

  scanner.write("<sst>");
  for (let index = 0; index < count; index += 1) scanner.write(`<si><t>${textAt(index)}</t></si>`);
  scanner.write("</sst>");
  scanner.end();

  for (let step = 0; step < count; step += 1) {
    const index = (step * 7_919) % count;
    expect(strings.get(index) === textAt(index)).toBe(true);
  }
});

it("cuts a text that is too long one letter beyond, so that it shows", () => {
  const { scanner, strings } = collectSharedStrings({ maxChars: 5 });

  scanner.write(`<sst><si><t>${"a".repeat(90)}</t></si></sst>`);
  scanner.end();

  expect(strings.get(0)).toBe("aaaaaa");
});
