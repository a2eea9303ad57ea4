/** A TCP proxy before the sandbox that applies one fault to one request at a chosen moment. */

import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";

export const MOMENTS = [
  "connect",
  "headers",
  "mid-body",
  "before-effect",
  "after-effect",
  "mid-answer",
] as const;

export type Moment = (typeof MOMENTS)[number];

export const ACTIONS = ["reset", "fin", "silence", "garbage", "html", "latency"] as const;

export type Action = (typeof ACTIONS)[number] | "slow-close" | "truncate-without-length";

export interface WireFault {
  readonly moment: Moment;
  readonly action: Action;
  /** Pattern of the first line of the request that gets the fault. */
  readonly path: RegExp;
}

export interface FaultProxy extends AsyncDisposable {
  readonly baseUrl: string;
  /** Applies the fault to the next matching request; later ones pass. */
  arm(fault: WireFault): void;
  /** Number of requests that got the fault. */
  readonly spoiled: number;
  /** Resolves once a connection gets no answer. */
  readonly silenced: Promise<void>;
  /** Ends the connections that are kept open, with a reset or a FIN. */
  dropIdle(action: "reset" | "fin"): void;
  /** Ends the kept connections, and waits until both sides know. */
  forget(): Promise<void>;
  /** Refuses all connections while `work` runs. */
  refusing<T>(work: () => Promise<T>): Promise<T>;
}

const HOST = "127.0.0.1";
const PAGE = "<!doctype html><title>Bakım</title>";
const HTML_ANSWER = [
  "HTTP/1.1 200 OK",
  "content-type: text/html; charset=utf-8",
  `content-length: ${Buffer.byteLength(PAGE)}`,
  "connection: close",
  "",
  PAGE,
].join("\r\n");

const LATENCY_MS = 30;

export async function startFaultProxy(upstreamUrl: string): Promise<FaultProxy> {
  const upstreamPort = Number(new URL(upstreamUrl).port);
  const clients = new Set<Socket>();
  let armed: WireFault | undefined;
  let spoiled = 0;
  const silence = Promise.withResolvers<void>();
  const act = (client: Socket, action: Action, told: Buffer | string): void => {
    endAs(client, action, told);
    if (action === "silence") silence.resolve();
  };

  const take = (isMeant: (fault: WireFault) => boolean): WireFault | undefined => {
    const fault = armed;
    if (fault === undefined || !isMeant(fault)) return undefined;
    armed = undefined;
    spoiled += 1;
    return fault;
  };
  const serve = (client: Socket): void => {
    clients.add(client);
    client.on("close", () => clients.delete(client)).on("error", () => undefined);
    const fault = take(({ moment }) => moment === "connect");
    if (fault !== undefined && fault.action !== "latency") act(client, fault.action, "");
    else forward(client, { upstreamPort, take, act });
  };
  const server = createServer(serve);
  const port = await listen(server, 0);

  const forget = async (): Promise<void> => {
    for (const client of clients) client.end();
    while (clients.size > 0) await pass(LATENCY_MS);
  };

  return {
    baseUrl: `http://${HOST}:${port}`,
    get spoiled() {
      return spoiled;
    },
    arm(fault) {
      armed = fault;
    },
    dropIdle(action) {
      for (const client of clients) act(client, action, "");
    },
    silenced: silence.promise,
    forget,
    async refusing(work) {
      await forget();
      await closed(server);
      try {
        return await work();
      } finally {
        await listen(server, port);
      }
    },
    async [Symbol.asyncDispose]() {
      for (const client of clients) client.destroy();
      await closed(server);
    },
  };
}

async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, HOST);
  await once(server, "listening");
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : port;
}

async function closed(server: Server): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  await promise;
}

interface FaultRoute {
  readonly upstreamPort: number;
  readonly take: (isMeant: (fault: WireFault) => boolean) => WireFault | undefined;
  readonly act: typeof endAs;
}

