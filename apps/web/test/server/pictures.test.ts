import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";

import {
  createTestConnection,
  CUP,
  type StoredRow,
  storeRun,
  type TestConnection,
} from "@catalog/connection/testing";
import type { ThumbnailImage } from "@catalog/images";
import { describe, expect, it, onTestFinished } from "vitest";

import { cellVersion } from "../../src/api/cell-version.ts";
import { createPictures } from "../../src/server/pictures.ts";
import {
  openSession,
  type PageHeaders,
  type PageServer,
  startPageServer,
} from "../helpers/page-server.ts";
import { createFolder } from "../helpers/temporary-folder.ts";

const JPEG = readFileSync(new URL("../fixtures/picture.jpg", import.meta.url));

const RUN = "r-260101-0000-0001";
const DRAFT = "d-260101-0000-000000000001";

interface Page extends PageServer {
  readonly connection: TestConnection["connection"];
  readonly headers: PageHeaders;
  /** Addresses that were asked for at the server of images. */
  readonly asked: readonly string[];
  readonly imageHost: string;
  readonly get: (path: string, headers?: Readonly<Record<string, string>>) => Promise<Response>;
}

interface PageOptions {
  readonly answer?: RequestListener;
  /** What the row of each draft names; `/a.jpg` stands for an address of the server of images. */
  readonly images?: readonly ThumbnailImage[];
  /** Text of the cell. */
  readonly text?: string;
  /** The product that the row was made of. */
  readonly made?: { readonly images: readonly string[] };
  readonly isSandbox?: boolean;
}

const startCommand = (): never => {
  throw new Error("no command is started");
};

async function startPage(options: PageOptions = {}): Promise<Page> {
  const { answer = (_request, response) => void response.end(JPEG), images = [] } = options;
  const asked: string[] = [];
  const imageServer = createServer((request, response) => {
    asked.push(request.url ?? "");
    answer(request, response);
  });
  await once(imageServer.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    imageServer.closeAllConnections();
    imageServer.close();
  });
  const address = imageServer.address();
  const imageHost = `127.0.0.1:${typeof address === "object" ? (address?.port ?? 0) : 0}`;
  const { connection, clock } = await createTestConnection();
  const folder = createFolder();
  const pictures = createPictures({
    images: () => (options.isSandbox === true ? undefined : { allowHosts: [imageHost] }),
    sandboxUrl: () => (options.isSandbox === true ? `http://${imageHost}` : undefined),
    drafts: {
      open: async () => ({
        live: {
          images: async () => ({
            codeKey: null,
            made: options.made,
            text: options.text,
            images: images.map(({ kind, text }) => ({
              kind,
              text: text.startsWith("/") ? `http://${imageHost}${text}` : text,
            })),
          }),
        },
      }),
    },
  });
  onTestFinished(() => pictures[Symbol.asyncDispose]());
  const store = { connection: async () => connection, outage: () => undefined };
  const site = { clock, store, folder, startCommand };
  const server = await startPageServer({ site, folder, routes: [pictures.addRoutes] });
  const headers = await openSession(server);
  const get: Page["get"] = (path, more = {}) =>
    fetch(`${server.origin}/api${path}`, { headers: { ...headers, ...more } });
  return { ...server, connection, headers, asked, imageHost, get };
}

const ofDraft = (query = ""): string => `/drafts/${DRAFT}/image?row=2${query}`;

const named = (text: string): ThumbnailImage => ({ kind: "address", text });

