import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { createFakeClock } from "@catalog/clock/testing";
import { TOKEN_VALIDITY_MS } from "@catalog/contract";
import { describe, expect, it, onTestFinished } from "vitest";

import { parseSnapshot } from "../../src/admin/admin-api.ts";
import { openTestClient, readAnswer, sendJson, type TestClient } from "../helpers/test-client.ts";
import { ask } from "../helpers/wire.ts";

describe("createAdminApi", () => {
  it("clears counts, violations, hours and faults on reset, but keeps tokens", async () => {
    const { sandbox, add, get } = await openTestClient({
      faults: [{ kind: "html", endpoint: "category.list", nth: 2 }],
    });
    await add({ properties: [] });
    await get("/v1.1/category/", { colour: "red" });

    sandbox.reset();

    expect(sandbox.inspect()).toMatchObject({
      stats: { products: 0, requests: 0 },
      calls: { lastHour: 0, busiestHour: 0 },
      tokens: [{ isValid: true }],
      productsByCode: {},
      violations: [],
      undocumented: [],
    });
    // The fault meets the second call after the reset, not the first one.
    expect((await get("/v1.1/category/")).httpStatus).toBe(200);
  });

  it("approves products and ends tokens over HTTP", async () => {
    const { sandbox, add, get } = await openTestClient({
      personality: { "new-product": "after-approval" },
    });
    await add();

    const approved = await sendJson(`${sandbox.baseUrl}/_sandbox/approve`, {});
    const listed = await get(`/v1.1/product/store/${sandbox.storeId}`);
    const ended = await sendJson(`${sandbox.baseUrl}/_sandbox/end-tokens`, {});
    const refused = await get("/v1.1/category/");

    expect(approved.data).toEqual({ approved: 1 });
    expect(listed.data).toMatchObject({ total: 1 });
    expect(ended.data).toEqual({ status: true });
    expect(refused.httpStatus).toBe(401);
    expect(sandbox.inspect().tokens).toEqual([]);
  });
});

describe("addAdminRoutes", () => {
  it("returns the stats without a token and does not count the request", async () => {
    const { sandbox, add } = await openTestClient();
    await add();

    const answer = await readAnswer(await fetch(`${sandbox.baseUrl}/_sandbox/stats`));

    expect(answer.headers.get("x-sandbox")).toBe("1");
    expect(answer.data).toEqual({
      products: 1,
      adds: 1,
      updates: 0,
      tokens: 1,
      requests: 2,
      byEndpoint: { "token.create": 1, "product.add": 1 },
    });
    expect(answer.data).toEqual(sandbox.stats());
  });

  it("returns every product with a code", async () => {
    const { sandbox, add } = await openTestClient({ products: 3 });
    const ids = [await add(), await add()];

    const all = await readAnswer(await fetch(`${sandbox.baseUrl}/_sandbox/products`));
    const some = await readAnswer(await fetch(`${sandbox.baseUrl}/_sandbox/products?code=KSK-001`));

    expect(all.data).toHaveLength(5);
    expect(some.data).toEqual(ids.map((id) => expect.objectContaining({ id })));
  });

  it("restores the start on reset, and keeps tokens valid", async () => {
    const { sandbox, add, get } = await openTestClient({ products: 3 });
    const before = sandbox.products();
    await add();

    const { data } = await sendJson(`${sandbox.baseUrl}/_sandbox/reset`, {});
    const later = await get("/v1.1/category/");

    expect(data).toEqual({ status: true });
    expect(sandbox.products()).toEqual(before);
    expect(later.httpStatus).toBe(200);
    expect(sandbox.stats()).toMatchObject({ products: 3, adds: 0, tokens: 0, requests: 1 });
  });
});

