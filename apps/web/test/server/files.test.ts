/** Files of a store that a server has kept for long enough. */

import { mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { createTestConnection, storeRun } from "@catalog/connection/testing";
import { expect, it } from "vitest";

import { removeFinishedFiles } from "../../src/server/files.ts";
import { createFolder } from "../helpers/temporary-folder.ts";

const DAY_MS = 24 * 60 * 60_000;

it("removes uploads and results of finished runs once they are old, and nothing else", async () => {
  const folder = createFolder();
  const [results, uploads] = [join(folder, "results"), join(folder, "uploads")];
  for (const path of [results, uploads]) mkdirSync(path);
  const { connection, clock } = await createTestConnection();
  const age = (path: string, days: number): void => {
    const seconds = (clock.now() - days * DAY_MS) / 1_000;
    utimesSync(path, seconds, seconds);
  };
  const cases = [
    ["r-260101-0000-aaaa", "finished", 31],
    ["r-260101-0000-bbbb", "finished", 29],
    ["r-260101-0000-cccc", "planned", 31],
  ] as const;
  for (const [id, state, days] of cases) {
    await storeRun(connection, { id, header: ["Ürün Kodu"], rows: [] });
    await connection.runs.update(id, { state });
    mkdirSync(join(results, id));
    writeFileSync(join(results, id, "result.csv"), "x");
    age(join(results, id), days);
    const path = join(uploads, `${id}.csv`);
    writeFileSync(path, "x");
    age(path, days);
    const draft = `d-${id.slice(2)}-0123456789`;
    const file = { name: "a.csv", path, sha256: "0a", bytes: 1, createdBy: null };
    await connection.memory.drafts.create({ id: draft, ...file });
    await connection.memory.drafts.update(draft, { run: { id, version: 1 } });
  }
  mkdirSync(join(results, "of-nobody"));
  age(join(results, "of-nobody"), 400);
  writeFileSync(join(uploads, "unsent.csv"), "x");
  age(join(uploads, "unsent.csv"), 400);

  const store = { connection: async () => connection, outage: () => undefined };
  await removeFinishedFiles({ folder, clock, store }, 30);

  expect(readdirSync(results).toSorted()).toEqual([
    "of-nobody",
    "r-260101-0000-bbbb",
    "r-260101-0000-cccc",
  ]);
  expect(readdirSync(uploads).toSorted()).toEqual([
    "r-260101-0000-bbbb.csv",
    "r-260101-0000-cccc.csv",
    "unsent.csv",
  ]);
});
