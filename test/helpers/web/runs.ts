/** Documents of the page's server, and waiting for a run. */

import type { ResumeBody, RunRowView, RunView } from "@catalog/web";
import { expect } from "vitest";

import { waitUntil } from "../wait-until.ts";
import type { WebSession } from "./open-web.ts";

/** Reads a document; fails where the server does not answer with one. */
export async function getBody<Body>(session: WebSession, path: string): Promise<Body> {
  const { status, text } = await session.call("GET", path);
  expect(status, text).toBe(200);
  return JSON.parse(text);
}

/** Reads the rows of a run that a query lists, such as `?show=held`, in its order. */
export async function listRunRows(
  session: WebSession,
  run: string,
  query = "",
): Promise<readonly RunRowView[]> {
  const { origin = "" } = session.headers;
  const answer = await fetch(`${origin}/api/runs/${run}/order${query}`, session);
  expect(answer.status).toBe(200);
  const bytes = new DataView(await answer.arrayBuffer());
  const order = Array.from({ length: bytes.byteLength / 4 }, (_, at) =>
    bytes.getUint32(at * 4, true),
  );
  const rows: RunRowView[] = [];
  for (let at = 0; at < order.length; at += 500) {
    const path = `/runs/${run}/rows?n=${order.slice(at, at + 500).join(",")}`;
    rows.push(...(await getBody<readonly RunRowView[]>(session, path)));
  }
  return rows;
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
  const look = async (): Promise<boolean> => {
    view = await getBody<RunView>(session, `/runs/${run}`);
    return view.state === state;
  };
  await waitUntil(look).catch((cause: unknown) => {
    const { state: found, problem, counts } = view;
    throw new Error(`${run} is ${JSON.stringify({ found, problem, counts })}`, { cause });
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
