import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";

import { describe, expect, it, onTestFinished } from "vitest";

import type { DraftView } from "../../../src/api/drafts.ts";
import type { DraftFile } from "../../../src/server/drafts/drafts.ts";
import { addUploadRoutes } from "../../../src/server/uploads.ts";
import { openSession, startPageServer } from "../../helpers/page-server.ts";

interface Links {
  /** Address of the server of tables, which is on this computer. */
  readonly host: string;
  readonly files: readonly DraftFile[];
  /** Names in the folder of uploads. */
  readonly left: () => readonly string[];
  /** Paths that the server of tables was asked for. */
  readonly asked: readonly string[];
  readonly send: (url: string) => Promise<{ readonly status: number; readonly body: unknown }>;
}

async function startTables(asked: string[]): Promise<string> {
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    if (request.url === "/away") response.writeHead(302, { location: METADATA }).end();
    else response.end("Kod;Stok\nA-1;5\n");
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  return `127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
}

const METADATA = "http://169.254.169.254/latest/meta-data";

async function startLinks(isAllowed: boolean): Promise<Links> {
  const files: DraftFile[] = [];
  const asked: string[] = [];
  const host = await startTables(asked);
  const create = async (file: DraftFile): Promise<DraftView> => {
    files.push(file);
    return JSON.parse(JSON.stringify({ id: "d1", name: file.name }));
  };
  const allowHosts = isAllowed ? [host] : [];
  const server = await startPageServer({
    routes: [
      (app, site) => addUploadRoutes(app, site, { sentFiles: async () => [], create, allowHosts }),
    ],
    describeError: () => ({ code: "E_TABLE_DOWNLOAD", text: "no", isLogin: false }),
  });
  const headers = { ...(await openSession(server)), "content-type": "application/json" };
  const folder = join(server.folder, "uploads");
  return {
    host,
    files,
    asked,
    left: () => (existsSync(folder) ? readdirSync(folder) : []),
    send: async (url) => {
      const body = JSON.stringify({ url });
      const init = { method: "POST", headers, body };
      const answer = await fetch(`${server.origin}/api/uploads/link`, init);
      return { status: answer.status, body: await answer.json() };
    },
  };
}

describe("a link to a table", () => {
  it("becomes a draft with the table's name, and a file of its own", async () => {
    const { host, files, left, send } = await startLinks(true);

    const first = await send(`http://${host}/%C3%9Cr%C3%BCn%20listesi.csv?key=1`);
    const second = await send(`http://${host}/%C3%9Cr%C3%BCn%20listesi.csv?key=1`);

    expect(first).toEqual({ status: 201, body: { id: "d1", name: "Ürün listesi.csv" } });
    expect(second.status).toBe(201);
    expect(new Set(files.map(({ path }) => path)).size).toBe(2);
    expect(readFileSync(files[0]?.path ?? "", "utf8")).toBe("Kod;Stok\nA-1;5\n");
    expect(left()).toHaveLength(2);
  });

  it("may not lead to this computer or to a private network", async () => {
    const { host, files, asked, left, send } = await startLinks(false);

    const statuses: number[] = [];
    for (const url of [`http://${host}/a.csv`, METADATA, "http://10.0.0.1/a.csv"]) {
      statuses.push((await send(url)).status);
    }

    expect(statuses).toEqual([400, 400, 400]);
    expect([asked, files, left()]).toEqual([[], [], []]);
  });

  it("may not be led on to a private network", async () => {
    const { host, files, asked, left, send } = await startLinks(true);

    const { status } = await send(`http://${host}/away`);

    expect([status, asked, files, left()]).toEqual([400, ["/away"], [], []]);
  });
});
