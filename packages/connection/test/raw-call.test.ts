import type { CallOptions, Client, WirePhase } from "@catalog/client";
import { ApiError, AuthError, NetworkError, ShapeError } from "@catalog/client/errors";
import type { EndpointName } from "@catalog/contract";
import { describe, expect, it } from "vitest";

import { maskInput, sendRawCall } from "../src/raw-call.ts";
import { createTestConnection } from "../src/testing/test-connection.ts";

type Raw = (name: EndpointName, input: unknown, options: CallOptions) => Promise<unknown>;

const REPLY = { product_question_id: "q-1", message: "Evet" };
const NEVER = new AbortController().signal;

/** A call whose request leaves, and is then answered or lost. */
const leaves =
  (end: () => unknown): Raw =>
  async (_, __, { beforeSend }) => {
    beforeSend?.();
    return end();
  };

const fails = (error: Error): Raw =>
  leaves(() => {
    throw error;
  });

const answers = (data: unknown): Raw => leaves(() => data);

const refusal = (name: EndpointName, status: number): ApiError =>
  new ApiError("refused", { endpoint: name, phase: "body", status });

const lost = (name: EndpointName, phase: WirePhase): NetworkError =>
  new NetworkError("lost", { endpoint: name, phase });

/** Sends a call through a client that does this with it; returns what the log has of it as well. */
async function send(
  name: EndpointName,
  raw: Raw,
  { input = REPLY, stop = NEVER }: { readonly input?: object; readonly stop?: AbortSignal } = {},
): Promise<{ readonly outcome: unknown; readonly logged: string | undefined }> {
  const { connection } = await createTestConnection();
  const client: Client = { ...connection.client, raw };
  const call = { name, input: { ...input }, stop };
  const outcome = await sendRawCall({ ...connection, client }, call).then(
    ({ state }) => state,
    (error: unknown) => (error instanceof Error ? error.name : "?"),
  );
  const [first] = await connection.meters.rawCalls.list(1);
  return { outcome, logged: first?.state };
}

const ADDED = { status: true, product_id: "p-1" };
const shape = (name: EndpointName): ShapeError =>
  new ShapeError("html", { endpoint: name, phase: "body", status: 200, reason: "not-json" });

/** A call that asks the signal before it leaves. */
const waits: Raw = async (_, __, { signal, beforeSend }) => {
  signal?.throwIfAborted();
  beforeSend?.();
  return { success: true };
};

describe("what becomes of a call that changes something", () => {
  it.each<readonly [string, EndpointName, Raw, readonly [outcome: string, logged: string]]>([
    ["an answer of success", "question.reply", answers({ success: true }), ["done", "done"]],
    ["an answer of failure", "question.reply", answers({ success: false }), ["refused", "refused"]],
    ["an answer of another form", "question.reply", answers({ ok: 1 }), ["unknown", "unknown"]],
    ["an answer that is not documented", "order.rejectReturn", answers("ok"), ["done", "done"]],
    ["a code", "shipping.generateCode", answers({ shippingCode: "K1" }), ["done", "done"]],
    ["no code", "shipping.generateCode", answers({ shippingCode: "" }), ["unknown", "unknown"]],
    ["an added product", "product.add", answers(ADDED), ["done", "done"]],
    ["an add without an id", "product.add", answers({ status: true }), ["unknown", "unknown"]],
    ["a refused add", "product.add", answers({ status: false }), ["refused", "refused"]],
    [
      "a lost connection",
      "question.reply",
      fails(lost("question.reply", "started")),
      ["unknown", "unknown"],
    ],
    [
      "a page in place of JSON",
      "question.reply",
      fails(shape("question.reply")),
      ["unknown", "unknown"],
    ],
    ["a 500", "question.reply", fails(refusal("question.reply", 500)), ["unknown", "unknown"]],
    ["a 422", "question.reply", fails(refusal("question.reply", 422)), ["refused", "refused"]],
    ["a conflict", "order.accept", fails(refusal("order.accept", 409)), ["refused", "refused"]],
    [
      "a conflict of an add",
      "product.add",
      fails(refusal("product.add", 409)),
      ["unknown", "unknown"],
    ],
    [
      "the hourly limit",
      "order.accept",
      fails(refusal("order.accept", 429)),
      ["ApiError", "refused"],
    ],
    ["a bug after it left", "order.accept", fails(new TypeError("x")), ["TypeError", "unknown"]],
  ])("%s of %s", async (_, name, raw, [outcome, logged]) => {
    expect(await send(name, raw, { input: { package_id: "P-1", product_code: "K" } })).toEqual({
      outcome,
      logged,
    });
  });

  it("a login that is refused before it leaves is not sent", async () => {
    const facts = { endpoint: "token.create", phase: "body", status: 401 } as const;
    const raw: Raw = async () => Promise.reject(new AuthError("no", facts));

    expect(await send("order.accept", raw)).toEqual({ outcome: "AuthError", logged: "unsent" });
  });

  it("a stop keeps it from leaving, and waits for the answer of one that has left", async () => {
    const before = new AbortController();
    before.abort(new Error("stopped"));
    const after = new AbortController();
    const stopped: Raw = async (_, __, { signal, beforeSend }) => {
      beforeSend?.();
      after.abort(new Error("stopped"));
      signal?.throwIfAborted();
      return { success: true };
    };

    const one = await send("question.reply", waits, { stop: before.signal });
    const other = await send("question.reply", stopped, { stop: after.signal });

    expect(one).toEqual({ outcome: "Error", logged: "unsent" });
    expect(other).toEqual({ outcome: "done", logged: "done" });
  });
});

