import { existsSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { reportCommand } from "../../src/commands/report/index.ts";
import { createCommandHarness } from "../helpers/command-harness.ts";
import { storeRun } from "../helpers/store-run.ts";

describe("catalog report", () => {
  it("writes the files into the run's folder", async () => {
    const harness = createCommandHarness();
    const run = await storeRun(harness);

    expect(await reportCommand.run(harness.context, { run })).toBe(0);

    expect(existsSync(join(harness.folder, "sonuc", "result.xlsx"))).toBe(true);
    expect(harness.terminal.written.out).toContain("H3     “on iki” is not a number.");
    expect(harness.terminal.written.out).toContain(join(harness.folder, "sonuc", "failed.xlsx"));
  });

  it("writes the files into another folder when one is given", async () => {
    const harness = createCommandHarness({ json: true });
    const run = await storeRun(harness);

    await reportCommand.run(harness.context, { run, report: "baska" });

    expect(existsSync(join(harness.folder, "sonuc"))).toBe(false);
    expect(JSON.parse(harness.terminal.written.out)).toMatchObject({
      command: "report",
      exit: 0,
      files: { dir: join(harness.folder, "baska") },
    });
  });
});
