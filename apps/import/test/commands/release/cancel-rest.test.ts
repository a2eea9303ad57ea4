import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { RUN_ID, type StoredRow, storeRun } from "@catalog/connection/testing";
import { expect, it } from "vitest";

import { releaseCommand } from "../../../src/commands/release/index.ts";
import { runsCommand } from "../../../src/commands/runs/index.ts";
import {
  type CommandHarness,
  type CommandHarnessOptions,
  createCommandHarness,
} from "../../helpers/command-harness.ts";

/** A stopped run: one update is done, two were not sent. */
async function storeStopped(options: CommandHarnessOptions): Promise<CommandHarness> {
  const harness = createCommandHarness(options);
  await using connection = await harness.open();
  const rows: readonly StoredRow[] = [
    { cells: ["KOD-1"], outcome: { to: "done", cause: "answer" } },
    { cells: ["KOD-2"] },
    { cells: ["KOD-3"] },
  ];
  const reportDir = join(harness.folder, "sonuc");
  await storeRun(connection, { header: ["Ürün Kodu"], rows, reportDir });
  await connection.runs.update(RUN_ID, { state: "stopped" });
  return harness;
}

const REST = { run: RUN_ID, "cancel-rest": true };

it("asks before it gives up the rest of a run, and ends the run", async () => {
  const harness = await storeStopped({ lang: "tr", answer: true });
  const { context, terminal, folder } = harness;
  await runsCommand.run(context, { run: RUN_ID });
  const told = terminal.written.err.replaceAll(/\s+/gu, " ");

  const exit = await releaseCommand.run(context, REST);

  const again = await releaseCommand.run(context, REST);
  await using connection = await harness.open();
  expect(told).toContain(`vazgeçmek için: catalog release ${RUN_ID} --cancel-rest`);
  expect(terminal.questions).toEqual([
    expect.stringContaining("Henüz gönderilmemiş 2 satırdan vazgeçilecek ve çalıştırma bitecek"),
  ]);
  expect([exit, again, (await connection.runs.read(RUN_ID))?.state]).toEqual([0, 0, "finished"]);
  expect(terminal.written.out).toContain("2 satırdan vazgeçildi");
  expect(terminal.written.err.replaceAll(/\s+/gu, " ")).toContain("vazgeçilecek bir şey kalmamış");
  expect(existsSync(join(folder, "sonuc", "result.xlsx"))).toBe(true);
  expect(JSON.parse(readFileSync(join(folder, "sonuc", "summary.json"), "utf8"))).toMatchObject({
    state: "finished",
    counts: { updated: 1, cancelled: 2, pending: 0 },
  });
});

it("gives up nothing where the person declines or cannot be asked", async () => {
  const declined = await storeStopped({ answer: false });
  const mute = await storeStopped({});

  const exit = await releaseCommand.run(declined.context, REST);
  const asked = releaseCommand.run(mute.context, REST);

  await expect(asked).rejects.toThrow("Add --yes to go on without asking");
  expect([exit, declined.terminal.written.err]).toEqual([0, "No row was changed.\n"]);
  await using connection = await declined.open();
  expect(await connection.runs.read(RUN_ID)).toMatchObject({ state: "stopped" });
});

it("prints a document, and refuses to decide on single rows as well", async () => {
  const { context, terminal } = await storeStopped({ json: true });

  const both = releaseCommand.run(context, { ...REST, rows: "2", cancel: true });
  await expect(both).rejects.toThrow("--cancel-rest stands alone");
  const exit = await releaseCommand.run(context, { ...REST, yes: true });

  expect(exit).toBe(0);
  expect(JSON.parse(terminal.written.out)).toMatchObject({
    command: "release",
    run: RUN_ID,
    state: "finished",
    given_up: 2,
  });
});
