import { UsageError } from "@catalog/console";
import { toSyncOptions } from "@catalog/jobs";
import { describe, expect, it } from "vitest";

import {
  allowedGuards,
  FLAGS,
  rangeFlag,
  SCHEDULE_FLAGS,
} from "../../../src/commands/sync/flags.ts";
import { notifyFlag } from "../../../src/commands/sync/run.ts";

describe("the flags of a schedule", () => {
  it("are those of a sync that each of its syncs is given", () => {
    const all = Object.fromEntries(Object.keys(FLAGS).map((name) => [name, "1"]));

    expect(Object.keys(toSyncOptions(all)).toSorted()).toEqual(
      Object.keys(SCHEDULE_FLAGS).toSorted(),
    );
  });
});

describe("flags", () => {
  it("accept guards by their names", () => {
    const allowed = allowedGuards({ allow: "price-drop, few-rows" });

    expect(allowed).toEqual(["price-drop", "few-rows"]);
  });

  it("refuse an unencrypted address for notifications", () => {
    expect(notifyFlag({ notify: "https://hooks.example.com/a" })?.host).toBe("hooks.example.com");
    expect(notifyFlag({ notify: "http://127.0.0.1:9/" })?.port).toBe("9");
    for (const notify of ["http://hooks.example.com/", "https://bayi42:x@hooks.example.com/"])
      expect(() => notifyFlag({ notify })).toThrow(UsageError);
  });

  it("refuse a port outside the range", () => {
    expect(() => rangeFlag({ "status-port": 70_000 }, "status-port", 65_535)).toThrow(UsageError);
  });
});
