import { describe, expect, it } from "vitest";

import {
  countRows,
  countStock,
  countUncompared,
  describeEnd,
  formatDecisions,
  holdRows,
  isChangedSince,
  isOutdated,
  isUncompared,
  NO_DECISIONS,
  parseDecisions,
  releaseRows,
  sendOnly,
  tickOfGoing,
} from "../../../client/lib/runs.ts";
import { TEXTS } from "../../../client/texts/texts.ts";
import { NO_ROWS } from "../../helpers/no-rows.ts";

const add = (row: number) => ({ row, action: "add" }) as const;
const update = (row: number) => ({ row, action: "update" }) as const;

describe("decisions", () => {
  it("count the rows that go by what sending does: released ones more, those left out fewer", () => {
    const released = releaseRows(NO_DECISIONS, [7, 8, 9], true);
    const left = holdRows(released, [add(1), update(2), update(3), update(4)], true);
    const decisions = holdRows(releaseRows(left, [9], false), [update(4)], false);

    expect(countRows({ adds: 10, updates: 5, held: 6, stock: 5 }, decisions)).toEqual({
      rows: 18,
      adds: 9,
      updates: 3,
      released: 2,
      stock: 4,
      heldBack: 3,
    });
  });

  it("count a released row once, whose stock would go without it", () => {
    const decisions = releaseRows(NO_DECISIONS, [3], true);
    const stock = countStock(Uint32Array.of(3, 4, 5, 9), decisions);

    expect(stock).toBe(3);
    expect(countRows({ adds: 0, updates: 1, held: 6, stock }, decisions).rows).toBe(5);
  });

  it("leave out every planned row but those that are to go alone", () => {
    const decisions = sendOnly(Uint32Array.of(2, 5), { adds: [1, 2], updates: [4, 5] });

    expect(decisions).toEqual({
      release: new Set(),
      hold: new Map([
        [1, "add"],
        [4, "update"],
      ]),
    });
  });

  it("outlast a reload", () => {
    const decisions = holdRows(releaseRows(NO_DECISIONS, [7], true), [add(1), update(2)], true);

    expect(parseDecisions(formatDecisions(decisions))).toEqual(decisions);
  });

  it("untick a box for several rows where none goes, and tick it in part where some go", () => {
    const left = holdRows(NO_DECISIONS, [update(1), update(2), update(3)], true);
    const decisions = parseDecisions(formatDecisions(left));

    expect(tickOfGoing(decisions, [1, 2])).toEqual({ isTicked: false, isMixed: false });
    expect(tickOfGoing(decisions, [3, 4])).toEqual({ isTicked: false, isMixed: true });
    expect(tickOfGoing(decisions, [4])).toEqual({ isTicked: true, isMixed: false });
    expect(tickOfGoing(NO_DECISIONS, [])).toEqual({ isTicked: true, isMixed: false });
  });

  for (const text of [
    null,
    "null",
    "{}",
    '{"release":["1"],"hold":[]}',
    '{"release":[],"hold":[1]}',
  ]) {
    it(`are none in ${text}`, () => {
      expect(parseDecisions(text)).toEqual(NO_DECISIONS);
    });
  }
});

const issue = (code: string) => ({ code, message: "", suggestion: null, guard: null });

it("finds rows that wait for the unit of the prices", () => {
  expect(isUncompared({ issues: [issue("E_X"), issue("E_GUARD_PRICE_UNIT")] })).toBe(true);
  expect(isUncompared({ issues: [issue("E_GUARD_PRICE_SCALE")] })).toBe(false);
});

it("counts them by the reasons of a run", () => {
  const reasons = [
    { code: "E_GUARD_PRICE_UNIT", label: "and its stock is sent: 4", rows: 3 },
    { code: "E_GUARD_PRICE_UNIT", label: "and its stock is sent: 5", rows: 2 },
    { code: "E_X", label: "", rows: 9 },
  ];

  expect(countUncompared({ reasons })).toBe(5);
  expect(countUncompared({ reasons: [] })).toBe(0);
});

const NONE = { ...NO_ROWS, rows: 20_000, added: 4_335 };

const format = { number: (count: number) => count.toLocaleString("tr") };

it("says of a run whose rest was given up how many of its rows were done", () => {
  const { send } = TEXTS.tr;

  expect(describeEnd({ ...NONE, cancelled: 15_666, restCancelled: 15_665 }, send, format)).toBe(
    "Gönderimin kalanından vazgeçildi: 20.000 satırdan 4.335 satır işlendi",
  );
  expect(describeEnd(NONE, send, format)).toBe("Gönderim tamamlandı");
});

it("says of a run from which a person took rows before it was sent that it is complete", () => {
  const { send } = TEXTS.tr;

  expect(describeEnd({ ...NONE, cancelled: 1 }, send, format)).toBe("Gönderim tamamlandı");
});

const RUN = { id: "r1", state: "planned", draft: "d1", problem: null } as const;

describe("isOutdated", () => {
  it("is so where the server says that the draft was changed", () => {
    const run = { ...RUN, problem: { code: "E_PLAN_DRAFT" } };

    expect(isOutdated(run, undefined)).toBe(true);
  });

  it("is so where the draft has changed since the run was read", () => {
    expect(isOutdated(RUN, { run: { id: "r1", isCurrent: false, mode: "upsert" } })).toBe(true);
    expect(isOutdated(RUN, { run: { id: "r1", isCurrent: true, mode: "upsert" } })).toBe(false);
  });

  it("is not so once rows are being sent, or for another problem", () => {
    const problem = { code: "E_PLAN_DRAFT" };

    expect(isOutdated({ ...RUN, state: "finished", problem }, undefined)).toBe(false);
    expect(isOutdated({ ...RUN, problem: { code: "E_AUTH" } }, undefined)).toBe(false);
  });
});

describe("isChangedSince", () => {
  const SENT = { id: "r1", state: "finished" } as const;
  const changed = { run: { id: "r1", isCurrent: false, mode: "upsert" } } as const;

  it("is so where the draft was corrected after its latest run was sent", () => {
    expect(isChangedSince(SENT, changed)).toBe(true);
  });

  it("is not so before the run has ended, for an older run, or without a correction", () => {
    expect(isChangedSince({ id: "r1", state: "sending" }, changed)).toBe(false);
    expect(isChangedSince({ id: "r0", state: "finished" }, changed)).toBe(false);
    expect(isChangedSince(SENT, { run: { ...changed.run, isCurrent: true } })).toBe(false);
    expect(isChangedSince(SENT, undefined)).toBe(false);
  });
});
