import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import {
  createIssue,
  createTestConnection,
  type StoredRow,
  storeRun,
} from "@catalog/connection/testing";
import { describe, expect, it } from "vitest";

import { type ResultFilesOptions, writeResultFiles } from "../src/result-files.ts";

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
