/** Creates, lists and deletes drafts. */

import { randomBytes } from "node:crypto";

import { type Connection, CatalogError } from "@catalog/connection";
import { createRunId } from "@catalog/runs";

import type { DraftSummaryView } from "./draft-views.ts";
import { readUnread } from "./live-state.ts";
import { isUnusable } from "./read-draft-file.ts";
import type { DraftRecord } from "./stored-draft.ts";

/** An uploaded file. */
export interface NewDraftFile {
  /** Absolute path of the file in the home. */
  readonly path: string;
  /** As its person knows it. */
  readonly name: string;
  readonly sha256: string;
  readonly bytes: number;
  /** @default nobody is named */
  readonly by?: string | undefined;
}

type Stored = Pick<Connection, "memory" | "clock">;

const ID_BYTES = 4;

/** Stores a new draft of a file; the file is read when the draft is checked. */
export async function createDraft(
  { memory: { drafts }, clock }: Stored,
  { path, name, sha256, bytes, by }: NewDraftFile,
): Promise<DraftRecord> {
  // Nobody types it; eight more letters keep two uploads of one minute apart.
  const id = `${createRunId(clock.now()).replace(/^r/u, "d")}${randomBytes(ID_BYTES).toString("hex")}`;
  await drafts.create({ id, path, name, sha256, bytes, createdBy: by ?? null });
  const draft = await drafts.read(id);
  if (draft === undefined) throw new Error(`draft ${id} was just written and is gone`);
  return draft;
}

/** Lists the drafts of the store, the latest first. */
export async function listDrafts({
  memory: { drafts },
}: Pick<Connection, "memory">): Promise<readonly DraftSummaryView[]> {
  const summarize = async (draft: DraftRecord): Promise<DraftSummaryView> => {
    const counts = draft.state === "ready" ? await drafts.counts(draft.id) : undefined;
    const { id, name, state, createdAtMs, updatedAtMs, createdBy } = draft;
    return {
      id,
      name,
      state,
      createdAtMs,
      updatedAtMs,
      createdBy,
      rows: counts === undefined ? null : counts.ok + counts.warn + counts.error,
      errors: counts?.error ?? null,
      run: draft.run?.id ?? null,
      isUnusable: isUnusable(readUnread(draft), draft.reading),
    };
  };
  return await Promise.all((await drafts.list()).map(summarize));
}

/** Deletes a draft with its rows; the caller deletes its file. Throws `E_DRAFT_UNKNOWN`. */
export async function removeDraft(
  { memory: { drafts } }: Pick<Connection, "memory">,
  id: string,
): Promise<void> {
  if (!(await drafts.remove(id))) throw new CatalogError("E_DRAFT_UNKNOWN", id);
}
