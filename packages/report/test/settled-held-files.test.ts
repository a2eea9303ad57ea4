import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { createTestConnection, type StoredRow, storeRun } from "@catalog/connection/testing";
import type { RunRecord } from "@catalog/runs";
import { expect, it } from "vitest";

import { removeSettledHeldFiles } from "../src/held-files.ts";

const HEADER = ["Ürün Kodu"];
const FILE = {
  path: "/veri/stok.csv",
  name: "stok.csv",
  sha256: "0".repeat(64),
  kind: "csv",
  sheet: "",
  headerRow: 1,
  header: HEADER,
} as const;

interface EarlierSync {
  readonly feed?: string;
  readonly state?: StoredRow["state"];
  readonly names?: readonly string[];
}

const isThere = ({ reportDir }: RunRecord): boolean => existsSync(reportDir);

/** Stores a sync with a folder of result files, and a newer one of the feed `a`. */
async function removeAfter({
  feed = "a",
  state = "unchanged",
  names = ["held.xlsx"],
}: EarlierSync) {
  const { connection } = await createTestConnection();
  const folder = mkdtempSync(join(tmpdir(), "held-"));
  const storeSync = async (id: string, own: string, rows: readonly StoredRow[]) =>
    await storeRun(connection, {
      id,
      reportDir: join(folder, id),
      file: { ...FILE, feed: own },
      header: HEADER,
      rows,
    });
  const earlier = await storeSync("r-1", feed, [{ cells: ["A"], state }]);
  const newer = await storeSync("r-2", "a", [{ cells: ["B"], state: "held" }]);
  for (const { reportDir } of [earlier, newer]) mkdirSync(reportDir);
  for (const name of names) writeFileSync(join(earlier.reportDir, name), "");
  writeFileSync(join(newer.reportDir, "held.xlsx"), "");

  await removeSettledHeldFiles(connection, newer);

  return { earlier: isThere(earlier), newer: isThere(newer) };
}

it("removes the file of held rows of an earlier sync whose rows were replaced", async () => {
  expect(await removeAfter({})).toEqual({ earlier: false, newer: true });
});

it.each<[what: string, earlier: EarlierSync]>([
  ["with rows that wait", { state: "held" }],
  ["of another feed", { feed: "b" }],
  ["with other files beside it", { names: ["held.xlsx", "result.xlsx"] }],
  ["with another file only", { names: ["notes.txt"] }],
])("keeps the folder of a sync %s", async (_what, earlier) => {
  expect(await removeAfter(earlier)).toEqual({ earlier: true, newer: true });
});
