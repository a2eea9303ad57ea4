/** Four eyes: where the store wants it, nobody approves what they have uploaded or planned. */

import type { Connection } from "@catalog/connection";
import { type NamedPerson, type RunRecord, toCounts } from "@catalog/runs";

import type { ApprovalView } from "../../api/team.ts";
import { RequestError, type Site } from "../site.ts";

interface Approving {
  readonly site: Pick<Site, "fourEyes">;
  readonly connection: Connection;
  readonly run: RunRecord;
  /** The person who would approve it. */
  readonly by: NamedPerson;
}

interface Approval extends Omit<ApprovalView, "makers"> {
  /** Who has uploaded or planned it, each once. */
  readonly makers: readonly NamedPerson[];
}

/** Says whether somebody else than this person must approve the run, and why. */
export async function describeApproval(approving: Approving): Promise<Approval> {
  const { connection, run, by } = approving;
  const makers = await listMakers(connection, run);
  const because = await readReason(approving);
  const isMaker = makers.some((maker) => isSamePerson(maker, by));
  return { needsAnother: because !== null && isMaker, because, makers };
}

/**
 * Names may be alike and are changed by their people, so ids decide. What was made without one, such as
 * at the terminal, has only a name; one name counts as one person then, which errs on the safe side.
 */
export const isSamePerson = (maker: NamedPerson, by: NamedPerson): boolean =>
  maker.id === undefined || by.id === undefined ? maker.name === by.name : maker.id === by.id;

async function readReason({ site, connection, run }: Approving): Promise<ApprovalView["because"]> {
  const { mode, moreThanRows } = (await site.fourEyes?.()) ?? NEVER;
  if (mode === "never") return null;
  if (mode === "always") return "always";
  const { held, pending } = toCounts(await connection.journal.countRows(run.id));
  if (held > 0) return "held";
  return moreThanRows !== null && pending > moreThanRows ? "rows" : null;
}

const NEVER = { mode: "never", moreThanRows: null } as const;

/**
 * Those who have uploaded or planned it, each once. A draft that was removed tells no more who has
 * uploaded it; its run tells who has planned it.
 */
export async function listMakers(
  { memory }: Connection,
  { maker, progress }: RunRecord,
): Promise<readonly NamedPerson[]> {
  const draft = progress.draft && (await memory.drafts.read(progress.draft.id));
  const { user = null, person: id } = maker ?? {};
  const planner = user === null ? null : { name: user, id };
  const uploader = draft?.createdBy ?? null;
  const isOne = planner !== null && uploader !== null && isSamePerson(planner, uploader);
  return [isOne ? [] : (uploader ?? []), planner ?? []].flat();
}

/** Throws {@link RequestError} 403 where somebody else must approve it. */
export async function assertFourEyes(approving: Approving): Promise<void> {
  const { needsAnother } = await describeApproval(approving);
  if (!needsAnother) return;
  throw new RequestError(403, "E_FOUR_EYES", {
    tr: "Bunu siz hazırladınız; bu mağazada başka birinin onaylaması gerekiyor. Yetkisi olan birinden onaylamasını isteyin.",
    en: "You have prepared this; in this store somebody else must approve it. Ask a person who may approve.",
  });
}