describe("inspect", () => {
  it("returns counts, codes, tokens and hours, over HTTP and as method", async () => {
    const clock = createFakeClock(1000);
    const { sandbox, add } = await openTestClient({ clock });
    const ids = [await add(), await add(), await add({ product_code: "X" })];

    const answer = await readAnswer(await fetch(`${sandbox.baseUrl}/_sandbox/inspection`));

    expect(answer.data).toEqual({
      stats: sandbox.stats(),
      calls: { lastHour: 4, busiestHour: 4 },
      tokens: [
        {
          ip: "127.0.0.1",
          grantedAtMs: 1000,
          expiresAtMs: 1000 + TOKEN_VALIDITY_MS,
          isValid: true,
        },
      ],
      productsByCode: { "KSK-001": 2, X: 1 },
      doubles: { "KSK-001": ids.slice(0, 2) },
      effects: {},
      repeatedEffects: {},
      otherPersonEffects: {},
      violations: [],
      undocumented: [],
    });
    expect(answer.data).toEqual(sandbox.inspect());
  });

  it("shows when a token expires, and never its value", async () => {
    const clock = createFakeClock();
    const { sandbox, token } = await openTestClient({ clock });

    await clock.advance(TOKEN_VALIDITY_MS);

    expect(sandbox.inspect().tokens).toMatchObject([{ isValid: false }]);
    expect(JSON.stringify(sandbox.inspect())).not.toContain(token);
  });
});

function openFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "sandbox-snapshot-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const options = {
  requestsPerHour: 6,
  personality: { "new-product": "after-approval" },
  faults: [{ kind: "html", endpoint: "product.list", nth: 2 }],
} as const;

/** A sandbox with a record of every kind. */
async function openBusy() {
  const clock = createFakeClock(1000);
  const visitor = await openTestClient({ ...options, clock, products: 2 });
  await visitor.add({ properties: [] });
  await visitor.get(`/v1.1/product/store/${visitor.sandbox.storeId}`, { colour: "red" });
  return { clock, ...visitor };
}

describe("a snapshot", () => {
  it("restores state and counters in another sandbox", async () => {
    const path = join(openFolder(), "sandbox.json");
    const { clock, sandbox, token } = await openBusy();

    await sandbox.snapshot(path);
    const other = await openTestClient({ ...options, clock });
    await other.sandbox.restore(path);

    expect(other.sandbox.inspect()).toEqual(sandbox.inspect());
    expect(other.sandbox.products()).toEqual(sandbox.products());
    expect(sandbox.inspect()).toMatchObject({
      stats: { products: 3, requests: 3 },
      undocumented: [{ field: "properties" }],
      violations: expect.arrayContaining([expect.objectContaining({ field: "colour" })]),
    });
    // The token, the quota and the faults continue where they were.
    const listing = `${other.sandbox.baseUrl}/v1.1/product/store/${sandbox.storeId}`;
    const answers = [];
    for (let call = 0; call < 4; call += 1) {
      answers.push(await ask(`${listing}?access_token=${token}`));
    }
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    expect(answers.map(({ text }) => text.startsWith("<"))).toEqual([true, false, false, false]);
  });

  it("can be restored over HTTP", async () => {
    const { sandbox, add } = await openBusy();
    const before = sandbox.inspect();

    const { text } = await ask(`${sandbox.baseUrl}/_sandbox/snapshot`);
    const id = await add({ product_code: "NEW" });
    const body: unknown = JSON.parse(text);
    const answer = await ask(`${sandbox.baseUrl}/_sandbox/restore`, { body });

    expect(answer.status).toBe(200);
    expect(sandbox.inspect()).toEqual(before);
    expect(await add({ product_code: "NEW" })).toBe(id);
  });

  it("of another seed is refused, over HTTP with 400", async () => {
    const path = join(openFolder(), "sandbox.json");
    const one = await openTestClient({ seed: "one" });
    const { sandbox } = await openTestClient({ seed: "two" });

    await one.sandbox.snapshot(path);
    const { text } = await ask(`${one.sandbox.baseUrl}/_sandbox/snapshot`);
    const body: unknown = JSON.parse(text);
    const answer = await ask(`${sandbox.baseUrl}/_sandbox/restore`, { body });

    await expect(sandbox.restore(path)).rejects.toThrow('of the seed "one", not "two"');
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.text)).toMatchObject({ data: { status: false } });
  });

  it.each(["", "{", "[]", '{"format":"other"}'])("is refused from a file with %j", async (text) => {
    const path = join(openFolder(), "sandbox.json");
    writeFileSync(path, text);
    const { sandbox } = await openTestClient({ products: 1 });

    await expect(sandbox.restore(path)).rejects.toThrow("not a snapshot");
    expect(sandbox.products()).toHaveLength(1);
  });
});

describe("parseSnapshot", () => {
  it("names an invalid product in its error", async () => {
    const { sandbox } = await openTestClient({ products: 1 });
    const { text } = await ask(`${sandbox.baseUrl}/_sandbox/snapshot`);
    const [product] = sandbox.products();

    const raw = { ...JSON.parse(text), products: [{ ...product, sid: "one" }] };

    expect(() => parseSnapshot(raw)).toThrow("products.0: is not a product of a sandbox");
  });
});

