import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { createServer, request as requestHttp } from "node:http";
import { connect } from "node:net";
import { basename, join } from "node:path";
import { gzipSync } from "node:zlib";

import { describe, expect, it, onTestFinished } from "vitest";

import { toStoredZip } from "../../../../packages/sheets/test/helpers/stored-zip.ts";
import type { DraftView } from "../../src/api/drafts.ts";
import type { DraftFile } from "../../src/server/drafts/drafts.ts";
import {
  addUploadRoutes,
  createUploadGate,
  parsePasted,
  readFileName,
  toCsv,
  toFileName,
} from "../../src/server/uploads.ts";
import {
  openSession,
  type PageHeaders,
  type PageServer,
  type PageServerOptions,
  startPageServer,
} from "../helpers/page-server.ts";
import { sendRaw } from "../helpers/raw-request.ts";

interface Uploads extends PageServer {
  readonly headers: PageHeaders;
  /** Files of which drafts were made. */
  readonly files: readonly DraftFile[];
  /** Names in the folder of uploads. */
  readonly left: () => readonly string[];
}

const VIEW: Pick<DraftView, "id" | "name"> = { id: "d1", name: "" };

/** No file of these tests is a list of actions. */
const NO_JOBS = { planList: () => Promise.reject(new Error("a list was planned")) };

interface UploadTestOptions extends Pick<PageServerOptions, "arrival"> {
  readonly maxBytes?: number;
  readonly maxTotalBytes?: number;
  /** Numbers of the uploads whose drafts were sent. @default none */
  readonly sent?: readonly number[];
  readonly fails?: boolean;
}

async function startUploads(options: UploadTestOptions = {}): Promise<Uploads> {
  const files: DraftFile[] = [];
  const create = async (file: DraftFile): Promise<DraftView> => {
    if (options.fails === true) throw new Error("no draft");
    files.push(file);
    const view: object = { ...VIEW, name: file.name };
    return JSON.parse(JSON.stringify(view));
  };
  const server = await startPageServer({
    ...options,
    routes: [
      (app, site) => {
        const { maxBytes, maxTotalBytes, sent = [] } = options;
        const sentFiles = async (): Promise<readonly string[]> =>
          sent.flatMap((index) => files[index]?.path ?? []);
        addUploadRoutes(app, site, { create, sentFiles, jobs: NO_JOBS, maxBytes, maxTotalBytes });
      },
    ],
  });
  const folder = join(server.folder, "uploads");
  const left = (): readonly string[] => (existsSync(folder) ? readdirSync(folder) : []);
  return { ...server, headers: await openSession(server), files, left };
}

const upload = (
  { origin, headers }: Uploads,
  body: NonNullable<RequestInit["body"]>,
  name = "a.csv",
): Promise<Response> =>
  fetch(`${origin}/api/uploads`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/octet-stream", "x-file-name": name },
    body,
  });

const MEGABYTE = 1024 * 1024;
const CHUNK = Buffer.alloc(MEGABYTE, "a");

/** Sends a body in chunks of a megabyte, without its length, until the server ends it. */
function sendChunks(
  { port, headers }: Uploads,
  { count, isAborted = false }: { readonly count: number; readonly isAborted?: boolean },
): Promise<number | undefined> {
  const { promise, resolve } = Promise.withResolvers<number | undefined>();
  const type = { "content-type": "application/octet-stream" };
  const options = {
    host: "127.0.0.1",
    port,
    method: "POST",
    path: "/api/uploads",
    headers: { ...headers, ...type },
  };
  const request = requestHttp(options, (response) => {
    response.resume();
    resolve(response.statusCode);
  });
  request.on("error", () => resolve(undefined));
  const send = (left: number): void => {
    if (request.destroyed) return;
    if (left === 0) return void (isAborted ? request.destroy() : request.end());
    request.write(CHUNK, () => send(left - 1));
  };
  send(count);
  return promise;
}

const stored = (name: string, text: string): readonly Buffer[] =>
  toStoredZip(new Map([[name, Buffer.from(text)]]));

