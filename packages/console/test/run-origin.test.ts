import { expect, it } from "vitest";

import { readOrigin } from "../src/command.ts";

it("believes only the page and the schedules to have started the program", () => {
  const origins = ["page", "schedule", "cron", undefined].map((CATALOG_STARTED_BY) =>
    readOrigin({ CATALOG_STARTED_BY }),
  );

  expect(origins).toEqual(["page", "schedule", "terminal", "terminal"]);
});
