/** Documents of the page's server, and waiting for a run. */

import type { ResumeBody, RunView } from "@catalog/web";
import { expect } from "vitest";

import { waitUntil } from "../wait-until.ts";
import type { WebSession } from "./open-web.ts";

/** Reads a document; fails where the server does not answer with one. */
export async function getBody<Body>(session: WebSession, path: string): Promise<Body> {
  const { status, text } = await session.call("GET", path);
  expect(status, text).toBe(200);
  return JSON.parse(text);
}

/** Sends a document and reads the answer. */
export async function postBody<Body>(
  session: WebSession,
  path: string,
  sent: unknown,
): Promise<Body> {
  const { status, text } = await session.call("POST", path, sent);
  expect(status, text).toBeLessThan(300);
  return JSON.parse(text);
}

/** Waits until the run has the state, and returns it. */
export async function waitForRun(
  session: WebSession,
  run: string,
  state: RunView["state"] = "finished",
): Promise<RunView> {
  let view = await getBody<RunView>(session, `/runs/${run}`);
  await waitUntil(async () => {
    view = await getBody<RunView>(session, `/runs/${run}`);
    return view.state === state;
  });
  return view;
}

/** Goes on with a run as it is now, as a person does who has read what is left. */
export async function resumeRun(
  session: WebSession,
  run: string,
  unit: Pick<ResumeBody, "priceUnit"> = {},
): Promise<RunView> {
  const { planHash, left } = await getBody<RunView>(session, `/runs/${run}`);
  const rows = unit.priceUnit === undefined ? left.rows : left.withUnit;
  return await postBody(session, `/runs/${run}/resume`, { planHash, rows, ...unit });
}
