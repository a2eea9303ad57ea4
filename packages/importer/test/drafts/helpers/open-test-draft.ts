/** Drafts of a store with a small marketplace. */

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";

import {
  createTestConnection,
  type MarketplaceServer,
  startMarketplaceServer,
  type TestConnection,
} from "@catalog/connection/testing";
import type { RunRecord } from "@catalog/runs";

import { type LiveDraft, openDrafts } from "../../../src/drafts/drafts.ts";
import { planFile } from "../../../src/plan/plan-file.ts";
import type { PlanFileOptions } from "../../../src/plan/plan-options.ts";

export interface DraftStore extends TestConnection {
  readonly market: MarketplaceServer;
  /** Writes a file, and opens a checked draft of it. */
  readonly draft: (text: string, name?: string) => Promise<LiveDraft>;
  readonly draftOf: (path: string) => Promise<LiveDraft>;
  readonly plan: (draft: LiveDraft) => Promise<RunRecord>;
  /** Plans a file with the same cells. */
  readonly planText: (text: string, options?: Partial<PlanFileOptions>) => Promise<RunRecord>;
  /** Rows of a run with their decision. */
  readonly decisions: (run: RunRecord) => Promise<readonly unknown[]>;
}

/** `names` are those of the stores of this machine, that of the draft's store first. */
export async function openDraftStore(names: readonly string[] = []): Promise<DraftStore> {
  const market = await startMarketplaceServer();
  const namedStores = names.map((name, at) => {
    return { name, baseUrl: market.baseUrl, storeId: `s-${at + 1}` };
  });
  const test = await createTestConnection({ baseUrl: market.baseUrl, namedStores });
  const { connection, write, folder } = test;
  const drafts = openDrafts(connection);
  const asked = {
    command: "plan",
    lang: "tr",
    mode: "upsert",
    reportDir: join(folder, "sonuc", "{run}"),
  } as const;
  const draftOf = async (path: string): Promise<LiveDraft> => {
    const bytes = readFileSync(path);
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    const file = { path, name: basename(path), sha256, bytes: bytes.length };
    const live = await drafts.open((await drafts.create(file)).id);
    await live.check();
    return live;
  };
  return {
    ...test,
    market,
    draftOf,
    draft: (text, name = "stok.csv") => draftOf(write(name, text)),
    plan: (draft) => drafts.plan(draft.id, asked),
    planText: (text, options = {}) =>
      planFile(connection, { ...asked, ...options, path: write("elle.csv", text) }),
    async decisions(run) {
      const rows = await connection.journal.readRows(run.id, { limit: 10_000 });
      return rows.map(({ row, state, action, payload, changes, issues }) => ({
        row,
        state,
        action,
        payload,
        changes,
        issues: issues.map(({ code, cell, value }) => ({ code, cell, value })),
      }));
    },
  };
}
