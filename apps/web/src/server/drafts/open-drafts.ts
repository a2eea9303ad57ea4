/** Drafts that are open in this process: each is opened once, and checked in the background. */

import type { Clock } from "@catalog/clock";
import type { Connection } from "@catalog/connection";
import { type DraftDetails, type DraftProblem, type LiveDraft, openDraft } from "@catalog/importer";

import type { DraftStepProgress } from "./draft-view.ts";

/** A draft in memory, and what is being done with it. */
export interface OpenDraft {
  readonly connection: Connection;
  readonly live: LiveDraft;
  progress: DraftStepProgress | null;
  problem: DraftProblem | null;
}

export interface OpenDrafts extends AsyncDisposable {
  /** Opens the draft, and goes on with a check that was cut off. Throws `E_DRAFT_UNKNOWN`. */
  open(id: string): Promise<OpenDraft>;
  /** Checks the draft in the background, from the beginning where it has begun. */
  check(draft: OpenDraft): void;
  /** Ends the check of the draft, so that its settings can be changed at once. */
  stopCheck(id: string): Promise<void>;
  /** Waits until the draft is checked by the rules of now. */
  settle(draft: OpenDraft): Promise<void>;
  /** Closes the draft. */
  close(id: string): Promise<void>;
}

export interface OpenDraftsOptions {
  readonly clock: Pick<Clock, "now">;
  readonly connection: () => Promise<Connection>;
  /** Describes why a check failed; it also reports errors that nobody expected. */
  readonly describe: (error: unknown) => DraftProblem;
}

/** Drafts whose lists of names stay in memory; of more, those unused for longest are closed. */
const MAX_OPEN = 8;

/** States that an earlier check has left, as it did not come to an end. */
const IS_CUT_OFF: ReadonlySet<DraftDetails["state"]> = new Set(["checking", "reading"]);

interface Check {
  readonly stop: AbortController;
  readonly ended: Promise<void>;
}

/** A draft is looked at no more often for rules that have changed. */
const RENEW_EVERY_MS = 2_000;

export function createOpenDrafts({ clock, connection, describe }: OpenDraftsOptions): OpenDrafts {
  let of: Connection | undefined;
  const drafts = new Map<string, Promise<OpenDraft>>();
  const checks = new Map<string, Check>();
  const renewedAtMs = new Map<string, number>();

  const stopCheck = async (id: string): Promise<void> => {
    const check = checks.get(id);
    check?.stop.abort(new Error("the draft is changed"));
    await check?.ended;
  };

  const closeAll = async (): Promise<void> => {
    drafts.clear();
    await Promise.all([...checks.keys()].map(stopCheck));
  };

  const check = (draft: OpenDraft): void => {
    const { id } = draft.live;
    const stop = new AbortController();
    const ended = runCheck(draft, stop.signal, describe).finally(() => {
      if (checks.get(id)?.stop === stop) checks.delete(id);
    });
    checks.set(id, { stop, ended });
  };

  /** Rules may be changed on another screen, in another draft or by a command. */
  const renew = async (draft: OpenDraft): Promise<void> => {
    const { id } = draft.live;
    const nowMs = clock.now();
    if (checks.has(id) || nowMs - (renewedAtMs.get(id) ?? 0) < RENEW_EVERY_MS) return;
    renewedAtMs.set(id, nowMs);
    if (await draft.live.renew()) check(draft);
  };

  const load = async (opened: Connection, id: string): Promise<OpenDraft> => {
    const live = await openDraft(opened, id);
    const draft: OpenDraft = { connection: opened, live, progress: null, problem: null };
    // Why a file cannot be read is not stored.
    if (IS_CUT_OFF.has((await live.details()).state)) check(draft);
    return draft;
  };

  return {
    check,
    stopCheck,
    async open(id) {
      const current = await connection();
      // Another store was entered.
      if (of !== current) await closeAll();
      of = current;
      const known = drafts.get(id);
      drafts.delete(id);
      const draft = known ?? load(current, id);
      drafts.set(id, draft);
      draft.catch(() => drafts.delete(id));
      const unused = [...drafts.keys()].slice(0, -MAX_OPEN).filter((old) => !checks.has(old));
      for (const old of unused) drafts.delete(old);
      const opened = await draft;
      await renew(opened);
      return opened;
    },
    async settle(draft) {
      const { id } = draft.live;
      await checks.get(id)?.ended;
      renewedAtMs.delete(id);
      await renew(draft);
      await checks.get(id)?.ended;
    },
    async close(id) {
      drafts.delete(id);
      renewedAtMs.delete(id);
      await stopCheck(id);
    },
    [Symbol.asyncDispose]: closeAll,
  };
}

async function runCheck(
  draft: OpenDraft,
  signal: AbortSignal,
  describe: OpenDraftsOptions["describe"],
): Promise<void> {
  draft.problem = null;
  draft.progress = { step: "read", done: 0, total: null };
  try {
    await draft.live.check({ signal, onProgress: (progress) => (draft.progress = progress) });
  } catch (error) {
    if (!signal.aborted) draft.problem = describe(error);
  } finally {
    draft.progress = null;
  }
}
