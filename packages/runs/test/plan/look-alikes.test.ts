import { describe, expect, it } from "vitest";

import { createAlikeRows, type LookAlikeOptions } from "../../src/plan/look-alikes.ts";
import type { RowDecision } from "../../src/row/row-record.ts";
import { candidate, RUN } from "../../src/testing/rows.ts";
import { createRowStub } from "../helpers/row-stub.ts";

const LOOK_ALIKES: LookAlikeOptions = {
  suspectKey: (code) => code.replace(/^0+/u, ""),
  registry: {
    readLookAlikes: async () => [],
    readPairs: async () => [],
    readNormalization: async () => undefined,
    saveNormalization: async () => undefined,
  },
};

/** Returns the states of adds with these codes and titles, and the texts of their issues. */
async function holdAdds(
  adds: readonly (readonly [string, string])[],
  lookAlikes: LookAlikeOptions = LOOK_ALIKES,
): Promise<readonly string[]> {
  const candidates = adds.map(([code], n) => candidate(n + 2, code));
  const decisions = candidates.map((row, n): RowDecision => {
    const completed = row.completeAdd();
    if (!completed.ok) throw new Error("an add is complete");
    const payload = { ...completed.body, title: adds[n]?.[1] ?? "" };
    const named = { row: row.row, code: row.code, productId: null };
    return { ...named, state: "ready", action: "add", payload, changes: [], issues: [] };
  });
  const journal = createRowStub(decisions);
  const hold = createAlikeRows({ runId: RUN, journal, lookAlikes });
  // Batches of one row.
  const held: RowDecision[] = [];
  for (const [n, decision] of decisions.entries()) {
    held.push(...(await hold(candidates.slice(n, n + 1), [decision])));
  }
  return held.map(({ state, issues }) => [state, ...issues.map((i) => i.message.tr)].join(": "));
}

describe("adds of one file whose codes look alike", () => {
  it("are held from the second on where their titles are equal", async () => {
    const [first, second, third] = await holdAdds([
      ["00102", "Servis  Çatalı"],
      ["102", "servis çatalı"],
      ["0102", "Servis Çatalı"],
    ]);

    expect(first).toBe("ready");
    expect(second).toContain(
      "bu dosyanın 2. satırında “00102” var (başlık da aynı); Excel baştaki sıfırları silmiş olabilir.",
    );
    expect(third).toContain("bu dosyanın 2. satırında “00102” var");
  });

  it("are a family where their titles differ", async () => {
    expect(
      await holdAdds([
        ["01", "Çatal"],
        ["1", "Bıçak"],
      ]),
    ).toEqual(["ready", "ready"]);
  });

  it.each([{ isAllowed: true }, { areApart: () => true }])("are sent with %j", async (more) => {
    const adds = [
      ["01", "Çatal"],
      ["1", "Çatal"],
    ] as const;

    expect(await holdAdds(adds, { ...LOOK_ALIKES, ...more })).toEqual(["ready", "ready"]);
  });
});
