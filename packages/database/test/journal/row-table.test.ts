import { expect, it } from "vitest";

import { openTestJournal } from "../helpers/open-test-journal.ts";

it("rejects rows and decisions of a run that the store does not have", async () => {
  const { journal } = await openTestJournal();
  const row = { row: 1, cells: ["A"], code: "A", codeKey: "A" };

  await expect(journal.appendRows("run-9", [row])).rejects.toThrow("this store has no run run-9");
  await expect(journal.saveDecisions("run-9", [])).rejects.toThrow("this store has no run run-9");
});
