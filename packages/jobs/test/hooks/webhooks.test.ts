import { createHmac } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

import type { FakeClock } from "@catalog/clock/testing";
import type { Connection } from "@catalog/connection";
import { createTestConnection } from "@catalog/connection/testing";
import { expect, it } from "vitest";

import {
  createWebhooks,
  type HookFact,
  type HookPost,
  type Webhooks,
} from "../../src/hooks/webhooks.ts";

const HOUR_MS = 60 * 60_000;

interface Posted {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

interface World {
  readonly connection: Connection;
  readonly clock: FakeClock;
  readonly hooks: Webhooks;
  readonly posted: readonly Posted[];
  readonly secrets: ReadonlyMap<string, string>;
  /** What happens, as the store would be read. */
  facts: readonly HookFact[];
  /** Status of the answers; an error where nobody answers. */
  answer: number | Error;
  /** Looks once, as the process does or another one. */
  readonly tell: (hooks?: Webhooks) => Promise<void>;
  /** Another process on the same database. */
  readonly again: () => Webhooks;
}

async function openWorld(): Promise<World> {
  const { connection, clock } = await createTestConnection();
  const secrets = new Map<string, string>();
  const posted: Posted[] = [];
  const guard: HookPost = {
    check(address) {
      if (!address.startsWith("https://")) throw new Error("private");
      return new URL(address).host;
    },
    async post(url, { headers, body }) {
      posted.push({ url, headers, body });
      if (world.answer instanceof Error) throw world.answer;
      return world.answer;
    },
  };
  const ports = {
    clock,
    guard,
    secrets: {
      read: async ({ channel }: { channel: string }) => secrets.get(channel),
      async write({ channel }: { channel: string }, secret: string) {
        secrets.set(channel, secret);
        return "file" as const;
      },
      async forget({ channel }: { channel: string }) {
        secrets.delete(channel);
      },
    },
  };
  const hooks = createWebhooks(ports);
  const world: World = {
    connection,
    clock,
    hooks,
    posted,
    secrets,
    facts: [],
    answer: 204,
    tell: (own = hooks) => own.tell(connection, async () => world.facts),
    again: () => createWebhooks(ports),
  };
  return world;
}

const URL_OF = "https://erp.example/hooks?token=gizli";
const asked = { url: URL_OF, events: ["run.finished"] };

const finished = (run: string, atMs: number): HookFact => ({
  subject: run,
  event: "run.finished",
  atMs,
  data: { run },
});

it("tells what happens once, signed so that the receiver can check it", async () => {
  const world = await openWorld();
  const { secret } = await world.hooks.add(world.connection, asked, "en");
  const atMs = world.clock.now();
  world.facts = [
    finished("r-1", atMs),
    { ...finished("r-2", atMs), event: "plan.ready" },
    finished("r-0", atMs - 1),
  ];

  await world.tell();
  await world.tell();

  const [message] = world.posted;
  expect(world.posted).toHaveLength(1);
  expect(message?.url).toBe(URL_OF);
  expect(JSON.parse(message?.body ?? "")).toEqual({
    type: "run.finished",
    timestamp: new Date(atMs).toISOString(),
    data: { run: "r-1" },
  });
  const {
    "webhook-id": id,
    "webhook-timestamp": time,
    "webhook-signature": signature,
  } = message?.headers ?? {};
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const signed = createHmac("sha256", key).update(
    `${String(id)}.${String(time)}.${message?.body ?? ""}`,
  );
  expect(signature).toBe(`v1,${signed.digest("base64")}`);
  expect(time).toBe(String(Math.floor(atMs / 1000)));
});

it("tells it again after the same run has changed, and until it is taken", async () => {
  const world = await openWorld();
  await world.hooks.add(world.connection, asked, "en");
  world.answer = 503;
  world.facts = [finished("r-1", world.clock.now())];

  await world.tell();
  await world.tell();
  const failing = await world.hooks.list(world.connection, "en");
  await world.clock.advance(5_000);
  // The process that sent it first is gone.
  await world.tell(world.again());
  world.answer = 200;
  await world.clock.advance(60_000);
  await world.tell();
  world.facts = [finished("r-1", world.clock.now())];
  await world.tell();

  const ids = world.posted.map(({ headers }) => headers["webhook-id"]);
  expect(ids).toHaveLength(4);
  expect(new Set(ids.slice(0, 3)).size).toBe(1);
  expect(ids[3]).not.toBe(ids[0]);
  expect(failing).toMatchObject([{ state: "failing", note: expect.stringContaining("503") }]);
  expect(await world.hooks.list(world.connection, "en")).toMatchObject([
    { state: "active", note: null },
  ]);
});

it("sends a message that a process had taken and did not end, once its time is over", async () => {
  const world = await openWorld();
  await world.hooks.add(world.connection, asked, "en");
  world.facts = [finished("r-1", world.clock.now())];
  const { alerts } = world.connection.memory;
  const dying = {
    ...world.connection,
    memory: {
      ...world.connection.memory,
      alerts: { ...alerts, noteDelivery: () => Promise.reject(new Error("killed")) },
    },
  };
  world.answer = Object.assign(new Error("killed"), { code: "ECONNRESET" });

  await expect(world.hooks.tell(dying, async () => world.facts)).rejects.toThrow("killed");
  world.answer = 200;
  await world.clock.advance(2 * 60_000);
  await world.tell(world.again());

  expect(world.posted.map(({ headers }) => headers["webhook-id"])).toEqual([
    world.posted[0]?.headers["webhook-id"],
    world.posted[0]?.headers["webhook-id"],
  ]);
});

it("ends an address that takes nothing for three days, with a note", async () => {
  const world = await openWorld();
  await world.hooks.add(world.connection, asked, "en");
  world.answer = Object.assign(new Error("private"), { code: "E_URL_PRIVATE" });
  world.facts = [finished("r-1", world.clock.now())];

  for (let hours = 0; hours <= 78; hours += 6) {
    await world.tell();
    await world.clock.advance(6 * HOUR_MS);
  }
  const tries = world.posted.length;
  world.answer = 200;
  await world.tell();

  expect(tries).toBeGreaterThan(10);
  expect(world.posted).toHaveLength(tries);
  expect(await world.hooks.list(world.connection, "tr")).toMatchObject([
    { state: "ended", note: expect.stringMatching(/^Üç gün/u) },
  ]);
});

it("shows neither the address nor the secret, stores neither in the database, and forgets both", async () => {
  const world = await openWorld();
  const { webhook, secret } = await world.hooks.add(world.connection, asked, "en");
  const { alerts } = world.connection.memory;

  const stored = JSON.stringify([
    await alerts.listChannels(),
    await world.hooks.list(world.connection, "en"),
  ]);
  const isRemoved = await world.hooks.remove(world.connection, webhook.id);

  for (const hidden of [secret, "gizli", "/hooks"]) expect(stored).not.toContain(hidden);
  expect([isRemoved, world.secrets.size]).toEqual([true, 0]);
  expect(await world.hooks.remove(world.connection, webhook.id)).toBe(false);
  expect(await world.hooks.list(world.connection, "en")).toEqual([]);
  await expect(
    world.hooks.add(world.connection, { ...asked, url: "http://10.0.0.1" }, "en"),
  ).rejects.toThrow("private");
});
