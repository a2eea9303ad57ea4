import { existsSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { reportCommand } from "../../../src/commands/report/index.ts";
import { createWorkplace } from "../../helpers/command-harness.ts";
import { storeRun } from "../../helpers/store-run.ts";

describe("catalog report", () => {
  it("writes the files into the run's folder", async () => {
    const place = createWorkplace();
    const run = await storeRun(place);

    expect(await reportCommand.run(place.context, { run })).toBe(0);

    expect(existsSync(join(place.folder, "sonuc", "result.xlsx"))).toBe(true);
    expect(place.terminal.written.out).toContain("H3     “on iki” is not a number.");
    expect(place.terminal.written.out).toContain(join(place.folder, "sonuc", "failed.xlsx"));
  });

  it("writes the files into another folder when one is given", async () => {
    const place = createWorkplace({ json: true });
    const run = await storeRun(place);

    await reportCommand.run(place.context, { run, report: "baska" });

    expect(existsSync(join(place.folder, "sonuc"))).toBe(false);
    expect(JSON.parse(place.terminal.written.out)).toMatchObject({
      command: "report",
      exit: 0,
      files: { dir: join(place.folder, "baska") },
    });
  });
});
