import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { priceUnitOf } from "@catalog/connection";
import { createIssue, RUN_ID, type StoredRow, storeRun } from "@catalog/connection/testing";
import type { RowRecord } from "@catalog/runs";
import { describe, expect, it } from "vitest";

import { acceptUncompared } from "../../src/commands/release/decide.ts";
import { releaseCommand } from "../../src/commands/release/index.ts";
import { warnNotWaiting } from "../../src/commands/release/run.ts";
import { runsCommand } from "../../src/commands/runs/index.ts";
import { parseRowRanges } from "../../src/row-ranges.ts";
import {
  type CommandHarness,
  type CommandHarnessOptions,
  createCommandHarness,
} from "../helpers/command-harness.ts";
import { createFileIssue, createRun } from "../helpers/run-parts.ts";

/** A run that holds 12 of 13 rows. */
async function storeHeld(options: { json?: boolean; lang: "tr" | "en" }): Promise<CommandHarness> {
  const harness = createCommandHarness(options);
  await using connection = await harness.open();
  const rows = Array.from({ length: 13 }, (_, index): StoredRow => {
    const cells = [`KOD-${index}`];
    return index === 0
      ? { cells, outcome: { to: "done", cause: "answer" } }
      : { cells, state: "held", issues: [createIssue({ row: index + 2 })] };
  });
  const { id } = await storeRun(connection, { header: ["Ürün Kodu"], rows });
  await connection.runs.update(id, { state: "finished" });
  return harness;
}

it("lists nothing where no row waits, and refuses a decision beside the list", async () => {
  const { context, terminal } = createCommandHarness({ lang: "tr" });

  expect(await releaseCommand.run(context, { waiting: true })).toBe(0);
  expect(terminal.written.out).toBe("Mağazada karar bekleyen satır yok.\n");
  await expect(releaseCommand.run(context, { waiting: true, resend: true })).rejects.toThrow(
    "--waiting",
  );
  await expect(releaseCommand.run(context, {})).rejects.toThrow("release --waiting");
});

it("lists what waits in every run, with the command that decides on it", async () => {
  const { context, terminal } = await storeHeld({ lang: "en" });

  await releaseCommand.run(context, { waiting: true });

  const [head, first, ...rest] = terminal.written.out.split("\n");
  expect(head).toMatch(new RegExp(`^${RUN_ID} .* urunler.xlsx: 12 rows wait$`, "u"));
  expect(first).toBe("  3  KOD-1  “on iki” is not a number.");
  expect(rest.slice(9)).toEqual(["  … 2 more rows", `  catalog release ${RUN_ID}`, "", ""]);
});

it("lists it for a program, with every row", async () => {
  const { context, terminal } = await storeHeld({ lang: "en", json: true });

  await releaseCommand.run(context, { waiting: true });

  const document = JSON.parse(terminal.written.out);
  expect(document).toMatchObject({
    command: "release",
    run: null,
    exit: 0,
    rows: 12,
    waiting: [{ run: RUN_ID, source: { kind: "file", name: "urunler.xlsx" }, held: 12 }],
  });
  expect(document.waiting[0].rows).toHaveLength(12);
});

/** Gives up the named ones of rows 3 and 4, which wait. */
async function cancel(rows: string, options: CommandHarnessOptions = {}) {
  const { context, terminal, open } = createCommandHarness(options);
  const run = createRun();
  {
    await using connection = await open();
    await connection.runs.create(run);
    const parsed = [3, 4].map((row) => ({ row, cells: [], code: `K${row}`, codeKey: `k${row}` }));
    await connection.journal.appendRows(run.id, parsed);
    const issues = [createFileIssue({ code: "E_GUARD_PRICE_DROP" })];
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

/** The accepted rows of a held update, and the questions. */
async function accept(
  options: CommandHarnessOptions,
  { code, isKnown = false }: { readonly code: string; readonly isKnown?: boolean },
): Promise<{ readonly rows: readonly number[]; readonly questions: readonly string[] }> {
  const { context, terminal, open } = createCommandHarness(options);
  await using connection = await open();
  if (isKnown) await priceUnitOf(connection).save("minor", "person");
  const { facts, ...rest } = createRun();
  const run = { ...rest, facts: facts && { ...facts, priceUnit: "unknown" as const } };
  await connection.runs.create(run);
  await connection.journal.appendRows(run.id, [{ row: 3, cells: [], code: "K", codeKey: "k" }]);
  const held = { action: "update", productId: null, changes: [] } as const;
  const issues = [createFileIssue({ code })];
  await connection.journal.saveDecisions(run.id, [
    { row: 3, state: "held", issues, payload: null, ...held },
  ]);
  const records: readonly RowRecord[] = await connection.journal.readRows(run.id, { limit: 1 });
  const accepted = await acceptUncompared(context, connection, { run, records });
  return { rows: [...accepted], questions: terminal.questions };
}

const UNIT = "E_GUARD_PRICE_UNIT";

describe("a price that could not be compared", () => {
  it("is accepted by a person after a question that names the row and what is unknown", async () => {
    const { rows, questions } = await accept({ answer: true }, { code: UNIT });

    expect(rows).toEqual([3]);
    expect(questions.join().replaceAll(/\s+/gu, " ")).toMatch(/The unit .* was not known.*: 3\./u);
  });

  it.each([
    ["that person says no", { answer: false }],
    ["no question can be asked", {}],
  ] as const)("is not accepted when %s", async (_name, options) => {
    expect((await accept(options, { code: UNIT })).rows).toEqual([]);
  });

  it.each([
    ["another guard holds the row", { code: "E_GUARD_PRICE_DROP" }],
    ["the unit is known by now", { code: UNIT, isKnown: true }],
  ] as const)("needs no question when %s", async (_name, row) => {
    expect((await accept({ answer: true }, row)).questions).toEqual([]);
  });
});

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
