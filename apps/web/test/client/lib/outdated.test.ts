import { describe, expect, it } from "vitest";

import { isOutdated } from "../../../client/lib/outdated.ts";

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
