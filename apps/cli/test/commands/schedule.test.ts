import { describe, expect, it } from "vitest";

import { createCliHarness, openSandbox, settingsOf } from "../helpers/cli-harness.ts";

describe("catalog schedule live on a terminal", () => {
  it.each([
    ["No", 0, "in shadow"],
    [undefined, 130, "in shadow"],
    ["Yes", 0, "sends from now on"],
  ] as const)("asks before it sends: %s ends with %i", async (answer, exit, said) => {
    const { run, questions } = createCliHarness({
      answers: [answer],
      env: settingsOf(await openSandbox()),
      files: { "stock.csv": "Product code,Stock\nP-1,3\n" },
    });
    await run("schedule", "add", "stock.csv", "--shadow");
    await run("schedule", "run", "stock.csv");

    const live = await run("schedule", "live", "stock.csv", "--lang", "en");
    const listed = JSON.parse((await run("schedule", "list", "--json")).out);

    expect(live.exit).toBe(exit);
    expect(live.out + live.err).toContain(said);
    expect(questions).toEqual([expect.stringContaining("Let the schedule send?")]);
    expect(listed.schedules[0].mode).toBe(answer === "Yes" ? "live" : "shadow");
  });
});