/** Forwards requests until one gets the fault. */
function forward(client: Socket, { upstreamPort, take, act }: FaultRoute): void {
  const upstream = connect(upstreamPort, HOST);
  upstream.on("error", () => client.destroy());
  upstream.on("close", () => client.end());
  client.on("close", () => upstream.destroy());
  upstream.on("data", (chunk) => client.write(chunk));
  client.on("data", (chunk) => {
    const [firstLine = ""] = chunk.toString("latin1").split("\r\n", 1);
    const isStart = /^(?:GET|POST) /u.test(firstLine);
    const fault = isStart
      ? take(({ moment, path }) => moment !== "connect" && path.test(firstLine))
      : undefined;
    if (fault === undefined) {
      upstream.write(chunk);
      return;
    }
    client.removeAllListeners("data");
    upstream.removeAllListeners("data").removeAllListeners("close");
    spoil({ client, upstream, fault, act }, chunk).catch(() => client.destroy());
  });
}

interface Spoiling {
  readonly client: Socket;
  readonly upstream: Socket;
  readonly fault: WireFault;
  readonly act: typeof endAs;
}

async function spoil({ client, upstream, fault, act }: Spoiling, first: Buffer): Promise<void> {
  const { moment, action } = fault;
  if (action === "latency" || action === "slow-close") {
    await delay({ client, upstream, fault, act }, first);
    return;
  }
  if (moment === "headers") {
    act(client, action, "");
    return;
  }
  const request = await readMessage(client, first);
  if (moment === "mid-body" || moment === "before-effect") {
    if (moment === "mid-body") upstream.write(request.subarray(0, halfOf(request)));
    act(client, action, "");
    // The marketplace receives only what was forwarded so far.
    upstream.end();
    return;
  }
  upstream.write(request);
  const answer = await readMessage(upstream, Buffer.alloc(0));
  const told = moment === "mid-answer" ? answer.subarray(0, halfOf(answer)) : Buffer.alloc(0);
  if (action === "truncate-without-length") client.end(withoutLength(told));
  else act(client, action, told);
}

/** Forwards everything with a delay. */
async function delay({ client, upstream, fault }: Spoiling, first: Buffer): Promise<void> {
  const request = await readMessage(client, first);
  if (fault.action === "latency") await pass(LATENCY_MS);
  upstream.write(request);
  client.write(await readMessage(upstream, Buffer.alloc(0)));
  if (fault.action === "slow-close") await pass(LATENCY_MS);
  client.end();
}

/** Bytes up to the middle of its body, or of its headers where it has none. */
function halfOf(message: Buffer): number {
  const bodyAt = message.indexOf("\r\n\r\n") + 4;
  return bodyAt < message.length
    ? bodyAt + Math.floor((message.length - bodyAt) / 2)
    : Math.floor(message.length / 2);
}

function withoutLength(message: Buffer): string {
  return message
    .toString("latin1")
    .replace(/content-length: \d+\r\n/iu, "connection: close\r\n")
    .replace(/connection: keep-alive\r\n|keep-alive: [^\r]*\r\n/giu, "");
}

/** Reads a whole HTTP message with a content length, or without a body. */
async function readMessage(socket: Socket, first: Buffer): Promise<Buffer> {
  let message = first;
  while (message.length < wholeLength(message)) {
    const [chunk]: unknown[] = await once(socket, "data");
    if (Buffer.isBuffer(chunk)) message = Buffer.concat([message, chunk]);
  }
  return message;
}

function wholeLength(message: Buffer): number {
  const end = message.indexOf("\r\n\r\n");
  if (end === -1) return Infinity;
  const headers = message.subarray(0, end).toString("latin1");
  const length = /content-length: (?<bytes>\d+)/iu.exec(headers)?.groups?.["bytes"] ?? "0";
  return end + 4 + Number(length);
}

function endAs(client: Socket, action: Action, told: Buffer | string): void {
  const isBegun = told.length > 0;
  if (isBegun) client.write(told);
  ACTS[action](client, isBegun);
}

type Act = (client: Socket, isBegun: boolean) => unknown;

const ACTS: Readonly<Record<Action, Act>> = {
  reset(client, isBegun) {
    // Bytes written before must arrive before the reset.
    if (isBegun) setTimeout(() => client.resetAndDestroy(), LATENCY_MS);
    else client.resetAndDestroy();
  },
  garbage: (client) => client.end("\u0000\u0001 nonsense \r\n\r\n"),
  html: (client, isBegun) => client.end(isBegun ? PAGE : HTML_ANSWER),
  fin: (client) => client.end(),
  "slow-close": (client) => client.end(),
  "truncate-without-length": (client) => client.end(),
  silence: () => undefined,
  latency: () => undefined,
};

export const pass = (ms: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, ms));
