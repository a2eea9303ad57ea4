/** A sandbox in a process of its own, whose violations are checked before it ends. */

import { existsSync } from "node:fs";
import { join } from "node:path";

import { type Client, createClient } from "@catalog/client";
import { idSchemas, toOrders } from "@catalog/contract";
import { FAULT_KINDS, type Inspection, listBehaviorSettings } from "@catalog/sandbox";
import { describe, expect, it, onTestFinished } from "vitest";

import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import { assertLawful } from "../../helpers/markets/watched-sandbox.ts";

/** The line that the sandbox prints. */
interface Announcement {
  readonly base_url: string;
  readonly client_key: string;
  readonly client_secret: string;
  readonly store_id: string;
  readonly seed: string;
}

interface SandboxProcess extends Announcement {
  /** Checks violations and ends the process; returns its exit code. */
  readonly end: () => Promise<number | null>;
}

/** Starts `catalog sandbox --json` and reads the line that it prints. */
async function startSandboxProcess(
  shop: TestStore,
  ...args: readonly string[]
): Promise<SandboxProcess> {
  const { child, finished } = shop.start("sandbox", "--json", ...args);
  onTestFinished(() => void child.kill("SIGKILL"));
  const told: Announcement = JSON.parse(await firstLine(child.stdout));
  return {
    ...told,
    async end() {
      const answer = await fetch(`${told.base_url}/_sandbox/inspection`);
      const { data }: { readonly data: Inspection } = JSON.parse(await answer.text());
      assertLawful(data.violations);
      child.kill("SIGTERM");
      return (await finished).code;
    },
  };
}

/** The first line that the process prints. */
async function firstLine(stream: NodeJS.ReadableStream | null): Promise<string> {
  if (stream === null) throw new Error("the process has no such stream");
  let text = "";
  for await (const chunk of stream) {
    text += String(chunk);
    if (text.includes("\n")) break;
  }
  return text.split("\n")[0] ?? "";
}

describe("catalog demo", () => {
  it("imports the sample twice, and sends nothing the second time", async () => {
    const shop = await openTestStore();

    const { code, out } = await shop.start("demo").finished;

    expect(code).toBe(0);
    const [, first = "", second = ""] = out.split("── ");
    expect(first).toContain("52 eklendi, 6 hatalı, 2 tekrar");
    expect(first).toContain(join("catalog-results", "demo", "1", "result.xlsx"));
    expect(second || out).toContain("52 değişmedi, 6 hatalı, 2 tekrar");
    expect(out).toContain("0 ekleme, 0 güncelleme");
    for (const part of ["1", "2"]) {
      for (const file of ["result.xlsx", "result.csv", "failed.xlsx", "summary.json"]) {
        expect(existsSync(join(shop.folder, "catalog-results", "demo", part, file))).toBe(true);
      }
    }
    const [, next = ""] = out.split("Denemenin pazaryeri kapandı");
    const failed = join("catalog-results", "demo", "2", "failed.xlsx");
    expect(next.indexOf("catalog sandbox")).toBeGreaterThan(0);
    expect(next.indexOf(`catalog import ${failed}`)).toBeGreaterThan(
      next.indexOf("catalog sandbox"),
    );
  });

  it("prints one document with --json, and its progress on stderr in English", async () => {
    const shop = await openTestStore();

    const { code, out, err } = await shop.run("demo", "--json", "--lang", "en");

    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual({
      command: "demo",
      exit: 0,
      sent: { first: { adds: 52, updates: 0 }, second: { adds: 0, updates: 0 } },
      violations: [],
    });
    expect(err).toContain("52 added, 6 invalid, 2 duplicate");
    expect(err).toContain("0 add and 0 update");
    expect(err).toContain("no product was added twice");
    expect(err).not.toContain("\u001B");
  });
});

/** Header that the specification demands of every request. */
const JSON_WANTED = { accept: "application/json" };

/** A client of a sandbox; a given token stands for an earlier login. */
function createTestClient(told: Announcement, token?: string): Client {
  let kept = token === undefined ? undefined : { token, expiresAtMs: Date.now() + 3_600_000 };
  const client = createClient({
    baseUrl: told.base_url,
    credentials: { clientKey: told.client_key, clientSecret: told.client_secret },
    storeId: idSchemas.store.parse(told.store_id),
    tokens: {
      read: async () => kept,
      write: async (_key, next) => void (kept = next),
      forget: async () => void (kept = undefined),
    },
  });
  onTestFinished(() => client.close());
  return client;
}