describe("a call that changes something", () => {
  it("is in the log, without secrets, when it leaves", async () => {
    const { connection } = await createTestConnection();
    const { rawCalls } = connection.meters;
    const seen: unknown[] = [];
    const raw: Raw = async (_, __, { beforeSend }) => {
      beforeSend?.();
      seen.push(await rawCalls.list(9));
      return { success: true };
    };
    const input = { ...REPLY, message: "https://x.test/?access_token=abc" };

    await sendRawCall(
      { ...connection, client: { ...connection.client, raw } },
      { name: "question.reply", input, stop: NEVER },
    );

    const body = { ...REPLY, message: "https://x.test/?access_token=[redacted]" };
    expect(seen).toMatchObject([[{ endpoint: "question.reply", state: "sending", body }]]);
    expect(maskInput("token.create", {})).toEqual({ client_key: "***", client_secret: "***" });
  });

  it.each<readonly [EndpointName, "store" | "feeds", boolean]>([
    ["order.accept", "store", true],
    ["order.accept", "feeds", false],
    ["product.update", "feeds", true],
    ["token.create", "store", false],
  ])("%s while another command holds the %s lock: refused %s", async (name, lock, isRefused) => {
    const { connection } = await createTestConnection();
    await using _lock = await connection.locks[lock]("catalog resume");
    const raw = answers({ status: "success" });
    const client: Client = { ...connection.client, raw };

    const sending = sendRawCall(
      { ...connection, client },
      { name, input: { package_id: "P-1", product_id: "p-1" }, stop: NEVER },
    );

    if (isRefused) await expect(sending).rejects.toMatchObject({ code: "E_STORE_BUSY" });
    else expect(await sending).toMatchObject({ state: "done" });
    expect(await connection.meters.rawCalls.list(9)).toHaveLength(isRefused ? 0 : 1);
  });

  it("is not sent a second time while the first may have been carried out", async () => {
    const { connection } = await createTestConnection();
    let sent = 0;
    const raw: Raw = async (name, _, { beforeSend }) => {
      beforeSend?.();
      sent += 1;
      throw lost(name, "started");
    };
    const client: Client = { ...connection.client, raw };
    const reply = (question: string): ReturnType<typeof sendRawCall> =>
      sendRawCall(
        { ...connection, client },
        { name: "question.reply", input: { ...REPLY, product_question_id: question }, stop: NEVER },
      );

    const first = await reply("q-1");
    await expect(reply("q-1")).rejects.toMatchObject({ code: "E_SENT_BEFORE" });
    await reply("q-2");
    await connection.meters.rawCalls.settle(first.call, "absent");
    await reply("q-1");

    expect(sent).toBe(3);
  });
});
