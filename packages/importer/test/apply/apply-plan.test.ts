import type { Connection } from "@catalog/connection";
import {
  createTestConnection,
  CUP,
  RUN_ID,
  type StoredRow,
  storeRun,
} from "@catalog/connection/testing";
import { InputError, type Localized } from "@catalog/i18n";
import { type Marketplace, type RunRecord, toCounts } from "@catalog/runs";
import { createFakeMarketplace, failing } from "@catalog/runs/testing";
import { describe, expect, it } from "vitest";

import {
  applyPlan,
  badRows,
  countErrorsLeft,
  findLimitRefusal,
  mergeSettings,
  parseMaxErrors,
  readRun,
} from "../../src/apply/apply-plan.ts";

const ADD: StoredRow = { cells: [CUP.product_code], action: "add" };
const INVALID: StoredRow = { cells: ["KOD-9"], state: "invalid" };

/** A planned run on a store behind `marketplace`. */
async function createPlanned(
  marketplace: Marketplace,
  rows: readonly StoredRow[] = [ADD, INVALID],
): Promise<Connection> {
  const { connection } = await createTestConnection();
  await storeRun(connection, { header: ["Ürün Kodu"], rows });
  await connection.runs.update(RUN_ID, { state: "planned" });
  return { ...connection, marketplace };
}

const FACTS = {
  readBy: "lookups",
  planned: {
    add: 1,
    update: 0,
    unchanged: 0,
    invalid: 1,
    duplicate: 0,
    held: 0,
    requests: 1,
    seconds: 1,
  },
  priceUnit: "unknown",
} as const;

const stateOf = async (connection: Connection): Promise<RunRecord["state"]> =>
  (await readRun(connection, RUN_ID)).state;

describe("applyPlan", () => {
  it("sends the ready rows and finishes the run", async () => {
    const marketplace = createFakeMarketplace();
    const connection = await createPlanned(marketplace);
    const moments: string[] = [];

    const { run, end } = await applyPlan(connection, {
      runId: RUN_ID,
      onProgress: ({ step, done, total, row }) =>
        moments.push(`${step} ${done}/${total ?? "?"} ${row?.state ?? "-"}`),
    });

    expect({ end, state: run.state }).toEqual({ end: "finished", state: "finished" });
    expect(marketplace.products.map(({ product }) => product.product_code)).toEqual(["KOD-1"]);
    expect(moments).toEqual(["recheck 0/? -", "send 0/1 -", "send 1/1 done", "verify 1/1 -"]);
  });

  it("only finishes a run with nothing left to send", async () => {
    const marketplace = createFakeMarketplace();
    const connection = await createPlanned(marketplace, [INVALID]);

    const { run } = await applyPlan(connection, { runId: RUN_ID });

    expect(run.state).toBe("finished");
    expect(marketplace.products).toEqual([]);
  });

  it("leaves a stopped run in a state that can be resumed", async () => {
    const connection = await createPlanned(createFakeMarketplace());
    const stop = AbortSignal.abort(new Error("interrupted"));

    const { run, end } = await applyPlan(connection, { runId: RUN_ID, stop });
    const resumed = await applyPlan(connection, { runId: RUN_ID });

    expect([end, run.state]).toEqual(["stopped", "stopped"]);
    expect([resumed.end, resumed.run.state]).toEqual(["finished", "finished"]);
  });

  it("leaves a failed run in a state that can be resumed, and passes the error on", async () => {
    const error = new TypeError("the client is closed");
    const script = { "*": [failing(error)] };
    const connection = await createPlanned(createFakeMarketplace({ script }));

    await expect(applyPlan(connection, { runId: RUN_ID })).rejects.toBe(error);

    expect(await stateOf(connection)).toBe("stopped");
  });

  it.each(["finishes", "fails"])("adds its calls to the run when it %s", async (how) => {
    const script = { "*": how === "fails" ? [failing(new TypeError("closed"))] : [] };
    const connection = await createPlanned(createFakeMarketplace({ script }));
    const { meters } = connection;
    let read = 0;
    const counts = (): { token: number; read: number; write: number } => {
      read += 7;
      return { token: 0, read, write: 0 };
    };

    await applyPlan(
      { ...connection, meters: { ...meters, calls: { ...meters.calls, counts } } },
      { runId: RUN_ID },
    ).catch(() => undefined);

    expect((await readRun(connection, RUN_ID)).requests).toEqual({ token: 0, read: 7, write: 0 });
  });

  it("refuses a strict run with a bad row, and makes no call", async () => {
    const marketplace = createFakeMarketplace();
    const connection = await createPlanned(marketplace);

    const applied = applyPlan(connection, { runId: RUN_ID, settings: { strict: true } });

    await expect(applied).rejects.toMatchObject({ code: "E_LIMIT_STRICT" });
    expect(marketplace.log).toEqual([]);
    expect(await stateOf(connection)).toBe("planned");
  });

  it("sends no row of a run with more bad rows than its maximum", async () => {
    const marketplace = createFakeMarketplace();
    const connection = await createPlanned(marketplace);
    await connection.runs.update(RUN_ID, { settings: { maxErrors: "10%" } });

    const applied = applyPlan(connection, { runId: RUN_ID });

    await expect(applied).rejects.toMatchObject({ code: "E_LIMIT_ERRORS" });
    expect(marketplace.log).toEqual([]);
  });

  it("resumes a strict run although it has bad rows", async () => {
    const marketplace = createFakeMarketplace();
    const connection = await createPlanned(marketplace);
    await connection.runs.update(RUN_ID, { settings: { strict: true } });

    const { end } = await applyPlan(connection, { runId: RUN_ID, isContinued: true });

    expect(end).toBe("finished");
    expect(marketplace.products).toHaveLength(1);
  });

  it("saves the columns of a plan that it sends, and not of a plan that it refuses", async () => {
    const connection = await createPlanned(createFakeMarketplace());
    const columns = { profile: "tedarikçi", columns: {}, chosen: [], constants: {}, decimal: null };
    const facts = { ...FACTS, reading: { notes: [], openNames: [], columns } };
    await connection.runs.update(RUN_ID, { facts, settings: { strict: true } });
    const message: string[] = [];
    const options = { runId: RUN_ID, onRemembered: ({ en }: Localized) => message.push(en) };

    await expect(applyPlan(connection, options)).rejects.toThrow();
    const refused = [...message];
    await applyPlan(connection, { ...options, isContinued: true });

    expect(refused).toEqual([]);
    expect(message).toEqual([expect.stringContaining("saved as profile “tedarikçi”")]);
  });

  it("refuses a run whose plan is incomplete", async () => {
    const { connection } = await createTestConnection();
    await storeRun(connection, { header: ["Ürün Kodu"], rows: [ADD] });

    await expect(applyPlan(connection, { runId: RUN_ID })).rejects.toMatchObject({
      code: "E_RUN_UNPLANNED",
    });
    expect(await stateOf(connection)).toBe("planning");
  });

  it("refuses a run that the store does not know", async () => {
    const { connection } = await createTestConnection();

    await expect(applyPlan(connection, { runId: "r-yok" })).rejects.toMatchObject({
      code: "E_RUN_UNKNOWN",
      message: expect.stringContaining("r-yok"),
    });
  });
});

