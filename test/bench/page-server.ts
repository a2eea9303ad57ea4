/** The page's server as a process, over a sandbox, and requests of a session. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

import { type Bench, startCommand } from "./bench-tools.ts";
import { type Credentials, toEnvironment } from "./credentials.ts";

export interface PageProcess {
  readonly child: ChildProcess;
  /** The link that opens the page once. */
  readonly link: string;
}

interface PagePlace {
  /** The line that a sandbox prints. */
  readonly sandbox: string;
  readonly home: string;
}

/** Starts the server; the caller ends it. */
export async function startPage(bench: Bench, place: PagePlace): Promise<PageProcess> {
  // The first start after a change builds the page, in a process that takes 400 MB for some seconds.
  const builder = await startOnce(bench, place);
  const closed = once(builder.child, "close");
  builder.child.kill("SIGINT");
  await closed;
  return await startOnce(bench, place);
}

async function startOnce(bench: Bench, { sandbox, home }: PagePlace): Promise<PageProcess> {
  const told: Credentials = JSON.parse(sandbox);
  const [program, words, { env }] = startCommand(bench, ["web", "--json"]);
  const child = spawn(program, words, {
    env: { ...env, ...toEnvironment(told), CATALOG_HOME: home },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [chunk] = await once(child.stdout, "data");
  const { url } = JSON.parse(String(chunk));
  return { child, link: String(url) };
}

/** Sends a request below `/api` and returns its body. */
type PageRequest = (method: string, path: string) => Promise<ArrayBuffer>;

/** Opens a session with the link. */
export async function openSession(link: string): Promise<PageRequest> {
  const { origin, hash } = new URL(link);
  const opened = await fetch(`${origin}/api/session`, {
    method: "POST",
    headers: { origin, "content-type": "application/json" },
    body: JSON.stringify({ key: hash.replace("#k=", "") }),
  });
  const cookie = (opened.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
  const { writeKey } = JSON.parse(await opened.text());
  const headers = { origin, cookie, "x-catalog": String(writeKey) };
  return async (method, path) => {
    const answer = await fetch(`${origin}/api${path}`, { method, headers });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
    return await answer.arrayBuffer();
  };
}
