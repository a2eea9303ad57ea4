import { readFileSync } from "node:fs";
import { join } from "node:path";

import type {
  PlannedRunId,
  QuestionsView,
  QuestionView,
  RunView,
  WrittenAnswerView,
} from "@catalog/web";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { fillIn } from "../../helpers/fill-in.ts";
import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import { waitUntil } from "../../helpers/wait-until.ts";
import { openWeb, type WebSession } from "../../helpers/web/open-web.ts";
import { getBody, listRunRows, postBody, waitForRun } from "../../helpers/web/runs.ts";

const runId = z.object({ run: z.string() });

interface Page {
  readonly session: WebSession;
  /** Reads a listing to its end. */
  readonly read: (show: "unanswered" | "answered") => Promise<QuestionsView>;
  readonly order: (query?: string) => Promise<readonly number[]>;
  readonly rows: (query?: string) => Promise<readonly QuestionView[]>;
}

async function openPage(store: TestStore): Promise<Page> {
  const session = await (await openWeb(store)).openSession();
  const order: Page["order"] = async (query = "") => {
    const { origin = "" } = session.headers;
    const answer = await fetch(`${origin}/api/questions/order${query}`, session);
    expect(answer.status).toBe(200);
    const bytes = new DataView(await answer.arrayBuffer());
    return Array.from({ length: bytes.byteLength / 4 }, (_, at) => bytes.getUint32(at * 4, true));
  };
  return {
    session,
    order,
    async rows(query) {
      const numbers = (await order(query)).slice(0, 200);
      if (numbers.length === 0) return [];
      return await getBody(session, `/questions/rows?n=${numbers.join(",")}`);
    },
    async read(show) {
      expect((await session.call("POST", "/questions/read", { show })).status).toBe(202);
      let view = await getBody<QuestionsView>(session, "/questions");
      await waitUntil(async () => {
        view = await getBody<QuestionsView>(session, "/questions");
        return view.reading === null;
      });
      return view;
    },
  };
}

const keep = async (session: WebSession, answers: readonly object[]): Promise<void> => {
  expect((await session.call("PUT", "/questions/answers", { answers })).status).toBe(204);
};

const readKept = (session: WebSession): Promise<readonly WrittenAnswerView[]> =>
  getBody(session, "/questions/answers");

const approve = (session: WebSession, { planHash, id }: RunView): Promise<unknown> =>
  postBody(session, `/runs/${id}/send`, { planHash, release: [], hold: [] });

describe("the questions of the store", () => {
  it("are read by pages, found by their texts, filtered and sorted by date", async () => {
    const store = await openTestStore({ questions: { count: 2_000, answeredPercent: 50 } });
    const page = await openPage(store);
    const before = await getBody<QuestionsView>(page.session, "/questions");

    const first = await page.read("unanswered");
    const all = await page.read("answered");

    expect(before).toMatchObject({ unanswered: 0, readAt: { unanswered: null, answered: null } });
    expect(first.readAt).toEqual({ unanswered: expect.any(String), answered: null });
    expect(all.unanswered).toBe(first.unanswered);
    expect(all.unanswered + all.answered).toBe(2_000);
    expect(await page.order("?show=answered")).toHaveLength(all.answered);
    const newest = (await page.rows()).map(({ at }) => at ?? "");
    expect(newest).toEqual(newest.toSorted().toReversed());
    const oldest = (await page.rows("?oldest=1")).map(({ at }) => at ?? "");
    expect(oldest).toEqual(oldest.toSorted());
    const parts = await Promise.all(
      ["?about=product", "?about=store"].map(async (query) => (await page.order(query)).length),
    );
    expect(parts[0]).toBeGreaterThan(parts[1] ?? 0);
    expect((parts[0] ?? 0) + (parts[1] ?? 0)).toBe(all.unanswered);
    const found = await page.rows(`?text=${encodeURIComponent("İADE SÜRESI")}`);
    expect(new Set(found.map(({ message }) => message))).toEqual(new Set(["İade süresi kaç gün?"]));
    expect(await page.order(`?text=${encodeURIComponent("böyle bir şey yok")}`)).toEqual([]);
  });

  it("show names by their initials alone", async () => {
    const page = await openPage(await openTestStore());
    await page.read("unanswered");

    const [question] = await page.rows();

    expect(question?.name).toMatch(/^\p{Lu}\*{3}(?: \p{Lu}\*{3})+$/u);
    expect(question?.firstName).toMatch(/^\p{L}+$/u);
  });

  it("refuse what they do not understand", async () => {
    const { session } = await openPage(await openTestStore());
    const calls = [
      ["GET", "/questions/order?show=all", undefined],
      ["GET", "/questions/rows?n=x", undefined],
      ["POST", "/questions/read", {}],
      ["PUT", "/questions/answers", { answers: [{ id: "", text: "a" }] }],
      ["PUT", "/questions/answers", { answers: [{ id: "a", text: "a".repeat(10_001) }] }],
      ["PUT", "/questions/replies", { replies: [{ name: " ", text: "a" }] }],
      ["POST", "/questions/plan", { answers: [] }],
    ] as const;

    const statuses = [];
    for (const [method, path, body] of calls) {
      statuses.push((await session.call(method, path, body)).status);
    }

    expect(statuses).toEqual(calls.map(() => 400));
  });
});