describe("an image of a draft", () => {
  it("comes from this server, as a JPEG that the browser keeps for this person", async () => {
    const page = await startPage({ images: [named("/a.jpg"), named("/b.jpg")] });

    const first = await page.get(ofDraft("&n=1&v=7"));
    const etag = first.headers.get("etag") ?? "";
    const again = await page.get(ofDraft("&n=1"), { "if-none-match": etag });

    expect([first.status, first.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
    expect(first.headers.get("cache-control")).toBe("private, max-age=86400, immutable");
    expect(first.headers.get("x-content-type-options")).toBe("nosniff");
    expect(first.headers.get("content-security-policy")).toContain("img-src 'self' data:");
    expect([again.status, again.headers.get("cache-control")]).toEqual([304, "private, no-cache"]);
    expect(page.asked).toEqual(["/b.jpg"]);
  });

  it("is that of the product that the row was made of, where the row names none", async () => {
    const drawn = { images: ["https://images.example/1.jpg"] };
    const page = await startPage({ made: drawn, isSandbox: true });

    const found = [await page.get(ofDraft()), await page.get(ofDraft("&column=2"))];

    expect(found.map(({ status }) => status)).toEqual([200, 204]);
    expect(page.asked).toHaveLength(1);
  });

  it("is nothing for a page without a session", async () => {
    const page = await startPage({ images: [named("/a.jpg")] });

    const answer = await fetch(`${page.origin}/api${ofDraft()}`);

    expect([answer.status, page.asked]).toEqual([401, []]);
  });

  it.each<readonly [what: string, answer: RequestListener]>([
    [
      "a drawing that says it is a JPEG",
      (_request, response) => {
        response.setHeader("content-type", "image/jpeg");
        response.end(`<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`);
      },
    ],
    ["nothing", (_request, response) => void response.writeHead(404).end()],
    [
      "the way to a private address",
      (_request, response) =>
        void response.writeHead(302, { location: "http://169.254.169.254/" }).end(),
    ],
  ])("that is %s is answered with nothing", async (_what, answer) => {
    const page = await startPage({ images: [named("/a.jpg")], answer });

    const found = await page.get(ofDraft());

    expect([found.status, await found.text()]).toEqual([204, ""]);
    expect(found.headers.get("cache-control")).toBe("no-store");
  });

  it("is not asked of an address of this computer", async () => {
    const page = await startPage({ images: [named("http://127.0.0.1:9/a.jpg")], isSandbox: true });

    const found = await page.get(ofDraft());

    expect([found.status, page.asked]).toEqual([204, []]);
  });

  it("is what the local marketplace draws for an address that nobody has", async () => {
    const images = [
      named("https://sandbox.example/images/KOD-1-2.jpg"),
      named("https://ornek.example/urunler/101.jpg"),
    ];
    const page = await startPage({ images, isSandbox: true });

    const found = [await page.get(ofDraft()), await page.get(ofDraft("&n=1"))];

    expect(found.map(({ status }) => status)).toEqual([200, 200]);
    expect(page.asked).toEqual(["/images/KOD-1-2.jpg", "/images/urunler/101.jpg"]);
  });

  it.each([
    "?row=2&url=http://127.0.0.1/",
    "?row=2&n=1000000",
    "?row=2&n=-1",
    "?row=2&n=x",
    "?row=0",
    "?row=1e999",
    "?row=-1",
    "?row=",
    "",
    "?row=2&size=huge",
    "?row=2&column=-1",
    "?row=2&column=16384",
    "?row=2&row=3",
    "?row[]=2",
    `?row=2&v=${"x".repeat(200)}`,
    "?row=9007199254740993",
    "?row=2&size=__proto__",
  ])("is asked for by numbers alone: %s", async (query) => {
    const page = await startPage();

    const answers = await Promise.all(
      [`/drafts/${DRAFT}`, `/runs/${RUN}`].map((path) => page.get(`${path}/image${query}`)),
    );

    for (const { status } of answers) expect([204, 400, 404]).toContain(status);
    expect([page.asked, page.bugs, existsSync(`${page.folder}/thumbnails`)]).toEqual([
      [],
      [],
      false,
    ]);
  });

  it("is loaded once for a thousand requests", async () => {
    const page = await startPage({ images: [named("/a.jpg"), named("/b.jpg"), named("/c.jpg")] });
    const paths = Array.from({ length: 1_000 }, (_, at) => ofDraft(`&n=${at % 3}`));
    const getAll = (): Promise<readonly number[]> =>
      Promise.all(paths.map(async (path) => (await page.get(path)).status));

    await getAll();
    for (const n of [0, 1, 2]) await page.get(ofDraft(`&n=${n}`));

    expect(new Set(await getAll())).toEqual(new Set([200]));
    expect(page.asked.toSorted((a, b) => a.localeCompare(b))).toEqual([
      "/a.jpg",
      "/b.jpg",
      "/c.jpg",
    ]);
  });

  it("is not that of the text that stood in the cell before", async () => {
    const page = await startPage({ images: [named("/a.jpg")], text: "/a.jpg" });

    const found: Response[] = [];
    for (const text of ["/b.jpg", "/a.jpg"]) {
      found.push(await page.get(ofDraft(`&column=1&v=${cellVersion(text)}`)));
    }

    expect(found.map(({ status }) => status)).toEqual([204, 200]);
    expect(found[0]?.headers.get("cache-control")).toBe("no-store");
  });
});

const rowWith = (images: (typeof CUP)["images"]): StoredRow => ({
  cells: ["KOD"],
  action: "add",
  payload: { ...CUP, images },
});

describe("an image of a row of a run", () => {
  it("is the one that is sent, in either shape", async () => {
    const page = await startPage();
    const at = (path: string): string => `http://${page.imageHost}${path}`;
    await storeRun(page.connection, {
      id: RUN,
      header: ["Ürün Kodu"],
      rows: [rowWith([at("/1.jpg"), at("/2.jpg")]), rowWith([{ url: at("/3.jpg") }])],
    });

    const queries = ["?row=2", "?row=2&n=1", "?row=3", "?row=3&n=1", "?row=4"];
    const found: Response[] = [];
    for (const query of queries) found.push(await page.get(`/runs/${RUN}/image${query}`));

    expect(found.map(({ status }) => status)).toEqual([200, 200, 200, 204, 204]);
    expect(page.asked.toSorted((a, b) => a.localeCompare(b))).toEqual([
      "/1.jpg",
      "/2.jpg",
      "/3.jpg",
    ]);
  });
});
