import type { Clock } from "@catalog/clock";
import { createFakeClock } from "@catalog/clock/testing";
import { describe, expect, it } from "vitest";
import * as z from "zod";

import { type Fault, type Sandbox, startSandbox } from "../../src/index.ts";
import { createSampleProduct, openTestClient } from "../helpers/test-client.ts";
import { ask, type WireAnswer, type WireRequest } from "../helpers/wire.ts";

interface Shop {
  readonly sandbox: Sandbox;
  readonly add: (request?: Omit<WireRequest, "body">) => Promise<WireAnswer>;
}

async function openShop(fault: Fault, clock?: Clock): Promise<Shop> {
  const { sandbox, token } = await openTestClient({
    faults: [{ endpoint: "product.add", ...fault }],
    ...(clock === undefined ? {} : { clock }),
  });
  const url = `${sandbox.baseUrl}/v1.1/product/add/store/${sandbox.storeId}?access_token=${token}`;
  const body = createSampleProduct();
  return { sandbox, add: (request = {}) => ask(url, { ...request, body }) };
}

/** A fake clock that reports when a caller begins to wait. */
function createWatchedClock() {
  const fake = createFakeClock();
  const { promise: slept, resolve } = Promise.withResolvers<number>();
  const clock: Clock = {
    now: () => fake.now(),
    sleep(ms, signal) {
      resolve(ms);
      return fake.sleep(ms, signal);
    },
  };
  return { clock, slept, advance: (ms: number) => fake.advance(ms) };
}

describe("a fault without effect", () => {
  it.each([
    [{ kind: "too-many" }, 429, undefined],
    [{ kind: "too-many", ms: 1500 }, 429, "2"],
    [{ kind: "error-before" }, 503, undefined],
    [{ kind: "error-before", status: 500 }, 500, undefined],
  ] as const)("answers %o with status %i", async (fault, status, retryAfter) => {
    const { sandbox, add } = await openShop(fault);

    const answer = await add();

    expect(answer.status).toBe(status);
    expect(answer.headers["retry-after"]).toBe(retryAfter);
    expect(sandbox.products()).toEqual([]);
  });

  it("resets the connection", async () => {
    const { sandbox, add } = await openShop({ kind: "reset-before" });

    await expect(add()).rejects.toMatchObject({ code: "ECONNRESET" });
    expect(sandbox.products()).toEqual([]);
  });

  it("can never answer, until the client aborts", async () => {
    const { sandbox, add } = await openShop({ kind: "never" });
    const giveUp = new AbortController();
    const answer = add({ signal: giveUp.signal });
    await seenBy(sandbox);

    giveUp.abort();

    await expect(answer).rejects.toMatchObject({ name: "AbortError" });
    expect(sandbox.products()).toEqual([]);
  });

  it("does not keep the sandbox from closing when it never answers", async () => {
    const { sandbox, add } = await openShop({ kind: "never" });
    const answer = add().catch((error: unknown) => error);
    await seenBy(sandbox);

    await sandbox.close();

    expect(await answer).toBeInstanceOf(Error);
  });
});

describe("a fault after the effect", () => {
  it.each([
    [{ kind: "refused-after" }, 422],
    [{ kind: "refused-after", status: 401 }, 401],
    [{ kind: "refused-after", status: 429, ms: 2_000 }, 429],
    [{ kind: "refused-after", status: 200 }, 200],
  ] as const)("refuses the call that it has carried out: %o", async (fault, status) => {
    const { sandbox, add } = await openShop(fault);

    const answer = await add();

    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.text)).toMatchObject({ data: { status: false } });
    expect(answer.headers["retry-after"]).toBe(status === 429 ? "2" : undefined);
    expect(sandbox.products()).toHaveLength(1);
  });

  it("answers with an error", async () => {
    const { sandbox, add } = await openShop({ kind: "error-after", status: 502 });

    expect((await add()).status).toBe(502);
    expect(sandbox.products()).toHaveLength(1);
  });

  it("resets the connection", async () => {
    const { sandbox, add } = await openShop({ kind: "reset-after" });

    await expect(add()).rejects.toMatchObject({ code: "ECONNRESET" });
    expect(sandbox.products()).toHaveLength(1);
  });

  it("answers with an HTML page", async () => {
    const { sandbox, add } = await openShop({ kind: "html" });

    const answer = await add();

    expect(answer).toMatchObject({ status: 200, text: expect.stringMatching(/^<!doctype html>/u) });
    expect(answer.headers["content-type"]).toContain("text/html");
    expect(sandbox.products()).toHaveLength(1);
  });

  it.each([
    ["truncated-with-length", true],
    ["truncated-without-length", false],
  ] as const)("cuts the body off: %s", async (kind, isNoticed) => {
    const { sandbox, add } = await openShop({ kind });
    const plain = await openTestClient();
    const whole = { data: { status: true, message: "Product added", product_id: "" } };
    const product_id = await plain.add();

    const answer = await add();

    const text = JSON.stringify({ data: { ...whole.data, product_id } });
    expect(answer).toMatchObject({ status: 200, isCut: isNoticed });
    expect(answer.text).toBe(text.slice(0, Math.ceil(text.length / 2)));
    expect(answer.headers["content-length"]).toBe(isNoticed ? String(text.length) : undefined);
    expect(answer.headers["transfer-encoding"]).toBeUndefined();
    expect(sandbox.products()).toHaveLength(1);
  });

  it("applies no call that the marketplace would refuse", async () => {
    const { sandbox, post } = await openTestClient({
      faults: [{ kind: "error-after", endpoint: "product.update" }],
    });

    const path = `/v1.1/product/update/store/${sandbox.storeId}`;
    const { httpStatus } = await post(path, { product_id: "nobody", title: "Yeni" });

    expect(httpStatus).toBe(503);
    expect(sandbox.stats().updates).toBe(0);
  });
});

