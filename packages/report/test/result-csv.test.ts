import { readFileSync } from "node:fs";
import { join } from "node:path";

import { createTestConnection, storeRun } from "@catalog/connection/testing";
import { describe, expect, it } from "vitest";

import { writeResultFiles } from "../src/result-files.ts";

describe("result.csv", () => {
  it("writes the number cells of a price column with two decimals", async () => {
    const { connection, folder } = await createTestConnection();
    const prices = [129.9, "on iki", 5, null];
    const run = await storeRun(connection, {
      header: ["Ürün Kodu", "Fiyat", "Stok"],
      rows: prices.map((price, index) => ({ cells: [`K${index}`, price, 7] })),
      reportDir: join(folder, "sonuc"),
    });
    const columns = { "Ürün Kodu": "product_code", Fiyat: "price", Stok: "stock" };
    const read = { profile: null, columns, chosen: [], constants: {}, decimal: null };
    const planned = { add: 3, update: 0, unchanged: 0, invalid: 0, duplicate: 0, held: 0 };

    await writeResultFiles(connection, {
      ...run,
      facts: {
        readBy: "listing",
        priceUnit: "minor",
        planned: { ...planned, requests: 1, seconds: 1 },
        reading: { notes: [], openNames: [], columns: read },
      },
    });

    const text = readFileSync(join(folder, "sonuc", "result.csv"), "utf8").replaceAll('"', "");
    const [, ...lines] = text.trimEnd().split("\r\n");
    const input = lines.map((line) => line.split(";").slice(0, 3).join(" "));
    expect(input).toEqual(["K0 129,90 7", "K1 on iki 7", "K2 5,00 7", "K3  7"]);
  });
});
