/** The command that opens the page, typed a second time. */

import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { DraftSummary, Me, Problem } from "@catalog/web";
import { describe, expect, it, onTestFinished } from "vitest";

import { type CatalogProcess, startCatalog } from "../../helpers/processes/catalog-process.ts";
import { goodRows, writeWorkbook } from "../../helpers/product-sheet.ts";
import { planDraft, sendRun, uploadDraft } from "../../helpers/web/drafts.ts";
import { openWeb, type WebServer } from "../../helpers/web/open-web.ts";

interface Home {
  readonly folder: string;
  readonly start: (...args: readonly string[]) => CatalogProcess;
}

function createHome(): Home {
  const cwd = mkdtempSync(join(tmpdir(), "catalog-again-"));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  const folder = join(cwd, "home");
  return { folder, start: (...args) => startCatalog(args, { cwd, env: { CATALOG_HOME: folder } }) };
}

const startAgain = async (
  home: Home,
  ...args: readonly string[]
): Promise<{ readonly code: number; readonly out: string; readonly err: string }> => {
  const { code, out, err } = await home.start("web", "--lang", "tr", ...args).finished;
  return { code: code ?? -1, out, err };
};

const portOf = ({ origin }: Pick<WebServer, "origin">): string => new URL(origin).port;

/** Exchanges the key of the link, and tells the status. */
async function tryLink(text: string): Promise<number> {
  const [link = ""] = /http:\S+#k=[\w-]+/u.exec(text) ?? [];
  const { origin, hash } = new URL(link);
  const body = JSON.stringify({ key: hash.replace("#k=", "") });
  const headers = { origin, "content-type": "application/json" };
  return (await fetch(`${origin}/api/session`, { method: "POST", headers, body })).status;
}

describe("catalog web, started again", { timeout: 120_000 }, () => {
  it("prints a new link to the demo that is open and leaves its store as it is", async () => {
    const home = createHome();
    const open = await openWeb(home, "--demo");
    const session = await open.openSession();
    const market = join(home.folder, "demo", "marketplace-port");
    const read = async (): Promise<readonly unknown[]> => {
      const { text } = await session.call("GET", "/drafts");
      const drafts: readonly DraftSummary[] = JSON.parse(text);
      return [readFileSync(market, "utf8"), drafts.map(({ id }) => id)];
    };
    const before = await read();

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
    expect(await read()).toEqual(before);
  });

  it("finds in the demo's store what was sent to it before it was killed", async () => {
    const home = createHome();
    const state = join(home.folder, "demo", "marketplace.json");
    const isSaved = (): boolean =>
      existsSync(state) && readFileSync(state, "utf8").includes("Deneme ürünü 3");
    const first = await openWeb(home, "--demo");
    const session = await first.openSession();
    const file = await writeWorkbook(home.folder, "a.xlsx", goodRows(3));
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
    expect(() => statSync(join(home.folder, "demo"))).toThrow("ENOENT");
  });

  it("opens one page of two that are started at the same moment", async () => {
    const home = createHome();

    const two = await Promise.all([openWeb(home, "--demo"), openWeb(home, "--demo")]);

    const [first, second] = two;
    expect(first.origin).toBe(second.origin);
    const ended = (): number => two.filter((web) => web.process.child.exitCode === 0).length;
    await expect.poll(ended, { timeout: 20_000 }).toBe(1);
  });

  it("opens a page where an earlier one was killed, and keeps its note private", async () => {
    const home = createHome();
    const note = join(home.folder, "web", "page.json");
    const first = await openWeb(home);
    const secret = readFileSync(note, "utf8");
    expect(statSync(note).mode & 0o777).toBe(0o600);
    first.process.child.kill("SIGKILL");
    await first.process.finished;

    const second = await openWeb(home);

    expect(readFileSync(note, "utf8")).not.toBe(secret);
    expect(second.process.child.exitCode).toBeNull();
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
    const market = join(home.folder, "demo", "marketplace-port");
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
