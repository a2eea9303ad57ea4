import { recordEnd } from "@catalog/connection";
import { describe, expect, it } from "vitest";

import { runsCommand } from "../../../src/commands/runs/index.ts";
import { createCommandHarness } from "../../helpers/command-harness.ts";
import { storeRun } from "../../helpers/store-run.ts";

describe("catalog runs", () => {
  it.each([
    ["tr", "Bu mağaza için henüz çalıştırma yok.\n"],
    ["en", "This store has no runs yet.\n"],
  ] as const)("states in %s that there are no runs", async (lang, output) => {
    const { context, terminal } = createCommandHarness({ lang });

    expect(await runsCommand.run(context, {})).toBe(0);

    expect(terminal.written).toEqual({ out: output, err: "" });
  });

  it("lists a run with its state and its file", async () => {
    const harness = createCommandHarness();
    const id = await storeRun(harness);

    await runsCommand.run(harness.context, {});

    const [line = "", counts = ""] = harness.terminal.written.out.split("\n");
    expect(line).toContain(id);
    expect(line).toMatch(/planned +urunler\.xlsx$/u);
    expect(counts).toBe("    1 row, 1,200 to add, 6 invalid");
  });

  it("calls a run under way only while a process works on it", async () => {
    const harness = createCommandHarness();
    const id = await storeRun(harness);
    await using connection = await harness.open();
    await connection.runs.update(id, { state: "running" });
    const stateNow = async (): Promise<string | undefined> => {
      await runsCommand.run(harness.context, {});
      return /(under way|unfinished) +urunler\.xlsx\n.*\n$/u.exec(
        harness.terminal.written.out,
      )?.[1];
    };

    const during = await connection.locks.store("catalog import");
    await during.nameRun(id);
    const held = await stateNow();
    await during[Symbol.asyncDispose]();
    const free = await stateNow();

    expect([held, free]).toEqual(["under way", "unfinished"]);
  });

  it("shows one run wholly in the language of the command", async () => {
    const harness = createCommandHarness({ lang: "en" });
    const run = await storeRun(harness);

    await runsCommand.run(harness.context, { run });

    expect(harness.terminal.written.out).toContain("File        urunler.xlsx");
    expect(harness.terminal.written.out).toContain("“on iki” is not a number.");
    expect(harness.terminal.written.out).not.toMatch(/Dosya|Çalıştırma|eklenecek|hatalı/u);
  });

  it("prints the summary of one run as a document", async () => {
    const harness = createCommandHarness({ json: true });
    const run = await storeRun(harness);

    await runsCommand.run(harness.context, { run });

    expect(JSON.parse(harness.terminal.written.out)).toMatchObject({
      command: "runs",
      run,
      state: "planned",
      counts: { rows: 1, invalid: 1 },
      issues: [{ cell: "H3" }],
      // No command has come to its end.
      exit: null,
      ended_at: null,
    });
  });

  it("tells a program of each run how and when it ended, from what, and for which store", async () => {
    const harness = createCommandHarness({ json: true });
    const run = await storeRun(harness);
    await using connection = await harness.open();
    await recordEnd(connection, run, { exit: 3 });

    await runsCommand.run(harness.context, {});

    const at = new Date(connection.clock.now()).toISOString();
    const { baseUrl: base_url, storeId: store_id } = connection;
    expect(JSON.parse(harness.terminal.written.out).runs).toMatchObject([
      {
        run,
        exit: 3,
        began_at: at,
        ended_at: at,
        source: { kind: "file", name: "urunler.xlsx" },
        store: { base_url, store_id },
        issues: [],
        more_issues: 1,
      },
    ]);
  });

  it("says whether a run is old enough where nothing can be deleted", async () => {
    const harness = createCommandHarness();
    await storeRun(harness);
    const { context, terminal } = harness;
    const inAYear = { ...context.clock, now: () => context.clock.now() + 365 * 86_400_000 };
    const flags = { run: "prune", "dry-run": true };

    await runsCommand.run(context, flags);
    await runsCommand.run({ ...context, clock: inAYear }, flags);

    expect(terminal.written.err).toBe(
      "There is nothing to delete. No run is older than 90 days.\n" +
        "There is nothing to delete: the rows of runs older than 90 days are deleted\n" +
        "already or still have to be kept.\n",
    );
  });

  it("refuses an unknown run", async () => {
    const { context } = createCommandHarness();

    await expect(runsCommand.run(context, { run: "r-yok" })).rejects.toMatchObject({
      code: "E_RUN_UNKNOWN",
    });
  });
});
