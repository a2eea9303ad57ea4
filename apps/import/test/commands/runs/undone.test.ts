import { expect, it } from "vitest";

import { runsCommand } from "../../../src/commands/runs/index.ts";
import { createCommandHarness } from "../../helpers/command-harness.ts";
import { storeUndo } from "../../helpers/store-undo.ts";

it("marks an undone run in the list, and not the run that undid it", async () => {
  const harness = createCommandHarness({ lang: "tr" });
  const { undo } = await storeUndo(harness);

  await runsCommand.run(harness.context, {});

  expect(harness.terminal.written.out.split(`; geri alındı (${undo})`)).toHaveLength(2);
});

it("states of one run when and by which run it was undone", async () => {
  const harness = createCommandHarness({ lang: "tr" });
  const { run, undo } = await storeUndo(harness);

  await runsCommand.run(harness.context, { run });

  expect(harness.terminal.written.err).toContain(`geri alındı (${undo})`);
});

it.each([{}, { limit: 5 }, { run: "r-261121-0930-4f2a" }])(
  "names the undo in the document of %o",
  async (flags) => {
    const harness = createCommandHarness({ json: true });
    const { run, undo } = await storeUndo(harness);

    await runsCommand.run(harness.context, flags);

    const document = JSON.parse(harness.terminal.written.out);
    const runs: readonly { run: string; undone_by?: { run: string } }[] = document.runs ?? [
      document,
    ];
    expect(runs.find((listed) => listed.run === run)?.undone_by?.run).toBe(undo);
    expect(runs.find((listed) => listed.run === undo)?.undone_by).toBeUndefined();
  },
);
