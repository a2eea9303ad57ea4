/** Lists of actions whose login ends midway, whose database moves, or whose ids look like something else. */

import { createServer, type IncomingMessage } from "node:http";
import { join } from "node:path";

import { createTestDatabase, hasPostgres } from "@catalog/database/testing";
import { describe, expect, it, onTestFinished } from "vitest";

import { callCatalog } from "../../helpers/call-catalog.ts";
import { fillIn } from "../../helpers/fill-in.ts";
import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";

type ShopOptions = Parameters<typeof openTestStore>[0];

const ROWS = 12;

/** A store with open questions, and a file with an answer to each. */
async function openAnswers(
  more: ShopOptions = {},
): Promise<{ readonly shop: TestStore; readonly file: string }> {
  const shop = await openTestStore({ questions: { count: ROWS, answeredPercent: 0 }, ...more });
  const from = join(shop.folder, "sorular.csv");
  await shop.run("export", "questions", "--out", from, "--lang", "tr");
  const file = join(shop.folder, "dolu.csv");
  await fillIn({ from, to: file, fill: (_, n) => ({ Yanıt: `Evet ${n}` }) });
  return { shop, file };
}

const answersOf = ({ sandbox }: TestStore): readonly number[] =>
  Object.values(sandbox.inspect().effects["question.reply"] ?? {});

describe("answers whose login is refused midway", () => {
  it("stop, stay stopped with a wrong secret, and are each given once after the login", async () => {
    const { shop, file } = await openAnswers({
      faults: [
        { kind: "token-refused", endpoint: "question.reply", nth: 5 },
        { kind: "refused-after", endpoint: "token.create", nth: 2, status: 401 },
      ],
      breaks: { "early-token": "a refused login gives no token that could be used" },
    });

    const stopped = await shop.json("answer", file, "--yes", "--concurrency", "1");
    const given = answersOf(shop).length;
    const wrong = await shop
      .at({ CATALOG_CLIENT_SECRET: "wrong" })
      .run("resume", stopped.run, "--lang", "en");
    const between = answersOf(shop).length;
    const resumed = await shop.json("resume", stopped.run);

    // What was refused is looked up before it is sent again.
    const { pending, unknown } = stopped.counts;
    expect([stopped.exit, given, pending, unknown]).toEqual([4, 4, ROWS - 5, 1]);
    expect([wrong.code, between]).toEqual([4, given]);
    expect([resumed.exit, resumed.counts.updated]).toEqual([0, ROWS]);
    expect(answersOf(shop)).toEqual(Array.from({ length: ROWS }, () => 1));
  });
});

describe.skipIf(!hasPostgres())("a database with lists of actions", () => {
  it("is copied to a server, where they go on and nothing is done again", async () => {
    const { shop, file } = await openAnswers({
      faults: [{ kind: "error-before", endpoint: "question.reply", nth: 3 }],
    });
    const sent = await shop.json("answer", file, "--yes", "--concurrency", "1");
    const server = await createTestDatabase({ isEmpty: true });
    onTestFinished(() => server[Symbol.asyncDispose]());
    const there = shop.at({ CATALOG_DATABASE_URL: server.url });
    const db = (...words: readonly string[]) =>
      callCatalog(["db", ...words], { env: there.env, cwd: shop.folder });

    await db("migrate");
    const empty = await db("check", "--json");
    const copied = await db("copy", "--json");
    const checked = await db("check", "--json");
    const shown = await there.json("runs", sent.run);
    const again = await there.json("answer", file, "--yes");
    await there.run("release", sent.run, "--resend", "--yes");
    const last = await there.json("runs", sent.run);

    // A server of tests may lose commits, which is a fault before and after.
    expect([copied.code, checked.code, checked.out]).toEqual([0, empty.code, empty.out]);
    expect([sent.counts.held, shown.counts]).toEqual([1, sent.counts]);
    expect([again.counts.updated, again.counts.held]).toEqual([0, 1]);
    expect(last.counts.updated).toBe(ROWS);
    expect(answersOf(shop)).toEqual(Array.from({ length: ROWS }, () => 1));
  });
});

/** Ids that a program may take for a number, a formula or a key of an object. */
const ODD_IDS = [
  "0",
  "007",
  "1e5",
  "99999999999999999999",
  "=1+1",
  "+905551112233",
  "-5",
  "__proto__",
  "10.50",
  "TRUE",
];

/** A marketplace with one question for each odd id, which keeps what it is sent. */
async function openOddMarket(): Promise<{
  readonly baseUrl: string;
  readonly answers: ReadonlyMap<string, readonly string[]>;
}> {
  const answers = new Map<string, readonly string[]>();
  const questions = (): readonly object[] =>
    ODD_IDS.map((id) => ({
      id,
      full_name: "A. B.",
      title: "Stok",
      message: `Soru ${id}`,
      subject: "Ürün",
      question_for: "product",
      answer: answers.has(id) ? { message: answers.get(id)?.at(-1) } : null,
      created_at: "2026-11-01T10:00:00.000Z",
      updated_at: "2026-11-01T10:00:00.000Z",
    }));
  const answer = async (request: IncomingMessage): Promise<unknown> => {
    let text = "";
    for await (const chunk of request) text += String(chunk);
    const path = request.url ?? "";
    if (path.includes("/auth/access")) {
      const expires_at = new Date(Date.now() + 3_600_000).toISOString();
      return { status: "success", access_token: "t", expires_at, message: "", message_tr: "" };
    }
    if (!path.includes("/question/reply/")) {
      return { total: ODD_IDS.length, result: path.includes("page=2") ? [] : questions() };
    }
    const { product_question_id: id, message } = JSON.parse(text);
    answers.set(String(id), [...(answers.get(String(id)) ?? []), String(message)]);
    return { success: typeof id === "string" };
  };
  const server = createServer((request, response) => {
    const respond = async (): Promise<void> => {
      const data = await answer(request);
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ data }));
    };
    void respond();
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return { baseUrl: `http://127.0.0.1:${port}`, answers };
}

describe("ids that look like something else", () => {
  it.each(["csv", "xlsx"])(
    "go out to a %s, come back and are answered as they are",
    async (ext) => {
      const market = await openOddMarket();
      const shop = (await openTestStore({ products: 1 })).at({ CATALOG_BASE_URL: market.baseUrl });
      const from = join(shop.folder, `sorular.${ext}`);
      const exported = await shop.run("export", "questions", "--out", from, "--lang", "tr");
      const file = join(shop.folder, `dolu.${ext}`);
      await fillIn({ from, to: file, fill: (_, n) => ({ Yanıt: `Yanıt ${n}` }) });

      const sent = await shop.json("answer", file, "--yes");
      const again = await shop.json("answer", file, "--yes");

      expect(exported.code).toBe(0);
      expect([sent.exit, sent.counts.updated, again.requests.write]).toEqual([
        0,
        ODD_IDS.length,
        0,
      ]);
      expect([...market.answers.keys()].toSorted()).toEqual(ODD_IDS.toSorted());
      expect([...market.answers.values()].map(({ length }) => length)).toEqual(
        ODD_IDS.map(() => 1),
      );
    },
  );
});
