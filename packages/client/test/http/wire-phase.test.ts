import { createServer } from "node:net";

import { describe, expect, it, onTestFinished } from "vitest";

import { createWireRecorder } from "../../src/http/wire-phase.ts";
import { NetworkError, ShapeError } from "../../src/index.ts";
import { connect, failureOf, type Reply, startMarketplace } from "../helpers/marketplace.ts";
import { ADDED, CUP } from "../helpers/product.ts";

/** A port without a listener. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" ? (address?.port ?? 0) : 0;
}

const FOREVER = Number.MAX_SAFE_INTEGER;

const ended =
  (answer: string): Reply =>
  (seen) =>
    void seen.socket.end(answer);

describe("the wire phase of a request", () => {
  it("is none when the connection is refused", async () => {
    const baseUrl = `http://127.0.0.1:${await freePort()}`;
    const { client, calls, tokens } = connect({ baseUrl }, { retries: 0 });
    // With a cached token, the call itself is the first request.
    tokens.read = async () => ({ token: "token-0", expiresAtMs: FOREVER });

    const error = await failureOf(client.product.add(CUP));

    expect(error).toBeInstanceOf(NetworkError);
    expect(error).toMatchObject({ phase: "none", code: "NETWORK_ERROR", endpoint: "product.add" });
    expect(String(error)).toContain("ECONNREFUSED");
    expect(calls).toMatchObject([{ phase: "none", status: undefined, kind: "write" }]);
  });

  it("is none when the host has no address", async () => {
    const { client, tokens } = connect({ baseUrl: "https://nowhere.invalid" });
    tokens.read = async () => ({ token: "token-0", expiresAtMs: FOREVER });

    const error = await failureOf(client.product.add(CUP));

    expect(error).toBeInstanceOf(NetworkError);
    expect(error).toMatchObject({ phase: "none" });
  });

  it("is none when a server closes the connection before the TLS handshake", async () => {
    const server = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const address = server.address();
    const port = typeof address === "object" ? address?.port : 0;
    const { client, tokens } = connect({ baseUrl: `https://127.0.0.1:${port}` });
    tokens.read = async () => ({ token: "token-0", expiresAtMs: FOREVER });

    const error = await failureOf(client.product.add(CUP));

    expect(error).toMatchObject({ phase: "none", code: "NETWORK_ERROR" });
  });

  const [ok, chunk] = ["HTTP/1.1 200 OK\r\n", '7\r\n{"data"\r\n'];
  const cut: readonly [string, string, number | undefined, Reply][] = [
    ["started", "the server hangs up", undefined, (seen) => void seen.socket.destroy()],
    ["started", "the answer is no HTTP", undefined, ended("hello\r\n\r\n")],
    ["started", "an answer only informs", undefined, ended("HTTP/1.1 103 Early Hints\r\n\r\n")],
    ["headers", "a body is cut", 200, ended(`${ok}content-length: 100\r\n\r\n{"data"`)],
    ["headers", "chunks end", 200, ended(`${ok}transfer-encoding: chunked\r\n\r\n${chunk}`)],
  ];
  it.each(cut)("is %s when %s", async (phase, _event, status, reply) => {
    const marketplace = await startMarketplace(reply);
    const { client, calls } = connect(marketplace);

    const error = await failureOf(client.product.add(CUP));

    expect(error).toBeInstanceOf(NetworkError);
    expect(error).toMatchObject({ phase });
    expect(calls.at(-1)).toMatchObject({ endpoint: "product.add", phase, status });
    expect(marketplace.seen).toHaveLength(1);
  });

  it("is body when a body without announced length is cut short, and the answer is no JSON", async () => {
    const marketplace = await startMarketplace(
      (seen) =>
        void seen.socket.end('HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n{"data":{"status":tr'),
    );
    const { client, calls } = connect(marketplace);

    const error = await failureOf(client.product.add(CUP));

    expect(error).toBeInstanceOf(ShapeError);
    expect(error).toMatchObject({ phase: "body", status: 200, reason: "not-json" });
    expect(calls.at(-1)).toMatchObject({ phase: "body", status: 200 });
  });

  it("is body when the whole answer came after an informational response", async () => {
    const text = JSON.stringify({ data: ADDED });
    const marketplace = await startMarketplace(
      (seen) =>
        void seen.socket.end(
          `HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: ${text.length}\r\n\r\n${text}`,
        ),
    );
    const { client, calls } = connect(marketplace);

    await expect(client.product.add(CUP)).resolves.toEqual(ADDED);

    expect(calls.at(-1)).toMatchObject({ phase: "body", status: 200 });
  });
});

function createController() {
  const reasons: Error[] = [];
  const controller = {
    aborted: false,
    paused: false,
    reason: null,
    abort: (reason: Error) => void reasons.push(reason),
    pause: () => undefined,
    resume: () => undefined,
  };
  return { controller, reasons };
}

describe("createWireRecorder", () => {
  it("refuses to begin the same request a second time", async () => {
    const recorder = createWireRecorder({ maxBytes: 100 });
    const first = createController();
    const second = createController();

    recorder.handler.onRequestStart?.(first.controller, null);
    recorder.handler.onRequestStart?.(second.controller, null);

    expect(first.reasons).toHaveLength(0);
    expect(second.reasons.length).toBeGreaterThan(0);
    await expect(recorder.done).resolves.toMatchObject({
      phase: "started",
      failure: { kind: "network" },
    });
  });

  it("keeps a request unsent that was stopped while it waited for its connection", async () => {
    const recorder = createWireRecorder({ maxBytes: 100 });
    const { controller, reasons } = createController();

    recorder.stop({ kind: "timeout" });
    recorder.handler.onRequestStart?.(controller, null);

    expect(reasons).toHaveLength(1);
    await expect(recorder.done).resolves.toMatchObject({
      phase: "none",
      failure: { kind: "timeout" },
    });
  });
});