describe("a compressed upload", () => {
  it.each([
    ["stok.csv.gz", gzipSync("Kod;Stok\n"), "stok.csv"],
    ["liste.zip", Buffer.concat([...stored("stok.xml", "Kod;Stok\n")]), "stok.xml"],
  ])("becomes a draft of the table in it: %s", async (name, body, table) => {
    const uploads = await startUploads();

    const { status } = await upload(uploads, body, name);

    const [file] = uploads.files;
    expect([status, file?.name, file?.bytes]).toEqual([201, table, 9]);
    expect(readFileSync(file?.path ?? "", "utf8")).toBe("Kod;Stok\n");
    expect(uploads.left()).toEqual([basename(file?.path ?? "")]);
  });

  it("is refused where it grows beyond the limit, and nothing of it stays", async () => {
    const uploads = await startUploads({ maxBytes: MEGABYTE });

    const { status } = await upload(
      uploads,
      gzipSync(randomBytes((2 * MEGABYTE) / 3).toString("hex")),
      "stok.csv.gz",
    );

    expect([status >= 400, uploads.files, uploads.left()]).toEqual([true, [], []]);
  });
});

describe("all uploads together", () => {
  it("stay below their limit: the oldest file whose draft was sent goes first", async () => {
    const uploads = await startUploads({ maxTotalBytes: 4 * MEGABYTE, sent: [1, 2] });
    for (let n = 0; n < 4; n += 1) await upload(uploads, CHUNK);

    const { status } = await upload(uploads, CHUNK);

    expect(status).toBe(201);
    const kept = uploads.files.map(({ path }) => existsSync(path));
    expect(kept).toEqual([true, false, true, true, true]);
  });

  it("are refused where only files on their way are left, and nothing is removed", async () => {
    const uploads = await startUploads({ maxTotalBytes: 2 * MEGABYTE, sent: [1] });
    for (let n = 0; n < 2; n += 1) await upload(uploads, CHUNK);

    const declared = await upload(uploads, Buffer.alloc(1.5 * MEGABYTE));
    const streamed = await sendChunks(uploads, { count: 2 });

    expect([declared.status, streamed, uploads.left().length]).toEqual([507, 507, 2]);
    expect(await declared.json()).toEqual({
      code: "E_UPLOADS_FULL",
      message: expect.stringContaining("2 MB doldu. Yükle sayfasında"),
    });
  });
});

