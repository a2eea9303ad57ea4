/** A browser's requests to `catalog web`, in a process of its own. */

import { type CatalogProcess, type Finished, startCatalog } from "./processes/catalog-process.ts";

export interface PageClient {
  readonly port: number;
  readonly process: CatalogProcess;
  /** Session of the page; another start of the program on the same port takes it. */
  readonly headers: Readonly<Record<string, string>>;
  /** Calls a route and reads its answer. Throws where the status is not a good one. */
  call(method: string, path: string, body?: object): Promise<Answer>;
  /** Ends the program as Ctrl-C does. */
  end(): Promise<Finished>;
}

/** The document of an answer; an empty one has none. */
export type Answer = Readonly<Record<string, unknown>>;

export interface PageClientOptions {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Session of an earlier start. @default one is opened with the link */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Starts the program and waits for its link. */
export async function startPage({ args, headers, ...at }: PageClientOptions): Promise<PageClient> {
  const process = startCatalog(["web", "--json", ...args], at);
  const { url, port } = await readLink(process);
  const origin = `http://127.0.0.1:${port}`;
  const session = headers ?? (await openSession(origin, url.slice(url.indexOf("#k=") + 3)));
  return {
    port,
    process,
    headers: session,
    async call(method, path, body) {
      const type = body === undefined ? {} : { "content-type": "application/json" };
      const response = await fetch(`${origin}/api${path}`, {
        method,
        headers: { ...session, ...type },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
      return text === "" ? {} : JSON.parse(text);
    },
    async end() {
      process.child.kill("SIGINT");
      return await process.finished;
    },
  };
}

function readLink({ child, finished }: CatalogProcess): Promise<{ url: string; port: number }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ url: string; port: number }>();
  let text = "";
  child.stdout?.on("data", (part: string) => {
    text += part;
    if (text.includes("\n")) resolve(JSON.parse(text));
  });
  finished.then(({ err }) => reject(new Error(`ended without a link: ${err}`)), reject);
  return promise;
}

async function openSession(origin: string, key: string): Promise<Readonly<Record<string, string>>> {
  const response = await fetch(`${origin}/api/session`, {
    method: "POST",
    headers: { origin, "content-type": "application/json" },
    body: JSON.stringify({ key }),
  });
  const { writeKey }: { writeKey: string } = JSON.parse(await response.text());
  const cookie = (response.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
  return { origin, cookie, "x-catalog": writeKey };
}