/** The whole state of the marketplace that can change. */
const look = (client: Client): Promise<readonly unknown[]> =>
  Promise.all([
    client.order.list({ days: 365 }),
    Array.fromAsync(client.comment.storeComments.items({})),
    Array.fromAsync(client.question.list.items({})),
    Array.fromAsync(client.payment.list.items({})),
    Array.fromAsync(client.shippingTemplate.list.items({})),
    Array.fromAsync(client.product.list.items({})),
  ]);

describe("catalog sandbox", () => {
  it("prints one line of JSON that a client can use, and closes on SIGTERM", async () => {
    const shop = await openTestStore();
    const running = await startSandboxProcess(shop, "--products", "3");
    const { base_url, client_key, client_secret, store_id } = running;

    const login = await fetch(`${base_url}/app/auth/access`, {
      method: "POST",
      headers: { ...JSON_WANTED, "content-type": "application/json" },
      body: JSON.stringify({ client_key, client_secret }),
    });
    const { data } = JSON.parse(await login.text());
    const listing = await fetch(
      `${base_url}/v1.1/product/store/${store_id}?access_token=${data.access_token}`,
      { headers: JSON_WANTED },
    );

    expect(JSON.parse(await listing.text())).toMatchObject({ data: { result: expect.any(Array) } });
    expect(await running.end()).toBe(0);
  });

  it("starts with the given numbers of packages and questions", async () => {
    const shop = await openTestStore();
    const running = await startSandboxProcess(shop, "--packages", "7", "--questions", "3");
    const client = createTestClient(running);

    const orders = toOrders(await client.order.list({ days: 365 }));
    const questions = await client.question.list({});

    expect(orders.flatMap(({ packages }) => packages)).toHaveLength(7);
    expect(questions.total).toBe(3);
    await client.close();
    expect(await running.end()).toBe(0);
  });

  it("starts with a personality and faults, and prints the seed of both", async () => {
    const shop = await openTestStore();
    const personality = ["auth-error=403", "error-body=text"];
    const faults = ["html:category.list:nth=1", "latency:rate=0.5,ms=1"];
    const running = await startSandboxProcess(
      shop,
      "--seed",
      "s-1",
      ...personality.flatMap((text) => ["--personality", text]),
      ...faults.flatMap((text) => ["--fault", text]),
    );
    const { base_url, seed } = running;

    const answer = await fetch(`${base_url}/v1.1/category/?access_token=guess`, {
      headers: JSON_WANTED,
    });

    expect([seed, answer.status, await answer.text()]).toEqual([
      "s-1",
      403,
      "access_token is unknown",
    ]);
    expect(await running.end()).toBe(0);
  });

  it("continues in a new process from a snapshot", async () => {
    const shop = await openTestStore();
    const first = await startSandboxProcess(shop, "--products", "3");
    const client = createTestClient(first);
    const [question] = (await client.question.list({ unanswered: 1 })).result;
    const [order] = toOrders(await client.order.list({ days: 365, status: 1 }));
    const { package_id } = order?.packages.find(({ status }) => status === 1) ?? {};
    await client.order.accept({ package_id: idSchemas.package.parse(package_id) });
    await client.question.reply({
      product_question_id: idSchemas.question.parse(question?.id),
      message: "Evet",
    });
    const before = await look(client);
    const snapshot = await (await fetch(`${first.base_url}/_sandbox/snapshot`)).text();
    await client.close();
    expect(await first.end()).toBe(0);

    const second = await startSandboxProcess(shop);
    const restored = await fetch(`${second.base_url}/_sandbox/restore`, {
      method: "POST",
      headers: { ...JSON_WANTED, "content-type": "application/json" },
      body: snapshot,
    });
    const token = /"(sandbox-token:[^"]+)"/u.exec(snapshot)?.[1] ?? "";
    const after = await look(createTestClient(second, token));

    expect(restored.status).toBe(200);
    expect(after).toEqual(before);
    expect(JSON.stringify(before)).toContain('"message":"Evet"');
    expect(await second.end()).toBe(0);
  });

  it.each([
    [["--personality", "prices=free"], "minor, major, text"],
    [["--personality", "colour=red"], "auth-error"],
    [["--fault", "boom"], "reset-after"],
    [["--fault", "html:product.remove"], "product.add"],
  ])("refuses %j, lists the accepted values, and exits 2", async (args, says) => {
    const shop = await openTestStore();

    const { code, err, out } = await shop.run("sandbox", ...args);

    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain(says);
    expect(err).toContain("catalog sandbox --help");
  });

  it("lists every setting with its values, and every fault, in its help", async () => {
    const shop = await openTestStore();

    const { out } = await shop.run("sandbox", "--help");

    for (const { name, values } of listBehaviorSettings()) {
      expect(out).toContain(`${name}=${values.join("|")}`);
    }
    for (const kind of Object.keys(FAULT_KINDS)) expect(out).toContain(kind);
  });
});
