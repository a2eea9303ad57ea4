/** A server of the page on a free port, with a page of two files and a store that makes no call. */

import { join } from "node:path";

import { createFakeClock, type FakeClock } from "@catalog/clock/testing";
import { openConnection } from "@catalog/connection";
import { onTestFinished } from "vitest";

import { createLinkKeys, type LinkKeys } from "../../src/server/access.ts";
import { createServer } from "../../src/server/create-server.ts";
import type { DescribeError } from "../../src/server/failures.ts";
import type { ArrivalLimits } from "../../src/server/page-app.ts";
import type { AddRoutes, Site, Topic } from "../../src/server/site.ts";
import { createWorkplace } from "../../src/server/workplace.ts";
import { createFolder } from "./temporary-folder.ts";

export interface PageServerOptions {
  /** Routes besides those of every server. @default none */
  readonly routes?: readonly AddRoutes[];
  readonly topics?: readonly Topic[];
  /** Folder of the page in the home. @default a new one */
  readonly folder?: string;
  /** @default any free one */
  readonly port?: number;
  /** @default those of every server */
  readonly arrival?: ArrivalLimits;
  /** @default no error is known */
  readonly describeError?: DescribeError;
  /** @default the page cannot end the program */
  readonly onClose?: () => void;
  /** @default one whose store makes no call, and which starts no command */
  readonly site?: Site;
}

export interface PageServer {
  readonly port: number;
  readonly origin: string;
  readonly clock: FakeClock;
  readonly links: LinkKeys;
  readonly folder: string;
  /** Errors that nobody expected. */
  readonly bugs: readonly unknown[];
  /** Methods and addresses of all its routes, such as `GET /api/me`. */
  readonly endpoints: readonly string[];
  close(): Promise<void>;
}

/** What the command that is started again asks for a link with. */
export const LINK_SECRET = "secret-of-the-note";

const PAGE = { "index.html": "<!doctype html><title>page</title>", "assets/a-1.js": "let a;" };

/** Starts the server; it is closed when the test ends. */
export async function startPageServer(options: PageServerOptions = {}): Promise<PageServer> {
  const { folder = createFolder(), port = 0 } = options;
  const clock = createFakeClock(Date.UTC(2026, 0, 1));
  const links = createLinkKeys(clock);
  const bugs: unknown[] = [];
  await using resources = new AsyncDisposableStack();
  const site = options.site ?? openOwnSite({ folder, clock, resources });
  const app = await createServer({
    site,
    links,
    linkSecret: LINK_SECRET,
    command: "catalog web --demo --port 4000",
    user: "ayse",
    sessionFolder: folder,
    pageFolder: createFolder(PAGE),
    routes: options.routes ?? [],
    topics: options.topics ?? [],
    describeError: options.describeError ?? (() => undefined),
    onBug: (error) => bugs.push(error),
    arrival: options.arrival,
    onClose: options.onClose,
  });
  await app.listen({ host: "127.0.0.1", port });
  const address = app.server.address();
  const used = typeof address === "object" ? (address?.port ?? 0) : 0;
  const own = resources.move();
  const close = async (): Promise<void> => {
    await app.close();
    await own[Symbol.asyncDispose]();
  };
  onTestFinished(close);
  const origin = `http://127.0.0.1:${used}`;
  const endpoints = readEndpoints(app.printRoutes({ commonPrefix: false }));
  return { port: used, origin, clock, links, folder, bugs, endpoints, close };
}

/** Reads the tree that the server prints of its routes, whose lines are indented by four. */
function readEndpoints(tree: string): readonly string[] {
  const parts: string[] = [];
  return tree.split("\n").flatMap((line) => {
    const [, indent = "", part = "", methods] =
      /^([│\s]*)[├└]── (\S+|\(empty root node\))(?: \(([A-Z, ]+)\))?$/u.exec(line) ?? [];
    parts.splice(indent.length / 4, parts.length, part.startsWith("(") ? "" : part);
    return (methods?.split(", ") ?? []).map((method) => `${method} ${parts.join("")}`);
  });
}

interface OwnSite {
  readonly folder: string;
  readonly clock: FakeClock;
  readonly resources: AsyncDisposableStack;
}

function openOwnSite({ folder, clock, resources }: OwnSite): Site {
  const store = resources.use(openStore(folder, clock));
  return { clock, store, folder, startCommand: startNothing };
}

const startNothing = (): never => {
  throw new Error("no command is started");
};

/** A store whose marketplace is nowhere; opening it makes no call. */
function openStore(folder: string, clock: FakeClock): ReturnType<typeof createWorkplace> {
  return createWorkplace({
    place: { home: folder, isSandbox: false },
    openConnection: () =>
      openConnection({
        home: join(folder, "home"),
        baseUrl: "http://127.0.0.1:9",
        storeId: "0123456789abcdef01234567",
        credentials: { clientKey: "key", clientSecret: "secret" },
        clock,
        random: () => 0,
      }),
  });
}

/** What a page sends with each of its requests. */
export interface PageHeaders extends Record<string, string> {
  readonly origin: string;
  readonly cookie: string;
  readonly "x-catalog": string;
}

/** Opens a session, as the page does with its link. */
export async function openSession({ origin, links }: PageServer): Promise<PageHeaders> {
  const response = await fetch(`${origin}/api/session`, {
    method: "POST",
    headers: { origin, "content-type": "application/json" },
    body: JSON.stringify({ key: links.create() }),
  });
  const { writeKey }: { writeKey: string } = JSON.parse(await response.text());
  const cookie = (response.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
  return { origin, cookie, "x-catalog": writeKey };
}
