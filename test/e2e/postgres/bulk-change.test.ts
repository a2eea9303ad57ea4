/** A bulk change of a large draft, on both databases. */

import { createHash } from "node:crypto";

import { createTestConnection } from "@catalog/connection/testing";
import { createTestDatabase, hasPostgres } from "@catalog/database/testing";
import { openDrafts } from "@catalog/importer";
import { expect, it, onTestFinished } from "vitest";

const ROWS = 20_000;
const TIMEOUT_MS = 300_000;

type Live = Awaited<ReturnType<ReturnType<typeof openDrafts>["open"]>>;

/** Prices in minor units, by the place of their row. */
const minorOf = (at: number): number => 1_000 + at * 7;

const format = (minor: number): string => (minor / 100).toFixed(2).replace(".", ",");

async function openDraft(isServer: boolean): Promise<Live> {
  const server = isServer ? await createTestDatabase() : undefined;
  // Registered first, so that it ends after the connection has.
  onTestFinished(() => server?.[Symbol.asyncDispose]());
  const { connection, write } = await createTestConnection(
    server === undefined ? {} : { databaseUrl: server.url },
  );
  const rows = Array.from({ length: ROWS }, (_, at) => `KOD-${at};${format(minorOf(at))}\n`);
  const text = `Ürün Kodu;Satış Fiyatı\n${rows.join("")}`;
  const path = write("fiyatlar.csv", text);
  const sha256 = createHash("sha256").update(text).digest("hex");
  const drafts = openDrafts(connection);
  const file = { path, name: "fiyatlar.csv", sha256, bytes: Buffer.byteLength(text) };
  const live = await drafts.open((await drafts.create(file)).id);
  await live.check();
  return live;
}

async function readPrices(live: Live): Promise<readonly (string | undefined)[]> {
  const numbers = [...(await live.order())];
  const prices: (string | undefined)[] = [];
  for (let at = 0; at < numbers.length; at += 500) {
    const rows = await live.rows(numbers.slice(at, at + 500));
    for (const { cells } of rows) prices.push(cells[1]);
  }
  return prices;
}

const databases = [
  ["SQLite", false],
  ["PostgreSQL", true],
] as const;

for (const [name, isServer] of databases) {
  it.skipIf(isServer && !hasPostgres())(
    `changes ${ROWS} prices as one step on ${name}, and takes all of them back with one undo`,
    async () => {
      const live = await openDraft(isServer);
      const change = { kind: "price", of: "list", by: "percent", value: "8" } as const;
      const input = { change, scope: {} };

      const preview = await live.previewBulk(input, "tr");
      const result = await live.bulk({ version: 1 }, input, "tr");
      const changed = await readPrices(live);
      const undone = await live.undo({ version: result.version });
      const back = await readPrices(live);

      const before = Array.from({ length: ROWS }, (_, at) => format(minorOf(at)));
      const after = Array.from({ length: ROWS }, (_, at) =>
        format(Math.floor((minorOf(at) * 108 + 50) / 100)),
      );
      expect(preview).toMatchObject({ cells: ROWS, rows: ROWS, isTooMany: false, left: [] });
      expect(preview.samples.map((sample) => sample.after.tr)).toEqual(after.slice(0, 20));
      expect(result).toMatchObject({ canUndo: true, counts: { edited: ROWS, errors: 0 } });
      expect(changed).toEqual(after);
      expect(undone).toMatchObject({ canUndo: false, canRedo: true, counts: { edited: 0 } });
      expect(back).toEqual(before);
    },
    TIMEOUT_MS,
  );
}