describe("answers on the page", () => {
  it("are kept until they are sent, and saved replies for good, by whatever server", async () => {
    const store = await openTestStore();
    const page = await openPage(store);
    await page.read("unanswered");
    const [one, two] = await page.rows();
    const replies = { replies: [{ name: "Kargo", text: "Merhaba {ad}, yarın kargoda." }] };
    await keep(page.session, [
      { id: one?.id, text: "=SUM(1) evet" },
      { id: two?.id, text: "Taslak" },
    ]);
    await keep(page.session, [{ id: two?.id, text: "" }]);
    expect((await page.session.call("PUT", "/questions/replies", replies)).status).toBe(200);

    const later = await openPage(store);
    const unread = await readKept(later.session);
    await later.read("unanswered");

    expect(unread).toEqual([{ id: one?.id, text: "=SUM(1) evet", isWaiting: true }]);
    expect(await readKept(later.session)).toEqual(unread);
    expect(await later.rows("?written=1")).toMatchObject([{ id: one?.id }]);
    expect(await getBody(later.session, "/questions/replies")).toEqual(replies);
  });

  it("are planned, held where somebody has answered meanwhile, and sent once", async () => {
    const store = await openTestStore({ products: 5 });
    const { session, ...page } = await openPage(store);
    await page.read("unanswered");
    const asked = (await page.rows()).slice(0, 3);
    const texts = ['Evet,\nvar; "lacivert" de var. =1+1', "Benim yanıtım", "14 gün"];
    const answers = asked.map(({ id }, at) => ({ id, text: texts[at] ?? "" }));
    const [, two = ""] = asked.map(({ id }) => id);
    await keep(session, answers);
    store.sandbox.act({ question: two, message: "Başkasının yanıtı" });

    const { run } = await postBody<PlannedRunId>(session, "/questions/plan", { answers });
    const plan = await getBody<RunView>(session, `/runs/${run}`);
    const held = await listRunRows(session, run, "?show=held");
    const going = await listRunRows(session, run, "?show=update");
    await approve(session, plan);
    const end = await waitForRun(session, run);

    expect(plan).toMatchObject({
      actions: "answers",
      plan: { updates: 2, held: 1, adds: 0 },
      can: { send: true },
    });
    const both = { field: "answer", before: "Başkasının yanıtı", after: "Benim yanıtım" };
    expect(held).toMatchObject([{ title: asked[1]?.message, changes: [both] }]);
    expect(going.map(({ title }) => title)).toEqual([asked[0]?.message, asked[2]?.message]);
    expect(end.counts).toMatchObject({ updated: 2, held: 1 });
    expect(end.can.undo).toBe(false);
    const view = await page.read("answered");
    const given = new Map((await page.rows("?show=answered")).map((each) => [each.id, each]));
    expect(answers.map(({ id }) => given.get(id)?.answer)).toEqual([
      texts[0],
      "Başkasının yanıtı",
      "14 gün",
    ]);
    expect(view.problem).toBeNull();
    // What was sent is kept no more; what was not stays until a person removes it.
    expect(await readKept(session)).toEqual([{ id: two, text: "Benim yanıtım", isWaiting: false }]);
  });

  it("are planned from a filled-in file that is uploaded, as from the command line", async () => {
    const store = await openTestStore({ products: 5 });
    const { session } = await openPage(store);
    const from = join(store.folder, "sorular.xlsx");
    const to = join(store.folder, "dolu.xlsx");
    await store.json("export", "questions", "--unanswered", "--out", from);
    let rows = 0;
    await fillIn({
      from,
      to,
      fill(_cells, index) {
        rows += 1;
        return index === 0 ? { Yanıt: "Evet" } : {};
      },
    });

    const { status, body } = await session.upload("dolu.xlsx", readFileSync(to));

    const { run } = runId.parse(body);
    expect(status).toBe(201);
    expect(await getBody<RunView>(session, `/runs/${run}`)).toMatchObject({
      name: "dolu.xlsx",
      actions: "answers",
      plan: { updates: 1, unchanged: rows - 1 },
    });
    expect(await getBody(session, "/drafts")).toEqual([]);
  });

  it("are no longer waited for once they are sent, without another reading", async () => {
    const store = await openTestStore({ products: 5 });
    const { session, ...page } = await openPage(store);
    const before = await page.read("unanswered");
    const [one] = await page.rows();
    const answers = [{ id: one?.id, text: "Evet" }];
    const { run } = await postBody<PlannedRunId>(session, "/questions/plan", { answers });
    await approve(session, await getBody<RunView>(session, `/runs/${run}`));
    await waitForRun(session, run);

    const after = await getBody<QuestionsView>(session, "/questions");

    expect(after.unanswered).toBe(before.unanswered - 1);
    expect(after.version).toBeGreaterThan(before.version);
    expect(await page.rows("?show=answered")).toMatchObject([{ id: one?.id, state: "sent" }]);
    const again = await postBody<PlannedRunId>(session, "/questions/plan", { answers });
    expect((await getBody<RunView>(session, `/runs/${again.run}`)).plan).toMatchObject({
      updates: 0,
      unchanged: 1,
    });
  });
});