const DAY_MS = 24 * 60 * 60 * 1000;

/** Reads everything of the state that a client can see; the store's id follows from the seed. */
async function look(
  { sandbox }: TestClient,
  { token }: Pick<TestClient, "token">,
): Promise<readonly unknown[]> {
  const store = `store/${sandbox.storeId}`;
  const paths: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
    [`/v1.1/order/${store}`, { days: "400" }],
    [`/v1.1/comment/store-comments/${store}`, { limit: "50" }],
    [`/v1.1/comment/commented-products/${store}`, { limit: "50" }],
    [`/v1.0/question/${store}`, { limit: "50" }],
    [`/v1.0/payment/${store}`, { limit: "50" }],
    [`/v1.0/shipping-template/${store}`, { limit: "50" }],
    [`/v1.1/product/${store}`, { limit: "50" }],
  ];
  return Promise.all(
    paths.map(async ([path, query]) => {
      const search = new URLSearchParams({ access_token: token, ...query }).toString();
      const { status, text } = await ask(`${sandbox.baseUrl}${path}?${search}`);
      expect(status).toBe(200);
      return JSON.parse(text);
    }),
  );
}

/** Moves a package, answers a question and makes a template. */
async function change({ get, post, sandbox }: TestClient): Promise<void> {
  const store = `store/${sandbox.storeId}`;
  const orders = await get(`/v1.1/order/${store}`, { days: "400", status: "1" });
  const questions = await get(`/v1.0/question/${store}`, { unanswered: "1" });
  const templates = await get(`/v1.0/shipping-template/${store}`);
  const answers = [
    await post(`/v1.1/order/accept/${store}`, { package_id: idIn(orders.data, "package_id") }),
    await post(`/v1.0/question/reply/${store}`, {
      product_question_id: idIn(questions.data, "id"),
      message: "Evet",
    }),
    await post(`/v1.0/shipping-template/update/${store}`, {
      shipping_template_id: idIn(templates.data, "id"),
      shipping_note: "Yeni not",
    }),
  ];
  expect(answers.map(({ httpStatus }) => httpStatus)).toEqual([200, 200, 200]);
}

/** The first text with this name, at any depth. */
function idIn(data: unknown, name: string): string {
  const found = new RegExp(`"${name}":"([^"]+)"`, "u").exec(JSON.stringify(data))?.[1];
  if (found === undefined) throw new Error(`there is no ${name}`);
  return found;
}

describe("a snapshot of the market state", () => {
  it("can be restored in a sandbox that started later with other products", async () => {
    const clock = createFakeClock(Date.UTC(2026, 5, 1));
    const first = await openTestClient({ clock, products: 5 });
    await change(first);
    const before = await look(first, first);
    const saved = await ask(`${first.sandbox.baseUrl}/_sandbox/snapshot`);

    await clock.advance(DAY_MS / 24);
    const second = await openTestClient({ clock });
    const untouched = await look(second, second);
    const body: unknown = JSON.parse(saved.text);
    const answer = await ask(`${second.sandbox.baseUrl}/_sandbox/restore`, { body });
    const after = await look(second, first);

    expect(answer.status).toBe(200);
    expect(untouched).not.toEqual(before);
    expect(after).toEqual(before);
  });
});

describe("an inconsistent market state", () => {
  it.each([
    [
      { moved: [{ id: "nobody", status: 3, changedAtMs: 0, done: [] }] },
      "there is no package nobody",
    ],
    [
      { answers: [{ question: "nobody", answer: { message: "?", createdAtMs: 0 } }] },
      "no question nobody",
    ],
    [{ templates: [{ id: 5 }] }, "are not shipping templates"],
  ])("is refused, and nothing changes: %j", async (wrong, output) => {
    const { sandbox, add } = await openTestClient();
    const { text } = await ask(`${sandbox.baseUrl}/_sandbox/snapshot`);
    const saved = JSON.parse(text);
    await add();

    const body: unknown = { ...saved, market: { ...saved.market, ...wrong } };
    const answer = await ask(`${sandbox.baseUrl}/_sandbox/restore`, { body });

    expect(answer.status).toBe(400);
    expect(answer.text).toContain(output);
    expect(sandbox.products()).toHaveLength(1);
  });
});