describe("an uploaded file", () => {
  it("is stored as it came, in a private file without its name", async () => {
    const uploads = await startUploads();
    const body = Buffer.from("kod;ad\nA1;Işık\n");

    const response = await upload(uploads, body, "%C3%BCr%C3%BCnler%2F..%2Fson.csv");

    expect([response.status, await response.json()]).toEqual([201, { id: "d1", name: "son.csv" }]);
    const [file] = uploads.files;
    expect(file).toMatchObject({
      bytes: body.length,
      sha256: createHash("sha256").update(body).digest("hex"),
      name: "son.csv",
      by: { name: "ayse" },
    });
    expect(file?.path).toMatch(/[\\/]uploads[\\/][0-9a-f-]{36}\.csv$/u);
    expect(readFileSync(file?.path ?? "")).toEqual(body);
    expect(statSync(file?.path ?? "").mode & 0o777).toBe(0o600);
  });

  it("is not kept where no draft can be made of it", async () => {
    const uploads = await startUploads({ fails: true });

    const { status } = await upload(uploads, "a");

    expect([status, uploads.left()]).toEqual([500, []]);
  });

  it("is refused by its declared length, before any of it is read", async () => {
    const uploads = await startUploads({ maxBytes: MEGABYTE });
    const { headers, port } = uploads;

    const answer = await sendRaw(port, [
      "POST /api/uploads HTTP/1.1",
      `Host: 127.0.0.1:${port}`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      "Content-Type: application/octet-stream",
      `Content-Length: ${MEGABYTE + 1}`,
    ]);

    expect([answer.status, answer.headers["connection"], uploads.left()]).toEqual([
      413,
      "close",
      [],
    ]);
  });

  it("is refused once it is longer than the limit, where its length was not declared", async () => {
    const uploads = await startUploads({ maxBytes: 3 * MEGABYTE });

    const status = await sendChunks(uploads, { count: 20 });

    expect([status, uploads.left()]).toEqual([413, []]);
  });

  it("leaves nothing where it was cut off", async () => {
    const uploads = await startUploads();

    await sendChunks(uploads, { count: 20, isAborted: true });
    await expect.poll(() => uploads.left()).toEqual([]);

    expect(uploads.files).toEqual([]);
    expect((await upload(uploads, "a")).status).toBe(201);
    expect(uploads.bugs).toEqual([]);
  });

  it("takes little memory, however long it is", async () => {
    const uploads = await startUploads();
    await upload(uploads, "warm");
    const before = process.memoryUsage().arrayBuffers;

    let most = 0;
    const watch = setInterval(() => {
      most = Math.max(most, process.memoryUsage().arrayBuffers - before);
    }, 5);
    await sendChunks(uploads, { count: 190 });
    clearInterval(watch);

    expect(uploads.files.at(-1)?.bytes).toBe(190 * MEGABYTE);
    expect(most).toBeLessThan(120 * MEGABYTE);
  });

  it("leaves no open file and no memory behind, however often it is cut off", async () => {
    const uploads = await startUploads();
    const cutOff = async (count: number): Promise<void> => {
      for (let n = 0; n < count; n += 1) await sendChunks(uploads, { count: 1, isAborted: true });
      await expect.poll(() => [uploads.left().length, openFiles()]).toEqual([1, before]);
    };
    // Opens the store.
    await upload(uploads, "a");
    const before = openFiles();
    await cutOff(20);
    const { rss } = process.memoryUsage();

    await cutOff(300);

    expect(process.memoryUsage().rss - rss).toBeLessThan(60 * MEGABYTE);
    // The last ones may count as going on for a moment.
    await expect.poll(async () => (await upload(uploads, "a")).status).toBe(201);
    expect(uploads.bugs).toEqual([]);
  });

  it("loses its place when it takes too long, its headers or its body", async () => {
    const uploads = await startUploads({ arrival: SOON });
    const { headers, port } = uploads;
    const line = "POST /api/uploads HTTP/1.1";
    const host = `Host: 127.0.0.1:${port}`;
    const rest = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    const type = ["Content-Type: application/octet-stream", "Content-Length: 100"];

    const answers = await Promise.all([
      sendUnfinished(port, [line, host, ...rest]),
      sendUnfinished(port, [line, host, ...rest, ...type, "", "half"]),
      sendUnfinished(port, [line, host, ...rest, ...type, "", "half"]),
    ]);
    await expect.poll(() => uploads.left()).toEqual([]);

    for (const answer of answers) expect(answer).toMatch(/^(?:HTTP\/1.1 408 |$)/u);
    expect((await upload(uploads, "a")).status).toBe(201);
    expect(uploads.files).toHaveLength(1);
    expect(uploads.bugs).toEqual([]);
  });

  it("waits for a place where two are being received", async () => {
    const uploads = await startUploads();
    const held = [openUpload(uploads), openUpload(uploads)];
    await expect.poll(() => uploads.left().length).toBe(2);

    const third = await upload(uploads, "a");
    for (const end of held) await end();
    const later = await upload(uploads, "a");

    expect([third.status, later.status]).toEqual([429, 201]);
  });
});

describe("createUploadGate", () => {
  it("counts the uploads of each person by themselves, and again once one is over", () => {
    const enter = createUploadGate();
    const first = enter("1");
    enter("1");

    expect(() => enter("1")).toThrow("You are uploading two files already");
    enter("2");
    first[Symbol.dispose]();
    enter("1");

    expect(() => enter("1")).toThrow("You are uploading two files already");
  });
});

const SOON = { headersMs: 100, wholeMs: 300, everyMs: 20 };

/** Sends the lines and nothing more; what the server answered until it closed the connection. */
function sendUnfinished(port: number, lines: readonly string[]): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  let answer = "";
  const socket = connect(port, "127.0.0.1", () => socket.write(lines.join("\r\n")));
  socket.on("data", (chunk) => (answer += String(chunk)));
  socket.on("error", () => undefined);
  socket.on("close", () => resolve(answer));
  return promise;
}

