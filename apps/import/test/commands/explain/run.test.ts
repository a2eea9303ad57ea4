import { expect, it } from "vitest";

import { explainCommand } from "../../../src/commands/explain/index.ts";
import { createCommandHarness } from "../../helpers/command-harness.ts";
import { storeUndo } from "../../helpers/store-undo.ts";

it("states of a row that it was undone, when and by which run", async () => {
  const harness = createCommandHarness({ lang: "en" });
  const { run, undo } = await storeUndo(harness);

  await explainCommand.run(harness.context, { run, row: "2" });

  const text = harness.terminal.written.out.replaceAll(/\s+/gu, " ");
  expect(text).toMatch(new RegExp(`Undone on [^()]+ \\(${undo}\\): Price`, "u"));
});

it("names the undo of a row in the document", async () => {
  const harness = createCommandHarness({ json: true });
  const { run, undo } = await storeUndo(harness);

  await explainCommand.run(harness.context, { run, row: "2" });

  const { undone_by: undoneBy } = JSON.parse(harness.terminal.written.out);
  expect(undoneBy).toMatchObject({ run: undo, fields: ["price"] });
  expect(undoneBy.at).toMatch(/^\d{4}-\d{2}-\d{2}T/u);
});

it("says nothing of an undo that has left the row alone", async () => {
  const harness = createCommandHarness({ lang: "tr" });
  const { run, undo } = await storeUndo(harness);

  await explainCommand.run(harness.context, { run, row: "3" });

  expect(harness.terminal.written.out).not.toContain(undo);
});
