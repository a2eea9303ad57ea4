import { expect, it } from "vitest";

import { runsCommand } from "../../../src/commands/runs/index.ts";
import { createCommandHarness } from "../../helpers/command-harness.ts";
import { storeUndo } from "../../helpers/store-undo.ts";

it("marks a partly undone run in the list, and not the run that undid it", async () => {
  const harness = createCommandHarness({ lang: "tr" });
  const { undo } = await storeUndo(harness);

  await runsCommand.run(harness.context, {});

  expect(
    harness.terminal.written.out.split(`; kısmen geri alındı: 1 / 2 satır (${undo})`),
  ).toHaveLength(2);
});

it("states of one run when, how far and by which run it was undone", async () => {
  const harness = createCommandHarness({ lang: "tr" });
  const { run, undo } = await storeUndo(harness);

  await runsCommand.run(harness.context, { run });

  expect(harness.terminal.written.err.replaceAll("\n", " ")).toContain(
    `kısmen geri alındı: gönderilen 2 satırın 1 tanesi (${undo})`,
  );
});

it.each([{}, { limit: 5 }, { run: "r-261121-0930-4f2a" }])(
  "names the undo in the document of %o",
  async (flags) => {
    const harness = createCommandHarness({ json: true });
    const { run, undo } = await storeUndo(harness);

    await runsCommand.run(harness.context, flags);

    const document = JSON.parse(harness.terminal.written.out);
    const runs: readonly { run: string; undone_by?: { run: string; sent: number } }[] =
      document.runs ?? [document];
    expect(runs.find((listed) => listed.run === run)?.undone_by).toMatchObject({
      run: undo,
      restored: 1,
      sent: 2,
    });
    expect(runs.find((listed) => listed.run === undo)?.undone_by).toBeUndefined();
  },
);
