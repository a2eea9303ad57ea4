import { describe, expect, it } from "vitest";

import { openTestStore } from "../../helpers/markets/test-store.ts";
import { EXPECTED_ISSUES, MISTAKES, mistakenRows } from "../../helpers/mistakes.ts";
import { writeWorkbook } from "../../helpers/product-sheet.ts";

interface Document {
  readonly issues: readonly { readonly cell: string; readonly code: string }[];
}

const found = ({ issues }: Document): string[] =>
  issues.map(({ cell, code }) => `${cell} ${code}`).toSorted();

describe("a file with 37 mistakes in 20 rows", () => {
  it("has 37 mistakes in 20 rows", () => {
    expect([MISTAKES.length, EXPECTED_ISSUES.length]).toEqual([20, 37]);
  });

  it("gets exactly 37 issues, each at its cell, and the other rows are sent", async () => {
    const shop = await openTestStore();
    const file = await writeWorkbook(shop.folder, "hatali.xlsx", mistakenRows());

    const document = await shop.json("import", file, "--yes");
    expect(found(document)).toEqual(EXPECTED_ISSUES);
    expect(document.exit).toBe(5);
    expect(document).toMatchObject({ exit: 5, counts: { rows: 40, added: 20, invalid: 20 } });
    const codes = shop.sandbox.products().map(({ product_code }) => product_code);
    expect(codes.toSorted()).toEqual(
      Array.from({ length: 20 }, (_, index) => `TST-${String(index + 101).padStart(5, "0")}`),
    );
  });

  it("sends nothing with --strict", async () => {
    const shop = await openTestStore();
    const file = await writeWorkbook(shop.folder, "hatali.xlsx", mistakenRows());

    const document = await shop.json("import", file, "--yes", "--strict");

    expect(document.exit).toBe(3);
    expect(document).toMatchObject({ exit: 3, counts: { added: 0, pending: 20 } });
    expect(document.err).toContain("--strict");
    expect(shop.sandbox.stats()).toMatchObject({ products: 0, adds: 0 });
  });

  it("sends nothing with fewer --max-errors than there are bad rows", async () => {
    const shop = await openTestStore();
    const file = await writeWorkbook(shop.folder, "hatali.xlsx", mistakenRows());

    const few = await shop.json("import", file, "--yes", "--max-errors", "19");
    const share = await shop.json("import", file, "--yes", "--max-errors", "10%");
    const enough = await shop.json("import", file, "--yes", "--max-errors", "50%");

    expect([few.exit, share.exit, enough.exit]).toEqual([3, 3, 5]);
    expect(shop.sandbox.stats().adds).toBe(20);
  });

  it("writes the bad rows into a file that can be corrected and imported again", async () => {
    const shop = await openTestStore();
    const file = await writeWorkbook(shop.folder, "hatali.xlsx", mistakenRows());
    const first = await shop.json("import", file, "--yes");
    const { failed } = first.files;

    const again = await shop.json("import", failed, "--yes");

    expect(again).toMatchObject({
      exit: 3,
      counts: { rows: 20, invalid: 20, added: 0, unchanged: 0 },
    });
    expect(found(again).length).toBe(37);
  });
});
