/** The login of a feed on the page: typed once, stored, and shown to nobody. */

import { readFileSync } from "node:fs";
import { join } from "node:path";

import type { FeedOptions, FeedSampleView, FeedView } from "@catalog/web";
import { expect, it } from "vitest";

import { filesIn } from "../../helpers/canaries.ts";
import { readStore, writeFeed } from "../../helpers/feed.ts";
import { PAIR, PASSWORD, serveFeed } from "../../helpers/login-server.ts";
import { openTestStore } from "../../helpers/markets/test-store.ts";
import { addMissedSchedule, openStore } from "../../helpers/note-schedule.ts";
import { waitUntil } from "../../helpers/wait-until.ts";
import { openWeb } from "../../helpers/web/open-web.ts";
import { getBody, postBody } from "../../helpers/web/runs.ts";

const TIMES = { cron: "30 9 * * *", timeZone: "Europe/Istanbul" };

const optionsOf = (host: string): FeedOptions => ({
  sheet: "",
  record: "",
  encoding: "",
  columns: {},
  decimal: "",
  priceUnit: "minor",
  maxAgeHours: 48,
  adds: "never",
  absent: "keep",
  allowHost: host,
  isShadow: false,
});

it("asks for the login of a feed, stores it, and syncs with it from then on", async () => {
  const store = await openTestStore({ products: 3 });
  const path = join(store.folder, "stok.csv");
  const lines = readStore(store.sandbox).map((line) =>
    Object.assign(line, { stock: line.stock + 1 }),
  );
  writeFeed(path, lines);
  const { address, host } = await serveFeed(() => path);
  const session = await (await openWeb(store)).openSession();
  const feed = { feed: address, options: optionsOf(host) };
  const login = { kind: "basic", name: "bayi42", secret: PASSWORD, hostKey: "" };

  const asked = await session.call("POST", "/feeds/check", feed);
  const wrong = { ...login, secret: "wrong" };
  const refused = await session.call("POST", "/feeds/check", { ...feed, login: wrong });
  const bad = { ...login, name: "a:b" };
  const unsendable = await session.call("POST", "/feeds/check", { ...feed, login: bad });
  const sample = await postBody<FeedSampleView>(session, "/feeds/check", { ...feed, login });
  const body = { ...TIMES, ...feed, login, dropped: [] };
  const [added] = await postBody<readonly FeedView[]>(session, "/schedules", body);
  const id = added?.schedule?.id ?? "";
  await postBody(session, `/schedules/${id}/run`, {});
  await waitUntil(async () => {
    const [now] = await getBody<readonly FeedView[]>(session, "/feeds");
    return now?.run !== null && now?.schedule?.isRunning === false;
  });
  const listed = await session.call("GET", "/feeds");
  // The stored login serves the next look as well.
  const again = await postBody<FeedSampleView>(session, `/schedules/${id}/check`, {
    options: feed.options,
  });

  for (const answer of [asked, refused]) {
    expect(answer.body).toMatchObject({ code: "E_DOWNLOAD_LOGIN" });
    expect(answer.text).not.toContain("catalog ");
  }
  expect(unsendable.status).toBeGreaterThanOrEqual(400);
  expect([sample.rows.length, again.rows.length]).toEqual([3, 3]);
  expect(readStore(store.sandbox)).toEqual(lines);
  expect(listed.text).not.toMatch(/bayi42|sandbox-secret/u);
  const leaks = filesIn(store.folder).filter((file) => readFileSync(file, "latin1").includes(PAIR));
  expect(leaks).toEqual([]);
});

it("leaves what a command has named for a schedule", async () => {
  const store = await openTestStore({ products: 3 });
  const named = { "feed-auth": "basic:env:ERP", profile: "bayi" };
  const shown = { adds: "draft", absent: "zero", encoding: "utf-8" };
  const given = { ...named, ...shown };
  const id = await addMissedSchedule(store, "https://erp.example.com/stok.csv", given);
  const session = await (await openWeb(store)).openSession();

  const changed = await session.call("PUT", `/schedules/${id}`, {
    ...TIMES,
    options: optionsOf(""),
    dropped: [],
  });

  expect(changed.status).toBe(200);
  await using connection = await openStore(store);
  const schedule = await connection.memory.schedules.read(id);
  expect(schedule?.options).toEqual({
    ...named,
    lang: "tr",
    "max-age": "48h",
    "price-unit": "minor",
  });
});
