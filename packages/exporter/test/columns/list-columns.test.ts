import { expect, it } from "vitest";

import { withUnit } from "../../src/columns/amount-columns.ts";
import { chooseColumns, listExportColumns } from "../../src/columns/choose-columns.ts";
import { ORDER_COLUMNS } from "../../src/columns/record-columns.ts";
import { EXPORT_KINDS } from "../../src/kinds.ts";

it.each(EXPORT_KINDS)("lists the columns of %s by keys that are all different", (kind) => {
  const columns = listExportColumns(kind, "tr");

  expect(columns.length).toBeGreaterThan(5);
  expect(new Set(columns.map(({ key }) => key)).size).toBe(columns.length);
  expect(columns.filter(({ label }) => /\*|\(/u.test(label))).toEqual([]);
});

it("lists keys that an export takes", () => {
  const keys = listExportColumns("orders", "en").map(({ key }) => key);

  expect(chooseColumns(withUnit(ORDER_COLUMNS, "unknown"), keys).map(({ key }) => key)).toEqual(
    keys,
  );
});

it("tells which product columns need all that the listing has", () => {
  const columns = listExportColumns("products", "en");

  expect(columns[0]).toMatchObject({ key: "product_id", isFurther: false });
  expect(columns.at(-1)?.isFurther).toBe(true);
});
