/** The command that opens the page, typed a second time. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

import type {
  DraftSummary,
  DraftView,
  EditResult,
  ExportView,
  Me,
  Problem,
  RunView,
} from "@catalog/web";
import { describe, expect, it, onTestFinished } from "vitest";

import { callCatalog } from "../../helpers/call-catalog.ts";
import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import {
  type Finished,
  PROCESS_ENV,
  startCatalog,
} from "../../helpers/processes/catalog-process.ts";
import { goodRows, writeCsv, writeWorkbook } from "../../helpers/product-sheet.ts";
import { SOURCE_PATHS, toAbsolutePath } from "../../helpers/source-paths.ts";
import { waitUntil } from "../../helpers/wait-until.ts";
import { planDraft, sendRun, uploadDraft } from "../../helpers/web/drafts.ts";
import {
  openWeb,
  startWeb,
  type WebAnswer,
  type WebServer,
  type WebSession,
} from "../../helpers/web/open-web.ts";
import { getBody, postBody } from "../../helpers/web/runs.ts";

interface Home extends Pick<TestStore, "env" | "folder" | "start"> {
  readonly home: string;
}

/** The program in a folder without credentials. */
function createHome(): Home {
  const folder = mkdtempSync(join(tmpdir(), "catalog-page-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const home = join(folder, "home");
  const env = { CATALOG_HOME: home };
  return { home, env, folder, start: (...args) => startCatalog(args, { cwd: folder, env }) };
}

const read = async <Body>(answer: Promise<WebAnswer>): Promise<Body> => {
  const { status, text } = await answer;
  expect(status, text).toBeLessThan(300);
  return JSON.parse(text);
};

/** The only draft, once its rows are checked. */
async function readReady(session: WebSession): Promise<DraftView> {
  const [first] = await read<readonly DraftSummary[]>(session.call("GET", "/drafts"));
  const path = `/drafts/${first?.id ?? ""}`;
  const view = async (): Promise<DraftView> => read<DraftView>(session.call("GET", path));
  const states = async (): Promise<string> => (await view()).state;
  await expect.poll(states, { timeout: 60_000, interval: 50 }).toBe("ready");
  return await view();
}

const readMe = (session: WebSession): Promise<Me> => read<Me>(session.call("GET", "/me"));

describe("catalog web", () => {
  it("shows a demo whose tab and marketplace go on after another start", async () => {
    const home = createHome();
    const first = await openWeb(home, "--demo");
    const session = await first.openSession();
    const draft = await readReady(session);
    const { store } = await readMe(session);
    const change = { version: draft.version, edits: [{ row: 11, column: 4, value: "Bosch" }] };
    const path = `/drafts/${draft.id}/edits`;
    const edited = await read<EditResult>(session.call("POST", path, change));
    await first.close();

    const second = await startWeb(home, "--demo");
    const resumed = second.resumeSession(session);
    const again = await readReady(resumed);

    expect(second.origin).toBe(first.origin);
    expect((await readMe(resumed)).store).toEqual({ ...store, isSandbox: true });
    expect(draft.counts).toMatchObject({ rows: 60, errors: 8, warnings: 0 });
    expect(edited.counts).toMatchObject({ errors: 7, edited: 1 });
    expect([again.id, again.version]).toEqual([draft.id, edited.version]);
    await second.close();
    expect((await second.process.finished).code).toBe(0);
  });

  it("plans a draft in a process of its own, and refuses one of another version", async () => {
    const session = await (await openWeb(createHome(), "--demo")).openSession();
    const draft = await readReady(session);
    const path = `/drafts/${draft.id}`;
    const view = (): Promise<DraftView> => read<DraftView>(session.call("GET", path));

    const stale = await session.call("POST", `${path}/plan`, { version: draft.version + 1 });
    const planning = await read<DraftView>(
      session.call("POST", `${path}/plan`, { version: draft.version }),
    );
    const isDone = async (): Promise<boolean> => (await view()).progress === null;
    await expect.poll(isDone, { timeout: 60_000, interval: 50 }).toBe(true);
    const planned = await view();

    expect(stale).toMatchObject({ status: 409, body: { code: "E_DRAFT_CHANGED" } });
    expect(planning.progress).toMatchObject({ step: "plan" });
    expect(planned).toMatchObject({ problem: null, run: { isCurrent: true } });
    const run = await read<RunView>(session.call("GET", `/runs/${planned.run?.id ?? ""}`));
    expect(run.plan).toMatchObject({ adds: 52, updates: 0 });
    // The marketplace documents every field of a new product.
    expect(run.capabilities).toEqual([]);
  });

  it("starts without credentials, and keeps those that are entered", async () => {
    const shop = await openTestStore();
    const { CATALOG_BASE_URL: baseUrl = "", CATALOG_STORE_ID: storeId = "" } = shop.env;
    const { clientKey, clientSecret } = shop.sandbox;
    const web = await startWeb(createHome());
    const session = await web.openSession();
    const logIn = (secret: string): Promise<WebAnswer> =>
      session.call("POST", "/login", { baseUrl, storeId, clientKey, clientSecret: secret });

    const before = await readMe(session);
    const upload = await session.call("POST", "/uploads/cells", { text: "Kod\nA1", name: "" });
    const refused = await logIn("wrong");
    const after = await read<Me>(logIn(clientSecret));

    expect(before.store).toBeNull();
    expect(upload).toMatchObject({ status: 503, body: { code: "E_LOGIN_NEEDED" } });
    expect(refused).toMatchObject({ status: 503, body: { code: "AUTH_ERROR" } });
    expect(after.store).toEqual({
      name: null,
      baseUrl,
      storeId,
      isSandbox: false,
      isLocal: true,
      busyWith: null,
      preparing: null,
    });
    await web.close();
    const { err, out } = await web.process.finished;
    expect(out + err).not.toContain(clientSecret);
  });

  it("keeps an upload for its owner only, and until its draft is removed", async () => {
    const shop = await openTestStore();
    const session = await (await openWeb(shop)).openSession();

    const cells = { text: "Ürün Kodu\nA1", name: "" };
    const draft = await read<DraftView>(session.call("POST", "/uploads/cells", cells));
    const uploads = join(shop.folder, "home", "web", "uploads");
    const [name = ""] = readdirSync(uploads);
    expect(statSync(join(uploads, name)).mode & 0o777).toBe(0o600);
    const removed = await session.call("DELETE", `/drafts/${draft.id}`);

    expect([removed.status, existsSync(join(uploads, name))]).toEqual([204, false]);
    expect(await read(session.call("GET", "/drafts"))).toEqual([]);
  });

  it("refuses a port that it cannot use", async () => {
    const shop = await openTestStore();
    const { port } = new URL(shop.sandbox.baseUrl);

    const taken = await shop.run("web", "--port", port);
    const none = await shop.run("web", "--port", "70000");

    expect([taken.code, none.code]).toEqual([2, 2]);
    expect(taken.err).toContain(`${port} numaralı port kullanılamıyor`);
  });
});

describe("a store that has granted nothing", () => {
  it("is reported at the preview and at exports, with who can help and without commands", async () => {
    const { sandbox, folder, env } = await openTestStore({ products: 1 });
    const closed = { ...env, CATALOG_STORE_ID: sandbox.closedStoreId };
    const web = await openWeb({ env: closed, folder });
    const session = await web.openSession();
    const table = Buffer.from("Ürün Kodu;Stok\nSBX-000001;5\n");
    const { id, version } = await uploadDraft(session, "stok.csv", table);

    await postBody(session, `/drafts/${id}/plan`, { version });
    let draft = await getBody<DraftView>(session, `/drafts/${id}`);
    await waitUntil(async () => {
      draft = await getBody<DraftView>(session, `/drafts/${id}`);
      return draft.problem !== null;
    });
    const asked = { kind: "products", format: "xlsx", filters: {}, columns: [] };
    await postBody(session, "/exports", asked);
    let [made] = await getBody<readonly ExportView[]>(session, "/exports");
    await waitUntil(async () => {
      [made] = await getBody<readonly ExportView[]>(session, "/exports");
      return made?.state === "failed";
    });

    for (const problem of [draft.problem, made?.problem]) {
      expect(problem).toMatchObject({ code: "PERMISSION_ERROR" });
      expect(problem?.message).toContain("Mağaza sahibi izni mağaza panelinden verir.");
      expect(problem?.message).not.toMatch(/CATALOG_|catalog |durum \d/u);
    }
  });
});

const startAgain = ({ env, folder: cwd }: Home, ...args: readonly string[]): Promise<Finished> =>
  callCatalog(["web", "--lang", "tr", ...args], { cwd, env: { ...PROCESS_ENV, ...env } });

const portOf = ({ origin }: Pick<WebServer, "origin">): string => new URL(origin).port;

/** Exchanges the key of the link, and tells the status. */
async function tryLink(text: string): Promise<number> {
  const [link = ""] = /http:\S+#k=[\w-]+/u.exec(text) ?? [];
  const { origin, hash } = new URL(link);
  const body = JSON.stringify({ key: hash.replace("#k=", "") });
  const headers = { origin, "content-type": "application/json" };
  return (await fetch(`${origin}/api/session`, { method: "POST", headers, body })).status;
}

describe("catalog web, started again", () => {
  it("prints a new link to the running demo without changing its store", async () => {
    const home = createHome();
    const open = await openWeb(home, "--demo");
    const session = await open.openSession();
    const market = join(home.home, "demo", "marketplace-port");
    const look = async (): Promise<readonly unknown[]> => {
      const { text } = await session.call("GET", "/drafts");
      const drafts: readonly DraftSummary[] = JSON.parse(text);
      return [readFileSync(market, "utf8"), drafts.map(({ id }) => id)];
    };
    const before = await look();

    const same = await startAgain(home, "--demo");
    const samePort = await startAgain(home, "--demo", "--port", portOf(open));
    const otherPort = await startAgain(home, "--demo", "--port", "1");
    const document = await startAgain(home, "--demo", "--json");

    expect([same.code, samePort.code, otherPort.code, document.code]).toEqual([0, 0, 0, 0]);
    expect(same.out).toContain("Sayfa zaten açık");
    expect(otherPort.err).toContain(`Sayfa ${portOf(open)} numaralı portta açık`);
    expect(JSON.parse(document.out)).toMatchObject({
      port: Number(portOf(open)),
      already_open: true,
    });
    // The latest link works once, and none of the others.
    expect(await tryLink(same.out)).toBe(403);
    expect([await tryLink(document.out), await tryLink(document.out)]).toEqual([200, 403]);
    expect(await look()).toEqual(before);
  });

  it("keeps products that were sent to the demo's store before it was killed", async () => {
    const home = createHome();
    const state = join(home.home, "demo", "marketplace.json");
    const isSaved = (): boolean =>
      existsSync(state) && readFileSync(state, "utf8").includes("Deneme ürünü 3");
    const first = await startWeb(home, "--demo");
    const session = await first.openSession();
    const file = await writeWorkbook(home.home, "a.xlsx", goodRows(3));
    const draft = await uploadDraft(session, "a.xlsx", readFileSync(file));
    const sent = await sendRun(session, await planDraft(session, draft));
    await expect.poll(isSaved, { timeout: 60_000 }).toBe(true);

    first.process.child.kill("SIGKILL");
    await first.process.finished;
    const second = await openWeb(home, "--demo");
    await second.close();

    expect(sent.counts.added).toBe(3);
    expect(isSaved()).toBe(true);
  });

  it("takes the port before it touches the store", async () => {
    const home = createHome();
    const other = await openWeb(createHome());

    const refused = await startAgain(home, "--demo", "--port", portOf(other));

    expect(refused.code).toBe(2);
    expect(refused.err).toContain(`${portOf(other)} numaralı port kullanılamıyor`);
    expect(() => statSync(join(home.home, "demo"))).toThrow("ENOENT");
  });

  it("opens one page of two that are started at the same moment", async () => {
    const home = createHome();

    const two = await Promise.all([startWeb(home, "--demo"), startWeb(home, "--demo")]);

    const [first, second] = two;
    expect(first.origin).toBe(second.origin);
    const ended = (): number => two.filter((web) => web.process.child.exitCode === 0).length;
    await expect.poll(ended, { timeout: 20_000 }).toBe(1);
  });

  it("opens a page where an earlier one was killed, and keeps its note private", async () => {
    const home = createHome();
    const note = join(home.home, "web", "page.json");
    const first = await startWeb(home);
    const secret = readFileSync(note, "utf8");
    expect(statSync(note).mode & 0o777).toBe(0o600);
    first.process.child.kill("SIGKILL");
    await first.process.finished;

    const second = await openWeb(home);

    expect(readFileSync(note, "utf8")).not.toBe(secret);
    await second.close();
    expect(() => statSync(note)).toThrow("ENOENT");
  });

  it("does not open a local store that is open on the page of another command", async () => {
    const home = createHome();
    const own = await (await openWeb(home)).openSession();
    const entered = await own.call("POST", "/sandbox", {});
    expect(entered.status).toBe(200);

    const refused = await startAgain(home, "--demo");

    expect(refused.code).toBe(2);
    expect(refused.err).toContain("Yerel mağaza başka bir sayfada açık");
    expect(refused.err).toMatch(/ web\n/u);
  });

  it("refuses the local store to a page while the demo is open", async () => {
    const home = createHome();
    await openWeb(home, "--demo");
    const own = await (await openWeb(home)).openSession();

    const refused = await own.call("POST", "/sandbox", {});

    expect(refused).toMatchObject({ status: 423, body: { code: "E_SANDBOX_BUSY" } });
    expect(refused.text).toContain("web --demo");
    expect((await own.call("GET", "/drafts")).status).toBe(503);
  });

  it("does not take another store where the port of the demo's own is in use", async () => {
    const home = createHome();
    await (await openWeb(home, "--demo")).close();
    const market = join(home.home, "demo", "marketplace-port");
    const kept = readFileSync(market, "utf8");
    const other = createServer();
    await once(other.listen(Number(kept), "127.0.0.1"), "listening");
    onTestFinished(() => void other.close());

    const refused = await startAgain(home, "--demo");

    expect(refused.code).toBe(2);
    expect(refused.err).toContain(`Yerel mağaza ${kept} numaralı portta açılır`);
    expect(readFileSync(market, "utf8")).toBe(kept);
  });

  it("names the command as it was typed", async () => {
    const home = createHome();
    const first = await openWeb(home, "--demo");
    const port = portOf(first);
    await first.close();
    const open = await openWeb(home, "--demo", "--port", port);
    const session = await open.openSession();
    const { command }: Me = JSON.parse((await session.call("GET", "/me")).text);
    const none = await fetch(`${open.origin}/api/me`);
    const problem: Problem = JSON.parse(await none.text());
    const { cookie = "" } = session.headers;
    const headers = { origin: open.origin, cookie, "x-catalog-lang": "tr" };
    const keyless = await fetch(`${open.origin}/api/session`, { method: "DELETE", headers });
    const refusal: Problem = JSON.parse(await keyless.text());
    const drafts: readonly DraftSummary[] = JSON.parse((await session.call("GET", "/drafts")).text);

    expect(command).toMatch(new RegExp(`catalog\\S* web --demo --port ${port}$`, "u"));
    expect([none.status, problem.command]).toEqual([401, command]);
    expect([keyless.status, refusal.code]).toEqual([403, "E_WRITE_KEY"]);
    expect(refusal.message).toContain(`${command} komutunu yeniden çalıştırıp`);
    expect(drafts).toHaveLength(1);
  });
});

/** Starts the program as the page does, and tells each phase that it reports. */
const PARENT = `
  import { spawn } from "node:child_process";
  import { openSync } from "node:fs";
  const [program, out, err, ...words] = process.argv.slice(1);
  const child = spawn(process.execPath, [program, ...words], {
    detached: true,
    stdio: ["ignore", openSync(out, "w"), openSync(err, "w"), "ipc"],
  });
  console.log(JSON.stringify({ pid: child.pid }));
  child.on("message", (message) => console.log(JSON.stringify(message)));
`;

interface Parent {
  /** Reads progress until one is of the phase, and has begun. */
  reach(phase: string): Promise<void>;
  kill(): void;
  /** Whether the program that it started has ended. */
  hasChildEnded(): boolean;
}

function startParent({ env, folder }: TestStore, out: string, words: readonly string[]): Parent {
  const program = toAbsolutePath(SOURCE_PATHS.catalogProgram);
  const args = ["--input-type=module", "-e", PARENT, program, out, `${out}.err`, ...words];
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { ...PROCESS_ENV, HOME: folder, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let told = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (told += text));
  return {
    reach: (phase) =>
      expect.poll(() => told, POLL).toMatch(new RegExp(`"${phase}","done":[1-9]`, "u")),
    kill: () => void child.kill("SIGKILL"),
    hasChildEnded: () => !isRunning(Number(/"pid":(\d+)/u.exec(told)?.[1])),
  };
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const POLL = { timeout: 60_000, interval: 5 };

it("a command runs to its end after the program that started it is killed", async () => {
  const shop = await openTestStore({ latencyMs: 20 });
  const file = writeCsv(shop.folder, "a.csv", goodRows(30));
  const out = join(shop.folder, "out.json");
  const words = ["import", file, "--yes", "--json", "--concurrency", "2"];
  const parent = startParent(shop, out, words);

  await parent.reach("send");
  const sentBefore = shop.sandbox.stats().adds;
  parent.kill();
  await expect.poll(() => parent.hasChildEnded(), POLL).toBe(true);

  expect(sentBefore).toBeLessThan(30);
  expect(JSON.parse(readFileSync(out, "utf8"))).toMatchObject({ exit: 0, counts: { added: 30 } });
  expect(shop.sandbox.products()).toHaveLength(30);
});

describe("the program of the page", () => {
  it("ends with 0 when it is closed on the page, and keeps what was done", async () => {
    const home = createHome();
    const first = await startWeb(home, "--demo");
    const session = await first.openSession();
    await session.upload("a.csv", Buffer.from("Ürün Kodu;Stok\nKOD-1;5\n"));
    const drafts = await read<readonly DraftSummary[]>(session.call("GET", "/drafts"));

    const { status } = await session.call("POST", "/close");
    const ended = await first.process.finished;
    const again = await openWeb(home, "--demo");

    expect([status, ended.code]).toEqual([204, 0]);
    const kept = await read<readonly DraftSummary[]>(
      again.resumeSession(session).call("GET", "/drafts"),
    );
    expect(kept.map(({ id }) => id)).toEqual(drafts.map(({ id }) => id));
  });
});

describe.skipIf(process.platform !== "linux")("the icon of the page", () => {
  it("is put on the desktop, opens the page, and is taken away again", async () => {
    const { folder, home, env } = createHome();
    mkdirSync(join(folder, "Desktop"));
    const [opener, opened] = [join(folder, "xdg-open"), join(folder, "opened.txt")];
    writeFileSync(
      opener,
      `#!/bin/sh\nprintf '%s' "$1" > "${opened}.part"\nmv "${opened}.part" "${opened}"\n`,
    );
    chmodSync(opener, 0o755);
    const person = {
      ...env,
      HOME: folder,
      XDG_DATA_HOME: "",
      XDG_CONFIG_HOME: "",
      DBUS_SESSION_BUS_ADDRESS: "",
    };
    const call = (...args: readonly string[]): Promise<Finished> =>
      startCatalog(["web", ...args], { cwd: folder, env: person }).finished;
    const icon = join(folder, "Desktop/catalog-toolkit-demo.desktop");

    const made = await call("--install", "--demo", "--json");
    const exec = /^Exec=(.*)$/mu.exec(readFileSync(icon, "utf8"))?.[1] ?? "";
    const words = [...exec.matchAll(/"((?:[^"\\]|\\.)*)"/gu)].map(([, word = ""]) => word);
    const [program = "", ...rest] = words;
    const path = `${folder}${delimiter}${process.env["PATH"] ?? ""}`;
    const page = spawn(program, rest, {
      env: { ...process.env, ...person, PATH: path },
      stdio: "ignore",
    });
    onTestFinished(() => void page.kill("SIGKILL"));
    await waitUntil(() => existsSync(opened));
    page.kill("SIGTERM");
    await once(page, "exit");
    const removed = await call("--uninstall", "--demo", "--json");

    expect(JSON.parse(made.out)).toMatchObject({ written: expect.arrayContaining([icon]) });
    expect(readFileSync(opened, "utf8")).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#k=/u);
    expect(JSON.parse(removed.out)).toMatchObject({ changed: [] });
    expect([existsSync(icon), existsSync(home)]).toEqual([false, true]);
  });
});
