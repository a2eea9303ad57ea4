import { addSchedule, type ScheduleRecord } from "@catalog/jobs";
import { describe, expect, it, onTestFinished } from "vitest";

import {
  fromSyncOptions,
  mergeSyncOptions,
  toSyncOptions,
} from "../../src/server/feeds/feed-list.ts";
import { openSession } from "../helpers/page-server.ts";
import { startWholePage } from "../helpers/whole-page.ts";

const OPTIONS = {
  sheet: "",
  encoding: "",
  columns: {},
  decimal: "",
  priceUnit: "",
  maxAgeHours: 24,
  adds: "never",
  absent: "keep",
  record: "",
  allowHost: "",
  isShadow: false,
} as const;

it.each([
  ["", undefined, ""],
  ["Stok", "Stok", "Stok"],
  [" Stok /Fiyat, liste/ ", ["Stok", "Fiyat, liste"], "Stok / Fiyat, liste"],
])("stores the sheets “%s” as the command does, and shows them again", (text, sheet, shown) => {
  const stored = toSyncOptions({ ...OPTIONS, sheet: text }, "tr");

  expect(stored.sheet).toEqual(sheet);
  expect(fromSyncOptions(stored).sheet).toBe(shown);
});

it("stores the encoding and the answers about columns as the command does", () => {
  const columns = { Kalan: "stock", "Fiyat = KDV": "price", Not: "-" };

  const stored = toSyncOptions({ ...OPTIONS, encoding: "windows-1254", columns }, "tr");

  expect(stored).toMatchObject({
    encoding: "windows-1254",
    map: ["Kalan=stock", "Fiyat = KDV=price", "Not=-"],
  });
  expect(fromSyncOptions(stored)).toMatchObject({ encoding: "windows-1254", columns });
  expect(toSyncOptions(OPTIONS, "tr")).not.toHaveProperty("map");
});

const OF_A_COMMAND = {
  lang: "tr",
  "max-age": "90m",
  "allow-host": ["erp.local", "stok.local:8080"],
  map: "Kalan=stock",
  sheet: "1",
  notify: "https://erp.example.com/tell",
};

it("keeps what a command has stored where the form was not changed", () => {
  const form = fromSyncOptions(OF_A_COMMAND);

  expect(form).toMatchObject({ maxAgeHours: 2, allowHost: "erp.local" });
  expect(mergeSyncOptions(OF_A_COMMAND, form, "tr")).toEqual(OF_A_COMMAND);
  expect(mergeSyncOptions(OF_A_COMMAND, { ...form, adds: "draft" }, "en")).toEqual({
    ...OF_A_COMMAND,
    adds: "draft",
    lang: "en",
  });
});

it.each([
  [{ maxAgeHours: 0 }, { "max-age": "0" }],
  [{ allowHost: "yeni.local" }, { "allow-host": ["yeni.local"] }],
  [{ allowHost: "" }, { "allow-host": undefined }],
  [{ columns: { Adet: "stock" } }, { map: ["Adet=stock"] }],
  [{ sheet: "" }, { sheet: undefined }],
])("takes %o of the form", (change, changed) => {
  const form = { ...fromSyncOptions(OF_A_COMMAND), ...change };

  const merged = mergeSyncOptions(OF_A_COMMAND, form, "tr");

  expect({ ...merged, ...changed }).toEqual({ ...OF_A_COMMAND, ...changed });
  expect(merged).toMatchObject(Object.fromEntries(Object.entries(changed).filter(([, to]) => to)));
});

it.each([
  [undefined, 0],
  ["0", 0],
  ["30m", 1],
  ["36h", 36],
  ["2d", 48],
  ["9999d", 10_000],
])("shows the age %s as %i hours", (age, hours) => {
  const stored = age === undefined ? {} : { "max-age": age };

  expect(fromSyncOptions(stored).maxAgeHours).toBe(hours);
});

it("stores a login only with a schedule, and no schedule without its login", async () => {
  const server = await startWholePage();
  const headers = { ...(await openSession(server)), "content-type": "application/json" };
  const login = { kind: "basic", name: "bayi42", secret: "gizli", hostKey: "" };
  const add = async (name: string, more: object): Promise<number> => {
    const feed = `https://bayi.example/${name}.csv`;
    const times = { cron: "30 9 * * *", timeZone: "Europe/Istanbul" };
    const body = JSON.stringify({ ...times, feed, options: OPTIONS, dropped: [], ...more });
    const url = `${server.origin}/api/schedules`;
    return (await fetch(url, { method: "POST", headers, body })).status;
  };

  const first = await add("stok", {});
  const known = await add("stok", { login });
  const hasStored = server.hasStarted();
  // The store of logins of this page fails.
  const unstored = await add("fiyat", { login });
  const again = await add("fiyat", {});

  expect([first, known, hasStored, unstored, again]).toEqual([201, 409, false, 500, 201]);
});

describe("a login that is given to a schedule", () => {
  const FEED = "https://bayi.example/stok.csv";
  const LOGIN = { kind: "basic", name: "bayi42", secret: "gizli", hostKey: "" } as const;
  const TIMES = { cron: "30 9 * * *", timeZone: "Europe/Istanbul" } as const;
  const NAMED = { "feed-auth": "basic:env:BAYI", "host-key": "SHA256:x", "max-age": "90m" };

  /** Gives it to one whose syncs read their login from a variable, and changes its times. */
  async function giveLogin(
    options: NonNullable<Parameters<typeof startWholePage>[0]> = {},
  ): Promise<{ readonly status: number; readonly stored: ScheduleRecord | undefined }> {
    const server = await startWholePage(options);
    const connection = await server.openConnection();
    onTestFinished(() => connection[Symbol.asyncDispose]());
    const { id } = await addSchedule(connection, { ...TIMES, feed: FEED, options: NAMED });
    const headers = { ...(await openSession(server)), "content-type": "application/json" };
    const form = { ...OPTIONS, maxAgeHours: 2 };
    const body = { ...TIMES, cron: "0 6 * * *", options: form, dropped: [], login: LOGIN };
    const { status } = await fetch(`${server.origin}/api/schedules/${id}`, {
      method: "PUT",
      headers,
      body: JSON.stringify(body),
    });
    return { status, stored: await connection.memory.schedules.read(id) };
  }

  it("takes the place of the one that its syncs were told to use", async () => {
    const saved: unknown[] = [];

    const given = await giveLogin({
      saveLogin: async (...login) => void saved.push(login),
    });

    expect(saved).toEqual([[FEED, LOGIN]]);
    expect(given).toMatchObject({ status: 200, stored: { cron: "0 6 * * *" } });
    expect(given.stored?.options).toEqual({ lang: "tr", "max-age": "90m" });
  });

  it("leaves the schedule as it was where it cannot be stored", async () => {
    const { status, stored } = await giveLogin();

    expect(status).toBe(500);
    expect(stored).toMatchObject({ ...TIMES, options: NAMED });
  });
});
