import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { describe, expect, it, onTestFinished } from "vitest";

import { openTestStore } from "../../helpers/markets/test-store.ts";
import { type Answer, type PageClient, startPage } from "../../helpers/page-client.ts";

const POLL = { timeout: 60_000, interval: 50 };

/** A folder without credentials. */
function createHome(): { readonly cwd: string; readonly env: Readonly<Record<string, string>> } {
  const cwd = mkdtempSync(join(tmpdir(), "catalog-page-"));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  return { cwd, env: { CATALOG_HOME: join(cwd, "home") } };
}

async function openPage(options: Parameters<typeof startPage>[0]): Promise<PageClient> {
  const page = await startPage(options);
  onTestFinished(() => void page.process.child.kill("SIGKILL"));
  return page;
}

/** The only draft, once its rows are checked. */
async function readReady(page: PageClient): Promise<Answer> {
  let draft: Answer = {};
  const read = async (): Promise<unknown> => {
    const [first] = Object.values(await page.call("GET", "/drafts"));
    const { id } = { id: undefined, ...(typeof first === "object" ? first : {}) };
    draft = await page.call("GET", `/drafts/${String(id)}`);
    return draft["state"];
  };
  await expect.poll(read, POLL).toBe("ready");
  return draft;
}

describe("catalog web", { timeout: 120_000 }, () => {
  it("shows a demo whose tab and marketplace go on after another start", async () => {
    const at = createHome();
    const first = await openPage({ ...at, args: ["--demo"] });
    const draft = await readReady(first);
    const { store } = await first.call("GET", "/me");
    const edits = [{ row: 11, column: 4, value: "Bosch" }];
    const change = { version: draft["version"], edits };
    const edited = await first.call("POST", `/drafts/${String(draft["id"])}/edits`, change);
    const ended = await first.end();

    const second = await openPage({ ...at, args: ["--demo"], headers: first.headers });
    const again = await readReady(second);

    expect([ended.code, second.port]).toEqual([0, first.port]);
    expect(store).toMatchObject({ isSandbox: true });
    expect(await second.call("GET", "/me")).toMatchObject({ store });
    expect(draft["counts"]).toMatchObject({ rows: 60, errors: 7, warnings: 1 });
    expect(edited["counts"]).toMatchObject({ errors: 6, edited: 1 });
    expect([again["id"], again["version"]]).toEqual([draft["id"], edited["version"]]);
    expect((await second.end()).code).toBe(0);
  });

  it("starts without credentials, and keeps those that are entered", async () => {
    const shop = await openTestStore();
    const { CATALOG_BASE_URL: baseUrl = "", CATALOG_STORE_ID: storeId = "" } = shop.env;
    const { clientKey, clientSecret } = shop.sandbox;
    const at = createHome();
    const page = await openPage({ ...at, args: [] });

    const before = await page.call("GET", "/me");
    const upload = page.call("POST", "/uploads/cells", { text: "Kod\nA1", name: "" });
    await expect(upload).rejects.toThrow(/503 .*E_LOGIN_NEEDED/u);
    const wrong = { baseUrl, storeId, clientKey, clientSecret: "wrong" };
    await expect(page.call("POST", "/login", wrong)).rejects.toThrow(/503 .*AUTH_ERROR/u);
    const after = await page.call("POST", "/login", { baseUrl, storeId, clientKey, clientSecret });

    expect(before["store"]).toBeNull();
    expect(after["store"]).toEqual({ baseUrl, storeId, isSandbox: false, busyWith: null });
    const { err, out } = await page.end();
    expect(out + err).not.toContain(clientSecret);
  });

  it("keeps its files for its owner, and no upload of a draft that was removed", async () => {
    const shop = await openTestStore();
    const page = await openPage({ env: shop.env, cwd: shop.folder, args: [] });

    const draft = await page.call("POST", "/uploads/cells", { text: "Ürün Kodu\nA1", name: "" });
    const uploads = join(shop.folder, "home", "web", "uploads");
    const [name = ""] = readdirSync(uploads);
    expect(statSync(join(uploads, name)).mode & 0o777).toBe(0o600);
    await page.call("DELETE", `/drafts/${String(draft["id"])}`);

    expect(existsSync(join(uploads, name))).toBe(false);
    expect(Object.values(await page.call("GET", "/drafts"))).toEqual([]);
    await page.end();
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