const NO_ROWS = toCounts([]);

/** Counts of 200 rows, of which `invalid` are bad. */
const withBad = (invalid: number): typeof NO_ROWS => ({ ...NO_ROWS, rows: 200, invalid });

/** Texts of a refusal in both languages. */
function refusalOf(read: () => unknown): readonly string[] {
  try {
    read();
  } catch (error) {
    if (error instanceof InputError) return [error.localized.tr, error.localized.en];
    throw error;
  }
  return [];
}

describe("parseMaxErrors", () => {
  it.each([
    [undefined, undefined],
    ["0", 0],
    ["10", 10],
    [" 10 ", 10],
    ["10.9", 10],
    ["0%", 0],
    ["5%", 10],
    ["5,5%", 11],
    ["5.5%", 11],
    ["0.4%", 0],
    ["100%", 200],
  ])("reads %j of 200 rows as %j", (text, expected) => {
    expect(parseMaxErrors(text, 200)).toBe(expected);
  });

  it.each([["abc"], [""], ["-1"], ["%"], ["5 %"], ["5%%"], ["1e3"], [",5"]])(
    "refuses %j and shows both forms",
    (text) => {
      const [tr = "", en = ""] = refusalOf(() => parseMaxErrors(text, 200));

      expect(tr).toContain(`--max-errors "${text}"`);
      expect(en).toContain("10 or 5%");
    },
  );
});

it("badRows counts only the rows that need a person", () => {
  const counts = {
    rows: 2047,
    added: 1,
    updated: 2,
    unchanged: 4,
    skipped: 8,
    invalid: 16,
    duplicate: 32,
    rejected: 64,
    held: 128,
    unknown: 256,
    cancelled: 512,
    pending: 1024,
  };

  expect(badRows(counts)).toBe(16 + 32 + 64 + 128 + 256);
});

describe("findLimitRefusal", () => {
  it("allows any number of bad rows where no limit is set", () => {
    expect(findLimitRefusal(withBad(200), {})).toBeUndefined();
  });

  it("refuses a strict run for one bad row", () => {
    expect(findLimitRefusal(withBad(0), { strict: true })).toBeUndefined();
    expect(findLimitRefusal(withBad(1), { strict: true })).toMatchObject({
      code: "E_LIMIT_STRICT",
      localized: {
        tr: "--strict verildiği ve 1 satır hatalı olduğu için hiçbir şey gönderilmedi.",
        en: "Nothing was sent: 1 bad row, and --strict was given.",
      },
    });
  });

  it("refuses more bad rows than the limit, and allows as many as the limit", () => {
    expect(findLimitRefusal(withBad(10), { maxErrors: "5%" })).toBeUndefined();
    expect(findLimitRefusal(withBad(11), { maxErrors: "5%" })).toMatchObject({
      code: "E_LIMIT_ERRORS",
      localized: {
        tr: "11 satır hatalı; --max-errors en çok 10 hataya izin veriyor. Hiçbir şey gönderilmedi.",
        en: "Nothing was sent: 11 bad rows, and --max-errors allows 10.",
      },
    });
  });
});

it.each([
  [undefined, Infinity],
  ["12", 5],
  ["7", 0],
  ["3", 0],
])("countErrorsLeft leaves of a limit of %j, with 7 bad rows, %d", (maxErrors, expected) => {
  expect(countErrorsLeft(withBad(7), { maxErrors })).toBe(expected);
});

it("keeps the stored settings of a run, except those that are given now", () => {
  const stored = { strict: true, maxErrors: "5%", concurrency: 2 };

  const merged = mergeSettings(stored, { maxErrors: "10", canary: 3, concurrency: undefined });

  expect(merged).toEqual({ strict: true, maxErrors: "10", concurrency: 2, canary: 3 });
});
