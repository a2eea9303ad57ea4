import { savePriceUnitSetting } from "@catalog/connection";
import type { RowRecord } from "@catalog/runs";
import { describe, expect, it } from "vitest";

import { acceptUncompared } from "../../../src/commands/release/decide.ts";
import { createCommandHarness, type CommandHarnessOptions } from "../../helpers/command-harness.ts";
import { createIssue, createRun } from "../../helpers/run-parts.ts";

/** The accepted rows of a held update, and the questions. */
async function accept(
  options: CommandHarnessOptions,
  { code, isKnown = false }: { readonly code: string; readonly isKnown?: boolean },
): Promise<{ readonly rows: readonly number[]; readonly questions: readonly string[] }> {
  const { context, terminal, open } = createCommandHarness(options);
  await using connection = await open();
  if (isKnown) await savePriceUnitSetting(connection, "minor", "person");
  const { facts, ...rest } = createRun();
  const run = { ...rest, facts: facts && { ...facts, priceUnit: "unknown" as const } };
  await connection.runs.create(run);
  await connection.journal.appendRows(run.id, [{ row: 3, cells: [], code: "K", codeKey: "k" }]);
  const held = { action: "update", productId: null, changes: [] } as const;
  const issues = [createIssue({ code })];
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