describe("the fault latency", () => {
  it("delays the answer, also together with another fault", async () => {
    const { clock, slept, advance } = createWatchedClock();
    const { sandbox, token } = await openTestClient({
      clock,
      faults: [
        { kind: "latency", endpoint: "category.list", ms: 700 },
        { kind: "html", endpoint: "category.list" },
      ],
    });

    const answer = ask(`${sandbox.baseUrl}/v1.1/category/?access_token=${token}`);
    const waited = await slept;
    await advance(700);

    expect(waited).toBe(700);
    expect((await answer).headers["content-type"]).toContain("text/html");
  });
});

describe("the fault late-effect", () => {
  it("applies the call some time after the client has disconnected", async () => {
    const { clock, slept, advance } = createWatchedClock();
    const { sandbox, add } = await openShop({ kind: "late-effect", ms: 5000 }, clock);
    const giveUp = new AbortController();
    const answer = add({ signal: giveUp.signal }).catch(() => "given up");
    await seenBy(sandbox);
    await advance(60_000);
    const whileWaiting = sandbox.products().length;

    giveUp.abort();
    const waited = await slept;
    await advance(4999);
    const tooEarly = sandbox.products().length;
    await advance(1);

    expect(await answer).toBe("given up");
    expect([waited, whileWaiting, tooEarly]).toEqual([5000, 0, 0]);
    expect(sandbox.products()).toHaveLength(1);
  });

  it("applies nothing after the sandbox has closed", async () => {
    const { clock, slept } = createWatchedClock();
    const { sandbox, add } = await openShop({ kind: "late-effect" }, clock);
    const giveUp = new AbortController();
    const answer = add({ signal: giveUp.signal }).catch(() => "given up");
    await seenBy(sandbox);
    giveUp.abort();
    await slept;

    await sandbox.close();

    expect(await answer).toBe("given up");
    expect(sandbox.products()).toEqual([]);
  });
});

describe("the same seed and the same calls", () => {
  it("meet the same faults again over HTTP", async () => {
    const faults = [
      { kind: "error-before", rate: 0.4 },
      { kind: "html", rate: 0.4 },
    ] as const;
    const run = async (seed: string): Promise<readonly (number | string)[]> => {
      await using sandbox = await startSandbox({ seed, faults });
      const outcomes: (number | string)[] = [];
      for (let call = 0; call < 30; call += 1) {
        const body = { client_key: sandbox.clientKey, client_secret: sandbox.clientSecret };
        const { status, text } = await ask(`${sandbox.baseUrl}/app/auth/access`, { body });
        outcomes.push(text.startsWith("<") ? "html" : status);
      }
      return outcomes;
    };

    const [one, again, other] = [await run("a"), await run("a"), await run("b")];

    expect(again).toEqual(one);
    expect(other).not.toEqual(one);
    expect(new Set(one)).toEqual(new Set([200, 503, "html"]));
  });
});

const snapshotSchema = z.object({ faults: z.array(z.number()) });

/** Resolves once the fault has met a call. */
async function seenBy({ baseUrl }: Sandbox): Promise<void> {
  for (;;) {
    const { text } = await ask(`${baseUrl}/_sandbox/snapshot`);
    if (snapshotSchema.parse(JSON.parse(text)).faults[0] === 1) return;
  }
}
