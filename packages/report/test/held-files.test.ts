import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import {
  createIssue,
  createTestConnection,
  type StoredRow,
  storeRun,
} from "@catalog/connection/testing";
import type { RunRecord } from "@catalog/runs";
import { describe, expect, it } from "vitest";

import { listHeldRuns, removeSettledHeldFiles } from "../src/held-files.ts";
import { type ResultFilesOptions, writeResultFiles } from "../src/result-files.ts";
import { EMPTY_SUMMARY } from "../src/run-summary.ts";

const ROWS: readonly StoredRow[] = [
  { cells: ["KOD-2", "on iki"], state: "invalid", issues: [createIssue()] },
  { cells: ["KOD-3", 7], state: "held", issues: [createIssue({ code: "E_CHANGED", row: 3 })] },
];

/** Result files of a run, of which a person then edits those of failed and held rows. */
async function openEdited() {
  const { connection, folder } = await createTestConnection();
  const dir = join(folder, "sonuc");
  const run = await storeRun(connection, { header: ["Kod"], rows: ROWS, reportDir: dir });
  const told: string[] = [];
  const write = async (options: ResultFilesOptions = {}): Promise<void> => {
    await writeResultFiles(connection, run, { onKept: ({ en }) => told.push(en), ...options });
  };
  const edit = (name: string): void => writeFileSync(join(dir, name), `${name} of a person`);
  const names = (): readonly string[] =>
    readdirSync(dir).filter((name) => /^(?:failed|held)/u.test(name));
  const read = (name: string): string => readFileSync(join(dir, name), "utf8");
  await write();
  return { write, edit, names, read, told, dir };
}

describe("result files that a person has edited", () => {
  it("are kept under another name, each time, where they are written again", async () => {
    const { write, edit, names, read, told, dir } = await openEdited();
    edit("failed.xlsx");
    await write();
    edit("failed.xlsx");
    edit("held.xlsx");
    await write();

    expect(names()).toEqual([
      "failed-edited-2.xlsx",
      "failed-edited.xlsx",
      "failed.xlsx",
      "held-edited.xlsx",
      "held.xlsx",
    ]);
    expect(read("failed-edited.xlsx")).toBe("failed.xlsx of a person");
    expect(read("failed.xlsx")).not.toContain("of a person");
    expect(told[0]).toBe(
      `${join(dir, "failed.xlsx")} had your changes; it is kept as ${join(dir, "failed-edited.xlsx")}.`,
    );
  });

  it("are replaced without a copy where nobody has edited them", async () => {
    const { write, names, told } = await openEdited();
    await write();

    expect([names(), told]).toEqual([["failed.xlsx", "held.xlsx"], []]);
  });

  it("are replaced where the marks of held rows were read", async () => {
    const { write, edit, names } = await openEdited();
    edit("held.xlsx");
    await write({ replacesHeld: true });

    expect(names()).toEqual(["failed.xlsx", "held.xlsx"]);
  });
});

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

const FACTS: NonNullable<RunRecord["facts"]> = {
  readBy: "listing",
  priceUnit: "minor",
  planned: EMPTY_SUMMARY.planned,
};

it("lists what was sent in part, without plans that wait for nobody and older syncs of a feed", async () => {
  const { connection, clock } = await createTestConnection();
  const rows = [{ cells: ["A"], state: "held" as const, issues: [createIssue()] }];
  const store = async (
    id: string,
    state: RunRecord["state"],
    { command = "import", facts = FACTS }: Partial<Pick<RunRecord, "command" | "facts">> = {},
  ): Promise<void> => {
    await clock.advance(60_000);
    await storeRun(connection, { id, command, header: ["Kod"], rows });
    await connection.runs.update(id, { state, ...(facts !== null && { facts }) });
  };
  await store("r-261128-0900-0001", "finished");
  await store("r-261128-0901-0002", "planned");
  await store("r-261128-0902-0003", "finished", { command: "sync" });
  await store("r-261128-0903-0004", "finished", { command: "sync" });
  await store("r-261128-0904-0005", "stopped");

  const found = await listHeldRuns(connection);

  expect(found.map(({ run, held }) => [run.id.slice(-4), held])).toEqual([
    ["0005", 1],
    ["0004", 1],
    ["0001", 1],
  ]);
});
