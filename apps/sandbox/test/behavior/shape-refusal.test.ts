import { describe, expect, it } from "vitest";

import type { BehaviorOptions, Sandbox, SandboxOptions } from "../../src/index.ts";
import { openTestClient } from "../helpers/test-client.ts";
import { ask } from "../helpers/wire.ts";

const refused = ({ baseUrl }: Sandbox): string => `${baseUrl}/v1.1/category/?access_token=guess`;

async function open(behavior: BehaviorOptions, options: SandboxOptions = {}) {
  return openTestClient({ ...options, personality: behavior });
}

describe("the setting auth-error", () => {
  it.each(["401", "403", "200"] as const)("refuses a token with %s", async (value) => {
    const { sandbox } = await open({ "auth-error": value });

    const answer = await ask(refused(sandbox));

    expect(answer.status).toBe(Number(value));
    expect(JSON.parse(answer.text)).toMatchObject({
      data: { status: false, message: "access_token is unknown" },
    });
  });

  it("refuses a login the same way, and leaves other refusals as they are", async () => {
    const { sandbox, get } = await open({ "auth-error": "200" });

    const body = { client_key: sandbox.clientKey, client_secret: "guess" };
    const login = await ask(`${sandbox.baseUrl}/app/auth/access`, { body });
    const closed = await get(`/v1.1/product/store/${sandbox.closedStoreId}`);

    expect(login.status).toBe(200);
    expect(JSON.parse(login.text)).toMatchObject({ data: { status: "error" } });
    expect(closed.httpStatus).toBe(403);
  });
});

describe("the setting error-body", () => {
  const words = { message: "access_token is unknown", message_tr: "access_token tanınmıyor" };

  it.each([
    ["data", JSON.stringify({ data: { status: false, ...words } })],
    ["error-object", JSON.stringify({ error: { code: "E401", ...words } })],
    ["errors-list", JSON.stringify({ errors: [words] })],
    ["text", words.message],
    ["empty", ""],
  ] as const)("has the form %s", async (shape, text) => {
    const { sandbox } = await open({ "error-body": shape });

    const answer = await ask(refused(sandbox));

    expect(answer).toMatchObject({ status: 401, text });
    expect(answer.headers["content-type"]?.includes("json") ?? false).toBe(text.startsWith("{"));
  });

  it("applies to an unknown path", async () => {
    const { sandbox } = await open({ "error-body": "errors-list" });

    const answer = await ask(`${sandbox.baseUrl}/v1.1/nothing`);

    expect(JSON.parse(answer.text)).toMatchObject({ errors: [{ message: "Path not found" }] });
  });
});

describe("the setting hourly-limit", () => {
  it.each([
    ["429-retry-after", 429, "3600"],
    ["429", 429, undefined],
    ["403", 403, undefined],
  ] as const)("refuses with %s", async (value, status, retryAfter) => {
    const { sandbox, token } = await open({ "hourly-limit": value }, { requestsPerHour: 1 });

    const answer = await ask(`${sandbox.baseUrl}/v1.1/category/?access_token=${token}`);

    expect(answer.status).toBe(status);
    expect(answer.headers["retry-after"]).toBe(retryAfter);
  });

  it("can end the connection without an answer", async () => {
    const { sandbox, token } = await open({ "hourly-limit": "silent" }, { requestsPerHour: 1 });

    const answer = ask(`${sandbox.baseUrl}/v1.1/category/?access_token=${token}`);

    await expect(answer).rejects.toThrow("socket hang up");
    expect(sandbox.stats().requests).toBe(2);
  });
});

describe("the setting date-header", () => {
  const HOUR_MS = 60 * 60 * 1000;

  it.each([
    ["hour-ahead", HOUR_MS],
    ["hour-behind", -HOUR_MS],
  ] as const)("shifts the date by an hour: %s", async (value, shiftMs) => {
    const now = Date.UTC(2025, 5, 1);
    const clock = { now: () => now, sleep: async () => undefined };
    const { sandbox } = await open({ "date-header": value }, { clock });

    const answer = await ask(refused(sandbox));

    expect(Date.parse(answer.headers.date ?? "")).toBe(now + shiftMs);
  });

  it("can leave the date out", async () => {
    const silent = await open({ "date-header": "missing" });
    const right = await open({ "date-header": "right" });

    const answers = [await ask(refused(silent.sandbox)), await ask(refused(right.sandbox))];

    expect(answers.map(({ headers }) => headers.date !== undefined)).toEqual([false, true]);
  });
});
