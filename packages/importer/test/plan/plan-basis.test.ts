import { createHash } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { createTestConnection, storeRun, type TestConnection } from "@catalog/connection/testing";
import type { RunRecord } from "@catalog/runs";
import { describe, expect, it } from "vitest";

import { openRemembered } from "../../src/columns/remembered.ts";
import { assertPlanCurrent, isPlannedAsSet, readPlanBasis } from "../../src/plan/plan-basis.ts";
import { readPricesStamp } from "../../src/pricing/price-rules.ts";

const MINUTE_MS = 60_000;
const TEXT = "Ürün Kodu;Fiyat\nKOD-1;10,00\n";

interface Planned extends TestConnection {
  readonly run: RunRecord;
  readonly path: string;
}

async function plan(state: RunRecord["state"] = "planned"): Promise<Planned> {
  const test = await createTestConnection();
  const path = test.write("a.csv", TEXT);
  const { file, ...run } = await storeRun(test.connection, { header: ["Ürün Kodu"], rows: [] });
  const sha256 = createHash("sha256").update(TEXT).digest("hex");
  const updatedAtMs = test.clock.now();
  return { ...test, path, run: { ...run, state, updatedAtMs, file: { ...file, path, sha256 } } };
}

/** `fine`, or the code of the error. */
async function judge({ connection, run }: Planned): Promise<unknown> {
  try {
    await assertPlanCurrent(connection, run);
    return "fine";
  } catch (error) {
    return error instanceof Error && "code" in error ? error.code : error;
  }
}

describe("assertPlanCurrent", () => {
  it("accepts a fresh plan of an unchanged file", async () => {
    const planned = await plan();
    await planned.clock.advance(15 * MINUTE_MS);

    expect(await judge(planned)).toBe("fine");
  });

  it("refuses a plan that is older than 15 minutes", async () => {
    const planned = await plan();
    await planned.clock.advance(15 * MINUTE_MS + 1);

    expect(await judge(planned)).toBe("E_PLAN_OLD");
  });

  it("refuses a plan from the future, as the clock was put back", async () => {
    const planned = await plan();
    const run = { ...planned.run, updatedAtMs: planned.clock.now() + 1 };

    expect(await judge({ ...planned, run })).toBe("E_PLAN_OLD");
  });

  it("refuses a file that has changed, even to the same length", async () => {
    const planned = await plan();
    writeFileSync(planned.path, TEXT.replace("10,00", "90,00"));

    expect(await judge(planned)).toBe("E_PLAN_FILE");
  });

  it("refuses a file that is missing", async () => {
    const planned = await plan();
    rmSync(planned.path);

    expect(await judge(planned)).toBe("E_PLAN_FILE");
  });

  it.each([
    ["planning", "E_RUN_UNPLANNED"],
    ["running", "E_RUN_BEGUN"],
    ["stopped", "E_RUN_BEGUN"],
    ["finished", "E_RUN_BEGUN"],
  ] as const)("refuses a run that is %s", async (state, code) => {
    expect(await judge(await plan(state))).toBe(code);
  });

  it.each([
    ["stopped", /catalog resume r-/u],
    ["finished", /zaten bitmiş.*catalog runs r-/u],
  ] as const)("names the command for a run that is %s", async (state, advice) => {
    const { connection, run } = await plan(state);

    await expect(assertPlanCurrent(connection, run)).rejects.toMatchObject({
      localized: { tr: expect.stringMatching(advice) },
    });
  });
});

describe("a plan of a store", () => {
  it("is out of date once another store of the marketplace shares a rule, or changes it", async () => {
    const own = await createTestConnection();
    const home = join(own.folder, "home");
    const { connection: other } = await createTestConnection({ home, storeId: "s-2" });
    const remembered = openRemembered(other);
    const bases = async () => ({
      basis: await readPlanBasis(own.connection),
      prices: await readPricesStamp(own.connection),
    });
    const name = { kind: "name", field: "brand", value: "ACME" } as const;
    const seen = [await bases()];

    await remembered.addRules([{ field: "brand", value: "ACME", target: "Acme" }]);
    const unshared = await bases();
    expect(await remembered.share(name)).toBe(true);
    seen.push(await bases());
    await remembered.unshare(name);
    await other.memory.prices.saveRules([{ number: 1, source: "price", markup: 10 }]);
    await remembered.share({ kind: "prices" });
    seen.push(await bases());
    await remembered.unshare({ kind: "prices" });
    await other.memory.prices.saveRules([{ number: 1, source: "price", markup: 20 }]);
    await remembered.share({ kind: "prices" });
    seen.push(await bases());

    expect(unshared).toEqual(seen[0]);
    expect(new Set(seen.map(({ basis }) => basis)).size).toBe(seen.length);
    expect(seen.map(({ prices }) => prices)).toEqual([
      undefined,
      undefined,
      "0 0 shared 1",
      "0 0 shared 3",
    ]);
    const planned = { facts: null, progress: { basis: seen[2]?.basis } };
    expect(await isPlannedAsSet(own.connection, planned)).toBe(false);
  });
});
