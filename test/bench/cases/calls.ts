/**
 * Sends updates to a server that answers at once. SENDER BASE_URL CALLS; `bare` uses undici alone.
 */

import { createClient, type TokenCache } from "@catalog/client";
import { systemClock } from "@catalog/clock";
import { type ProductUpdate, endpoints, idSchemas } from "@catalog/contract";
import { Pool } from "undici";

import { createBenchProducts } from "../bench-sheet.ts";
import { printCost } from "../case-report.ts";

const [sender = "", baseUrl = "", calls = "0"] = process.argv.slice(2);
const CONCURRENCY = 8;
const STORE = idSchemas.store.parse("5f1d0a2b3c4d5e6f7a8b9c0d");
const make = createBenchProducts();

const BODIES: readonly ProductUpdate[] = Array.from({ length: 500 }, (_, at) => {
  const { id, title, description } = make(at + 1).listed;
  return endpoints.product.update.input.parse({ product_id: id, title, description, price: 1_999 });
});

function bodyOf(row: number): ProductUpdate {
  const body = BODIES[row % BODIES.length];
  if (body === undefined) throw new Error("there are no bodies");
  return body;
}

/** Sends as many calls concurrently as an import. */
async function sendAll(send: (row: number) => Promise<unknown>): Promise<void> {
  const rows = Array.from({ length: Number(calls) }, (_, at) => at + 1).values();
  const work = async (): Promise<void> => {
    for (const row of rows) await send(row);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
}

const tokens: TokenCache = {
  read: async () => ({ token: "token", expiresAtMs: systemClock.now() + 3_600_000 }),
  write: async () => undefined,
  forget: async () => undefined,
};

const SENDERS: Readonly<Record<string, () => Promise<void>>> = {
  async bare() {
    const pool = new Pool(baseUrl, { connections: CONCURRENCY });
    await sendAll(async (row) => {
      const { body } = await pool.request({
        method: "POST",
        path: `/v1.1/product/update/store/${STORE}?access_token=token`,
        headers: { "content-type": "application/json" },
        body: JSON.stringify(bodyOf(row)),
      });
      await body.json();
    });
    await pool.close();
  },
  async client() {
    const client = createClient({
      baseUrl,
      credentials: { clientKey: "key", clientSecret: "secret" },
      storeId: STORE,
      tokens,
      concurrency: CONCURRENCY,
    });
    await sendAll((row) => client.product.update(bodyOf(row)));
    await client.close();
  },
};

await printCost(async () => {
  await SENDERS[sender]?.();
  return { calls: Number(calls) };
});
