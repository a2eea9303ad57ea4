/** Drafts of the page's server, from the upload to the plan. */

import type { DraftView, RunView } from "@catalog/web";
import { expect } from "vitest";

import { waitUntil } from "../wait-until.ts";
import type { WebSession } from "./open-web.ts";
import { getBody, postBody, waitForRun } from "./runs.ts";

/** Uploads a file and waits until its rows are checked, or its columns need an answer. */
export async function uploadDraft(
  session: WebSession,
  name: string,
  bytes: Uint8Array,
): Promise<DraftView> {
  const { status, text } = await session.upload(name, bytes);
  expect(status, text).toBe(201);
  const { id }: DraftView = JSON.parse(text);
  return await waitForDraft(session, id);
}

/**
 * Waits until the rows of a draft are checked, or its columns need an answer; also where rules have
 * changed, as reading the draft begins to check it once more.
 */
export async function waitForDraft(session: WebSession, id: string): Promise<DraftView> {
  let draft = await getBody<DraftView>(session, `/drafts/${id}`);
  await waitUntil(async () => {
    draft = await getBody<DraftView>(session, `/drafts/${id}`);
    return draft.progress === null && (draft.state === "ready" || draft.state === "columns");
  });
  return draft;
}

/** Plans the draft as it is and as the store is set, and returns its run. */
export async function planDraft(
  session: WebSession,
  { id, version }: Pick<DraftView, "id" | "version">,
): Promise<RunView> {
  await postBody(session, `/drafts/${id}/plan`, { version });
  let run: string | undefined;
  await waitUntil(async () => {
    const now = await getBody<DraftView>(session, `/drafts/${id}`);
    expect(now.problem).toBeNull();
    run = now.progress === null && now.run?.isCurrent === true ? now.run.id : undefined;
    return run !== undefined;
  });
  return await waitForRun(session, run ?? "", "planned");
}

/** Sends a plan as it is, and waits for its end. */
export async function sendRun(
  session: WebSession,
  { id, planHash }: Pick<RunView, "id" | "planHash">,
): Promise<RunView> {
  await postBody(session, `/runs/${id}/send`, { planHash, release: [], hold: [] });
  return await waitForRun(session, id);
}
