/** Sends updates with undici alone to a server that answers all alike. BASE_URL CALLS */

import { endpoints, idSchemas } from "@catalog/contract";
import { Pool } from "undici";

import { createBenchProducts } from "../bench-sheet.ts";
import { printCost } from "../case-report.ts";

const [baseUrl = "", calls = "0"] = process.argv.slice(2);
/** As many calls at a time as an import makes. */
const CONCURRENCY = 8;
const STORE = idSchemas.store.parse("5f1d0a2b3c4d5e6f7a8b9c0d");

const make = createBenchProducts();
const bodies = Array.from({ length: 500 }, (_, at) => {
  const { id, title, description } = make(at + 1).listed;
  return endpoints.product.update.input.parse({ product_id: id, title, description, price: 1_999 });
});

await printCost(async () => {
  const pool = new Pool(baseUrl, { connections: CONCURRENCY });
  const rows = Array.from({ length: Number(calls) }, (_, at) => at + 1).values();
  const work = async (): Promise<void> => {
    for (const row of rows) {
      const { body } = await pool.request({
        method: "POST",
        path: `/v1.1/product/update/store/${STORE}?access_token=token`,
        headers: { "content-type": "application/json" },
        body: JSON.stringify(bodies[row % bodies.length]),
      });
      await body.json();
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  await pool.close();
  return { calls: Number(calls) };
});
