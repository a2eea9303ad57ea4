/** An address before a server, as a load balancer or a pooler has one: what is behind it may change. */

import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

export interface TcpProxy extends AsyncDisposable {
  /** The address, with the port of the proxy. */
  readonly url: string;
  /** Ends all connections; later ones go to the server at this address. */
  pointTo(url: string): void;
}

export async function openTcpProxy(url: string): Promise<TcpProxy> {
  let target = new URL(url);
  const sockets = new Set<Socket>();
  const proxy = createServer((client) => {
    const server = connect(Number(target.port), target.hostname);
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(one);
      one.on("error", () => undefined);
      one.on("close", () => {
        sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  await once(proxy.listen(0, "127.0.0.1"), "listening");
  const own = proxy.address();
  const address = new URL(url);
  address.port = String(typeof own === "object" && own !== null ? own.port : 0);
  return {
    url: address.href,
    pointTo(next) {
      target = new URL(next);
      for (const socket of sockets) socket.destroy();
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      proxy.close();
      await once(proxy, "close");
    },
  };
}
