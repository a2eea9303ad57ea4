import { describe, expect, it } from "vitest";

import { isChangedSince, isOutdated } from "../../../client/lib/runs.ts";

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
