import { recordEnd } from "@catalog/connection";
import { EMPTY_SUMMARY } from "@catalog/report";
import { type RunRecord, toCounts } from "@catalog/runs";
import { describe, expect, it } from "vitest";

import { runsCommand } from "../../src/commands/runs/index.ts";
import { formatRunLine } from "../../src/commands/runs/run.ts";
import { createCommandHarness } from "../helpers/command-harness.ts";
import { createRun } from "../helpers/run-parts.ts";
import { storeRun } from "../helpers/store-run.ts";
import { storeUndo } from "../helpers/store-undo.ts";

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

const SYNC: RunRecord = createRun({
  command: "sync",
  kind: "sync",
  state: "finished",
  facts: {
    readBy: "listing",
    priceUnit: "minor",
    planned: {
      ...EMPTY_SUMMARY.planned,
      update: 2,
      unchanged: 1197,
      held: 1,
      requests: 2,
      seconds: 1,
    },
  },
});
const HELD = { state: "held", action: "update", rows: 1 } as const;

describe("a line of the history", () => {
  it.each<[string, Partial<RunRecord>, Parameters<typeof toCounts>[0], string]>([
    [
      "counts unchanged rows of a feed, though they are not stored",
      {},
      [{ state: "done", action: "update", rows: 2 }, HELD],
      "    eşitleme: 1.200 satır, 2 güncellendi, 1.197 değişmedi, 1\n    bekletildi\n",
    ],
    [
      "counts as the sync did, whatever became unchanged before it was sent",
      { facts: SYNC.facts && { ...SYNC.facts, notStored: { unchanged: 1197, skipped: 3 } } },
      [
        { state: "done", action: "update", rows: 1 },
        { state: "unchanged", action: null, rows: 1 },
        HELD,
      ],
      "    eşitleme: 1.203 satır, 1 güncellendi, 1.198 değişmedi, 3\n    atlandı, 1 bekletildi\n",
    ],
    [
      "counts every class of an import",
      { command: "import", kind: "import" },
      [
        { state: "done", action: "add", rows: 12 },
        { state: "invalid", action: null, rows: 24 },
        { state: "held", action: "add", rows: 3 },
      ],
      "    39 satır, 12 eklendi, 24 hatalı, 3 bekletildi\n",
    ],
    [
      "gives the reason for a refused feed",
      {
        facts: null,
        warnings: [
          { code: "E_FEED_EMPTY", message: { tr: "Besleme boş.", en: "The feed is empty." } },
        ],
      },
      [],
      "    eşitleme: Besleme boş.\n",
    ],
    [
      "does not call a row given up that a later sync may have sent",
      {},
      [{ state: "cancelled", action: "update", rows: 1 }],
      "    eşitleme: 1.198 satır, 1.197 değişmedi, 1 satır kapandı\n    (vazgeçildi ya da sonraki eşitleme üstlendi)\n",
    ],
  ])("%s", (_, run, states, expected) => {
    const line = formatRunLine(
      { ...SYNC, ...run },
      { counts: toCounts(states), lang: "tr", columns: 60 },
    );

    expect(line.slice(line.indexOf("\n") + 1)).toBe(expected);
  });
});

it("marks a partly undone run in the list, and not the run that undid it", async () => {
  const harness = createCommandHarness({ lang: "tr" });
  const { undo } = await storeUndo(harness);

  await runsCommand.run(harness.context, {});

  expect(
    harness.terminal.written.out.split(`; kısmen geri alındı: 1 / 2 satır (${undo})`),
  ).toHaveLength(2);
});

it("states of one run when, how far and by which run it was undone", async () => {
  const harness = createCommandHarness({ lang: "tr" });
  const { run, undo } = await storeUndo(harness);

  await runsCommand.run(harness.context, { run });

  expect(harness.terminal.written.err.replaceAll("\n", " ")).toContain(
    `kısmen geri alındı: gönderilen 2 satırın 1 tanesi (${undo})`,
  );
});

it.each([{}, { limit: 5 }, { run: "r-261121-0930-4f2a" }])(
  "names the undo in the document of %o",
  async (flags) => {
    const harness = createCommandHarness({ json: true });
    const { run, undo } = await storeUndo(harness);

    await runsCommand.run(harness.context, flags);

    const document = JSON.parse(harness.terminal.written.out);
    const runs: readonly { run: string; undone_by?: { run: string; sent: number } }[] =
      document.runs ?? [document];
    expect(runs.find((listed) => listed.run === run)?.undone_by).toMatchObject({
      run: undo,
      restored: 1,
      sent: 2,
    });
    expect(runs.find((listed) => listed.run === undo)?.undone_by).toBeUndefined();
  },
);
