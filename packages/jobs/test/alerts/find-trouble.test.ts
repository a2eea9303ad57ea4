import { createTestConnection, storeRun } from "@catalog/connection/testing";
import type { RunPeriod } from "@catalog/runs";
import { describe, expect, it } from "vitest";

import { toAlertText } from "../../src/alerts/alert-texts.ts";
import { findTroubles } from "../../src/alerts/find-trouble.ts";

const MINUTE_MS = 60_000;

async function openRun(period: (nowMs: number) => RunPeriod) {
  const { connection, clock } = await createTestConnection();
  const { id } = await storeRun(connection, { header: ["Ürün Kodu"], rows: [] });
  const version = { version: undefined };
  expect(await connection.memory.periods.save(id, period(clock.now()), version)).toBe(true);
  const find = async () =>
    (await findTroubles(connection)).find(({ subject }) => subject === `period ${id}`);
  return { find, clock };
}

const APPROVED = { timeZone: "Europe/Istanbul", approvedAtMs: 1 };

describe("the times of a run", () => {
  it("are told of once an end is ten minutes late, in both languages", async () => {
    const { find, clock } = await openRun((nowMs) => ({ ...APPROVED, endAtMs: nowMs }));

    const before = await find();
    await clock.advance(11 * MINUTE_MS);
    const late = await find();

    expect(before?.troubles).toEqual([]);
    const [trouble] = late?.troubles ?? [];
    if (trouble === undefined) throw new Error("nothing was found");
    const nowMs = clock.now();
    const [tr, en] = (["tr", "en"] as const).map((lang) => toAlertText(trouble, { lang, nowMs }));
    expect(trouble).toMatchObject({ cause: "period", needsPerson: true });
    expect(tr?.text).toContain("11 dk geçti, geri alınmadı. Yapılacak: catalog runs");
    expect(en?.text).toContain("it is 11 min late. To do: catalog runs");
  });
});
