import { createFakeClock } from "@catalog/clock/testing";
import { describe, expect, it } from "vitest";

import { openTestClient, type TestClient } from "../helpers/test-client.ts";
import { ask } from "../helpers/wire.ts";

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
    [{ moved: [{ id: "nobody", status: 3, changedAtMs: 0 }] }, "there is no package nobody"],
    [{ answers: [{ question: "nobody", message: "?", createdAtMs: 0 }] }, "no question nobody"],
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
