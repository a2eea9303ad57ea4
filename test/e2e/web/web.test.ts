import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { DraftSummary, DraftView, EditResult, Me, RunView } from "@catalog/web";
import { describe, expect, it, onTestFinished } from "vitest";

import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import { startCatalog } from "../../helpers/processes/catalog-process.ts";
import { openWeb, type WebAnswer, type WebSession } from "../../helpers/web/open-web.ts";

/** The program in a folder without credentials. */
function createHome(): Pick<TestStore, "start"> {
  const cwd = mkdtempSync(join(tmpdir(), "catalog-page-"));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  const env = { CATALOG_HOME: join(cwd, "home") };
  return { start: (...args) => startCatalog(args, { cwd, env }) };
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

describe("catalog web", { timeout: 120_000 }, () => {
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

    const second = await openWeb(home, "--demo");
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
    const web = await openWeb(createHome());
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
