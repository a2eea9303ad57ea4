import { DatabaseError, prunedRun } from "@catalog/connection";
import { describe, expect, it } from "vitest";

import { describeFailure } from "../src/failure.ts";

const BUSY = new DatabaseError("E_DATABASE_BUSY", "catalog sync r-1, process 4711");
const PRUNED = prunedRun("r-1", Date.UTC(2026, 10, 21));

describe("describeFailure, of the database", () => {
  it("has the exit code of a busy store where another process writes to the database", () => {
    const [tr, en] = [describeFailure(BUSY, "tr", false), describeFailure(BUSY, "en", false)];

    expect([tr.exit, tr.code]).toEqual([75, "E_DATABASE_BUSY"]);
    expect(tr.text).toMatch(/catalog sync r-1.*Bitmesini bekleyip yeniden deneyin/u);
    expect(en.text).toMatch(/catalog sync r-1.*Wait until it ends and try again/u);
  });

  it("names the run whose rows were deleted, the day, and what can be done", () => {
    const [tr, en] = [describeFailure(PRUNED, "tr", false), describeFailure(PRUNED, "en", false)];

    expect([tr.exit, tr.code]).toEqual([2, "E_RUN_PRUNED"]);
    expect(tr.text).toMatch(
      /silindi \(r-1, 21 Kas 2026\).*yeniden içe aktarın.*CATALOG_KEEP_DAYS/u,
    );
    expect(en.text).toMatch(/deleted .*\(r-1, 21 Nov 2026\).*import the file again/u);
  });
});
