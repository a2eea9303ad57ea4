import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { openTestStore } from "../../helpers/markets/test-store.ts";
import { BAD_FILES } from "./corpus.ts";
import { childProcesses, outcomeOf, readBytes } from "./read-file.ts";

describe("a bad file", () => {
  for (const { what, name, make, code } of BAD_FILES) {
    it(`is refused with ${code}: ${what}`, async () => {
      const content = make();

      const outcome = await outcomeOf(readBytes(name, content));

      expect(outcome).toBe(code);
      expect(childProcesses()).toBe(0);
    });
  }

  it("is refused before a call to the marketplace", async () => {
    const shop = await openTestStore();
    const samples = BAD_FILES.filter((_, index) => index % 7 === 0);

    for (const { name, make, code, what } of samples) {
      const file = join(shop.folder, name);
      writeFileSync(file, make());
      const { code: exit, out } = await shop.run("import", file, "--yes", "--json");

      expect([what, exit, JSON.parse(out).error?.code ?? JSON.parse(out).code]).toEqual([
        what,
        3,
        code,
      ]);
    }
    expect(shop.sandbox.stats().requests).toBe(0);
  });
});

describe("a file that looks bad and is valid", () => {
  it("is read when a part is named outside of the workbook", async () => {
    const { workbookParts, SMALL_ROWS } = await import("./make-workbook.ts");
    const { makeZip } = await import("./make-zip.ts");
    const parts = workbookParts({ sheets: [{ name: "A", rows: SMALL_ROWS }] });
    const zip = makeZip([...parts, { name: "../../../../tmp/x", content: "x" }]);

    expect((await readBytes("a.xlsx", zip)).rows).toHaveLength(1);
  });
});
