import { readFileSync } from "node:fs";
import { join } from "node:path";

import { createIssue, createTestConnection, storeRun } from "@catalog/connection/testing";
import { expect, it } from "vitest";

import { issuesOf } from "../src/reported-rows.ts";
import { writeResultFiles } from "../src/result-files.ts";

const DECIDE = { tr: "Onay hücresine Evet yazın.", en: "Write Yes in its Approve cell." };
const HELD = createIssue({ code: "E_GUARD_PRICE_DROP", suggestion: DECIDE });

it("replaces the advice to approve a row that was given up", () => {
  const issues = issuesOf({ kind: "import" }, { state: "cancelled", issues: [HELD, HELD] });

  const [first, second] = issues.map(({ suggestion }) => suggestion?.en);
  expect(first).toMatch(/given up.*import that file again/u);
  expect(second).toBeUndefined();
});

it("advises nothing about a row that a later feed has settled", () => {
  const [issue] = issuesOf({ kind: "sync" }, { state: "cancelled", issues: [HELD] });

  expect(issue).not.toHaveProperty("suggestion");
});

it("keeps the advice on a row that waits", () => {
  expect(issuesOf({ kind: "import" }, { state: "held", issues: [HELD] })).toEqual([HELD]);
});

it("leaves the advice out of the result files", async () => {
  const { connection, folder } = await createTestConnection();
  const reportDir = join(folder, "sonuc");
  const row = { cells: ["KOD-1"], state: "held", issues: [HELD] } as const;
  const run = await storeRun(connection, { header: ["Ürün Kodu"], rows: [row], reportDir });
  const cancelled = { to: "cancelled", cause: "released-cancel" } as const;
  await connection.journal.recordOutcome({ runId: run.id, row: 2, from: "held" }, cancelled);

  await writeResultFiles(connection, run);

  const text = readFileSync(join(reportDir, "result.csv"), "utf8");
  expect(text).toContain("Satırdan vazgeçildi");
  expect(text).not.toContain("Evet");
});
