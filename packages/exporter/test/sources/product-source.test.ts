import { readFileSync } from "node:fs";
import { join } from "node:path";

import { createTestConnection, startMarketplaceServer } from "@catalog/connection/testing";
import { expect, it } from "vitest";

import { runExport } from "../../src/run-export.ts";

it("reads the shipping templates beside the products, and only where their column is wanted", async () => {
  const { baseUrl, log } = await startMarketplaceServer();
  const { connection, folder } = await createTestConnection({ baseUrl });
  const path = join(folder, "products.csv");
  const exportColumns = (columns: readonly string[] | undefined): Promise<unknown> =>
    runExport(connection, {
      kind: "products",
      path,
      format: "csv",
      lang: "en",
      decimal: "point",
      filters: {},
      columns,
    });

  await exportColumns(["product_code"]);
  const without = [...log];
  await exportColumns(undefined);
  const all = log.slice(without.length);

  expect(without).not.toContain("/shipping-template");
  // The templates are asked for with the first pages of the statuses, which are read once more.
  expect(all.lastIndexOf("/product")).toBe(6);
  expect(all.indexOf("/shipping-template")).toBeLessThan(4);
  expect(readFileSync(path, "utf8")).toContain("KOD-1");
});
