import { describe, expect, it } from "vitest";

import { formatRoute, parseRoute, type Route } from "../../../client/lib/route.ts";

describe("parseRoute", () => {
  const routes: readonly Route[] = [
    { page: "upload" },
    { page: "history" },
    { page: "settings" },
    { page: "draft", id: "d 1/x", step: "columns" },
    { page: "run", id: "r1", step: "send" },
  ];
  for (const route of routes) {
    it(`reads ${formatRoute(route)} back`, () => {
      expect(parseRoute(formatRoute(route))).toEqual(route);
    });
  }

  it("opens a draft at its file and a run at its report", () => {
    expect(parseRoute("/d/1")).toEqual({ page: "draft", id: "1", step: "file" });
    expect(parseRoute("/r/1")).toEqual({ page: "run", id: "1", step: "report" });
  });

  for (const path of [
    "/x",
    "/d",
    "/d/1/send",
    "/r/1/fix",
    "/d/%E0%A4%A/fix",
    "/history/1",
    "/d/1/fix/2",
  ]) {
    it(`knows no page at ${path}`, () => {
      expect(parseRoute(path)).toEqual({ page: "unknown" });
    });
  }
});
