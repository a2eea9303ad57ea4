import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { createFakeClock } from "@catalog/clock/testing";
import { expect, it } from "vitest";

import {
  createSessionStore,
  IDLE_MS,
  MAX_AGE_MS,
  type SessionStore,
} from "../../src/server/access.ts";
import { openSession, startPageServer } from "../helpers/page-server.ts";
import { createFolder } from "../helpers/temporary-folder.ts";

const HOUR_MS = 60 * 60_000;

const open = (folder: string, clock = createFakeClock(), port = 1): SessionStore =>
  createSessionStore({ folder, clock, port });

it("goes on after the server was started again on the same port", async () => {
  const folder = createFolder();
  const first = await startPageServer({ folder });
  const headers = await openSession(first);
  await first.close();

  const second = await startPageServer({ folder, port: first.port });
  const init = { method: "DELETE", headers };
  const { status } = await fetch(`${second.origin}/api/session`, init);

  expect(status).toBe(204);
});

it("holds for its own port only", () => {
  const folder = createFolder();
  const { id } = open(folder).open();

  expect([open(folder).isOpen(id), open(folder, undefined, 2).isOpen(id)]).toEqual([true, false]);
});

it("keeps neither of its secrets, in a file that only its owner reads", () => {
  const folder = createFolder();
  const { id, writeKey } = open(folder).open();

  const path = join(folder, "sessions-1.json");
  const text = readFileSync(path, "utf8");
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect([text.includes(id), text.includes(writeKey)]).toEqual([false, false]);
});

it("ends after eight hours without use, and after a week in any case", async () => {
  const clock = createFakeClock();
  const store = open(createFolder(), clock);
  const [idle, used] = [store.open(), store.open()];

  for (let hour = 0; hour < 7; hour += 1) {
    await clock.advance(HOUR_MS);
    expect(store.isOpen(used.id)).toBe(true);
  }
  await clock.advance(IDLE_MS - 7 * HOUR_MS);
  expect([store.isOpen(idle.id), store.isOpen(used.id)]).toEqual([false, true]);

  while (clock.now() < MAX_AGE_MS - HOUR_MS) {
    await clock.advance(HOUR_MS);
    expect(store.isOpen(used.id)).toBe(true);
  }
  await clock.advance(HOUR_MS);
  expect(store.isOpen(used.id)).toBe(false);
});

it("holds for this start where it cannot be written, and what was closed does not come back (#37)", async () => {
  const [folder, clock] = [createFolder(), createFakeClock()];
  const [kept, closed] = [open(folder, clock).open(), open(folder, clock).open()];
  const store = open(folder, clock);
  // A folder of that name makes each write fail.
  mkdirSync(join(folder, "sessions-1.json.new"));

  const { id } = store.open();
  await clock.advance(HOUR_MS);
  const areOpen = [id, kept.id, closed.id].map((each) => store.isOpen(each));
  store.close(closed.id);

  expect(areOpen).toEqual([true, true, true]);
  expect([store.isOpen(kept.id), store.isOpen(closed.id)]).toEqual([true, false]);
  expect(open(folder, clock).isOpen(closed.id)).toBe(false);
});

it.each(["", "{", '[{"idHash":1}]', "null"])("a damaged file holds no session: %s", (text) => {
  const folder = createFolder();
  const { id } = open(folder).open();
  writeFileSync(join(folder, "sessions-1.json"), text);

  expect(open(folder).isOpen(id)).toBe(false);
});
