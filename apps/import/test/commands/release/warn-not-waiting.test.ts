import { describe, expect, it } from "vitest";

import { releaseCommand } from "../../../src/commands/release/index.ts";
import { parseRowRanges, warnNotWaiting } from "../../../src/commands/release/run.ts";
import { type CommandHarnessOptions, createCommandHarness } from "../../helpers/command-harness.ts";
import { createIssue, createRun } from "../../helpers/run-parts.ts";

/** Gives up the named ones of rows 3 and 4, which wait. */
async function cancel(rows: string, options: CommandHarnessOptions = {}) {
  const { context, terminal, open } = createCommandHarness(options);
  const run = createRun();
  {
    await using connection = await open();
    await connection.runs.create(run);
    const parsed = [3, 4].map((row) => ({ row, cells: [], code: `K${row}`, codeKey: `k${row}` }));
    await connection.journal.appendRows(run.id, parsed);
    const issues = [createIssue({ code: "E_GUARD_PRICE_DROP" })];
    const held = parsed.map(({ row }) => ({
      row,
      state: "held" as const,
      issues,
      action: "update" as const,
      productId: null,
      changes: [],
      payload: null,
    }));
    await connection.journal.saveDecisions(run.id, held);
  }

  const exit = await releaseCommand.run(context, { run: run.id, rows, cancel: true, yes: true });

  await using connection = await open();
  const left = await connection.journal.readRows(run.id, { states: ["held"], limit: 9 });
  return { exit, err: terminal.written.err, left: left.map(({ row }) => row) };
}

describe("rows of --rows that do not wait", () => {
  it("are told, and the others are decided", async () => {
    const { exit, err, left } = await cancel("3,99,20-30,2-3");

    expect(err).toContain("! Rows that do not wait for a decision are passed over: 99, 20-30\n");
    expect({ exit, left }).toEqual({ exit: 0, left: [4] });
  });

  it("are told in Turkish", async () => {
    const { err } = await cancel("3,99", { lang: "tr" });

    expect(err).toContain("! Karar beklemeyen satırlar atlanıyor: 99\n");
  });

  it("are not mentioned where each part of the list has one that waits", async () => {
    const { err } = await cancel("3-9");

    expect(err).not.toContain("!");
  });

  it("are not claimed to be there behind the last held row that was read", () => {
    const { context, terminal } = createCommandHarness();

    const ranges = parseRowRanges("5,7-99");
    warnNotWaiting(context, { ranges, held: [{ row: 4 }, { row: 6 }], isCut: true });

    expect(terminal.written.err).toContain("passed over: 5\n");
  });
});