/** Descriptors of files of this process; Linux alone lists them. */
const openFiles = (): number => {
  try {
    return readdirSync("/proc/self/fd").filter((fd) => isFile(`/proc/self/fd/${fd}`)).length;
  } catch {
    return 0;
  }
};

const isFile = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isFile() === true;

/** Begins an upload; the returned function ends it and waits for the answer. */
function openUpload({ port, headers }: Uploads): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const type = { "content-type": "application/octet-stream" };
  const options = {
    host: "127.0.0.1",
    port,
    method: "POST",
    path: "/api/uploads",
    headers: { ...headers, ...type },
  };
  const request = requestHttp(options, (response) => response.resume().on("end", resolve));
  request.write("a");
  return async () => {
    request.end();
    await promise;
  };
}

describe("pasted cells", () => {
  it("become a CSV file", async () => {
    const uploads = await startUploads();

    const response = await fetch(`${uploads.origin}/api/uploads/cells`, {
      method: "POST",
      headers: { ...uploads.headers, "content-type": "application/json" },
      body: JSON.stringify({ text: "Kod\tAd\nA1\tIşık", name: "" }),
    });

    expect(response.status).toBe(201);
    const [file] = uploads.files;
    expect(file?.name).toBe("yapıştırılan hücreler.csv");
    expect(readFileSync(file?.path ?? "", "utf8")).toBe('\uFEFF"Kod"\t"Ad"\r\n"A1"\t"Işık"\r\n');
  });
});

describe("a link", () => {
  it.each([
    ["urunler.xlsx", "E_LINK"],
    ["file:///etc/passwd", "E_LINK"],
  ])("must lead somewhere: %s", async (url, code) => {
    const uploads = await startUploads();

    const response = await fetch(`${uploads.origin}/api/uploads/link`, {
      method: "POST",
      headers: { ...uploads.headers, "content-type": "application/json" },
      body: JSON.stringify({ url }),
    });

    expect([response.status, await response.json()]).toMatchObject([400, { code }]);
  });
});

it.each([
  ["%C3%BCr%C3%BCnler.xlsx", "ürünler.xlsx"],
  ["../../etc/passwd", "passwd"],
  ["C:%5CBelgeler%5Cürün.csv", "ürün.csv"],
  ["a%00b%0A%1B[31m.csv", "ab[31m.csv"],
  ["gpj%E2%80%AEcsv.exe", "gpjcsv.exe"],
  ["%", "%"],
  ["<img src=x>.csv", "<img src=x>.csv"],
  ["", "dosya"],
  ["..%2f", "dosya"],
])("reads the name %j as %j", (header, name) => {
  expect(readFileName(header, "dosya")).toBe(name);
});

it("keeps the end of a long name", () => {
  expect(toFileName(`${"ü".repeat(400)}.csv`, "")).toBe(`${"ü".repeat(196)}.csv`);
});

it.each([
  [
    "a\tb\r\n1\t2\r\n",
    [
      ["a", "b"],
      ["1", "2"],
    ],
  ],
  [
    "a\tb\n1\t",
    [
      ["a", "b"],
      ["1", ""],
    ],
  ],
  ['a\t"x\ny"\t"say ""hi"""\n', [["a", "x\ny", 'say "hi"']]],
  ['5" boru\t"\n', [['5" boru', '"']]],
  ['"a" b\tc', [['"a" b', "c"]]],
  ["\uFEFFKod\n\nA1\n\n\n", [["Kod"], [""], ["A1"]]],
  ["", []],
])("reads the pasted cells of %j", (text, rows) => {
  expect(parsePasted(text)).toEqual(rows);
});

it("writes them as CSV that any cell survives", () => {
  expect(toCsv('Kod\tAd\nA1\t"5"" boru, \nince"')).toBe(
    '\uFEFF"Kod"\t"Ad"\r\n"A1"\t"5"" boru, \nince"\r\n',
  );
});

it("reads cells that begin with a quote in linear time", () => {
  const cells = Array.from({ length: 200_000 }, () => '"""x').join("\t");

  expect(parsePasted(cells)[0]).toHaveLength(200_000);
});

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
      (app, site) =>
        addUploadRoutes(app, site, {
          sentFiles: async () => [],
          create,
          jobs: NO_JOBS,
          allowHosts,
        }),
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
