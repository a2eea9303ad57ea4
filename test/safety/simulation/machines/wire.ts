/**
 * The way of one process to the database server: it cuts connections in the middle of commits, by
 * chance, and all of them while its machine is offline. The server has noticed a cut before the
 * process does, so that a world can be repeated.
 */

import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";

import type { Random } from "../world/random.ts";

export interface WireOptions {
  /** Address of the database on the server. */
  readonly url: string;
  readonly random: Random;
  /** Share of the transactions whose connection is cut. */
  readonly cutShare: () => number;
  /** Whether no connection can be made. */
  readonly isOffline: () => boolean;
  readonly onCut: (where: CutPlace) => void;
}

/** Where a connection is cut: within a transaction, or before or after its commit has arrived. */
export type CutPlace = (typeof PLACES)[number];

const PLACES = ["within", "before the commit", "after the commit"] as const;

export interface Wire {
  /** Address of the database through this wire. */
  readonly url: string;
  /** Ends all connections. */
  cutAll(): Promise<void>;
  close(): Promise<void>;
}

export async function openWire(options: WireOptions): Promise<Wire> {
  const links = new Set<Link>();
  const target = new URL(options.url);
  const server = createServer((client) => {
    if (options.isOffline()) {
      client.destroy();
      return;
    }
    const link = openLink(options, client, connect(Number(target.port), target.hostname));
    links.add(link);
    client.once("close", () => links.delete(link));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const cutAll = async (): Promise<void> => {
    await Promise.all([...links].map((link) => link.cut()));
  };
  return {
    url: toLocal(target, server),
    cutAll,
    async close() {
      await cutAll();
      server.close();
    },
  };
}

function toLocal(target: URL, server: Server): string {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the wire has no port");
  const local = new URL(target);
  local.hostname = "127.0.0.1";
  local.port = String(address.port);
  return local.href;
}

interface Link {
  cut(): Promise<void>;
}

/** One connection; whole messages of the client are passed on. */
function openLink(options: WireOptions, client: Socket, server: Socket): Link {
  let rest = Buffer.alloc(0);
  let isStarted = false;
  /** Where this transaction's connection is cut. */
  let place: CutPlace | undefined;
  /** Whether the next answer of the server is the last one that arrives there. */
  let isSwallowing = false;
  const cut = async (): Promise<void> => {
    if (!server.closed) {
      const closed = once(server, "close");
      server.end();
      // The server closes once the transaction is undone.
      server.resume();
      await closed;
    }
    client.destroy();
  };
  const cutHere = (where: CutPlace): void => {
    place = undefined;
    options.onCut(where);
    void cut();
  };
  const take = (message: Buffer, text: string): void => {
    if (text.startsWith("BEGIN; SET LOCAL") && options.random.chance(options.cutShare())) {
      place = options.random.pick(PLACES);
    }
    if (text === "COMMIT" && place === "before the commit") return cutHere(place);
    isSwallowing ||= text === "COMMIT" && place === "after the commit";
    if (server.writable) server.write(message);
  };
  client.on("data", (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    for (let size = sizeOf(rest, isStarted); size > 0; size = sizeOf(rest, isStarted)) {
      const message = rest.subarray(0, size);
      rest = rest.subarray(size);
      take(message, isStarted ? textOf(message) : "");
      isStarted = true;
    }
  });
  server.on("data", (chunk) => {
    if (isSwallowing) cutHere("after the commit");
    else client.write(chunk);
    if (place === "within") cutHere(place);
  });
  for (const socket of [client, server]) {
    socket.setNoDelay();
    socket.on("error", () => undefined);
  }
  client.once("close", () => server.destroy());
  server.once("close", () => client.destroy());
  return { cut };
}

/** Bytes of the first message, 0 while it is not whole; the very first one has no letter. */
function sizeOf(bytes: Buffer, isStarted: boolean): number {
  const head = isStarted ? 1 : 0;
  if (bytes.length < head + 4) return 0;
  const size = head + bytes.readInt32BE(head);
  return bytes.length < size ? 0 : size;
}

/** Text of a simple query; empty for other messages. */
const textOf = (message: Buffer): string =>
  message[0] === SIMPLE_QUERY ? message.toString("utf8", 5, message.length - 1) : "";

/** The letter Q. */
const SIMPLE_QUERY = 0x51;
