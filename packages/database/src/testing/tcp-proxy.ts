/** An address before a server, as a load balancer or a pooler has one. */

import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

export interface TcpProxy extends AsyncDisposable {
  /** The address of the server, with the port of the proxy. */
  readonly url: string;
  /** Ends all connections; later ones go to the server at this address. */
  pointTo(url: string): void;
}

interface TcpProxyOptions {
  /**
   * Called with what a client says. Where it returns `false`, the server gets the bytes, and the
   * client no answer: both connections are ended. @default it returns `true`
   */
  readonly pass?: ((bytes: string) => boolean) | undefined;
}

export async function openTcpProxy(
  url: string,
  { pass = () => true }: TcpProxyOptions = {},
): Promise<TcpProxy> {
  let target = new URL(url);
  const sockets = new Set<Socket>();
  const proxy = createServer((client) => {
    const server = connect(Number(target.port), target.hostname);
    client.on("data", (bytes) => {
      if (pass(bytes.toString("latin1"))) server.write(bytes);
      else {
        // The server has them before it sees the end of the connection.
        server.write(bytes, () => server.end());
        client.destroy();
      }
    });
    server.pipe(client);
    client.on("end", () => server.end());
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => sockets.delete(socket));
    }
    server.on("close", () => client.destroy());
  });
  await once(proxy.listen(0, "127.0.0.1"), "listening");
  const own = proxy.address();
  const address = new URL(url);
  address.port = String(typeof own === "object" && own !== null ? own.port : 0);
  const endAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: address.href,
    pointTo(next) {
      target = new URL(next);
      endAll();
    },
    async [Symbol.asyncDispose]() {
      endAll();
      proxy.close();
      await once(proxy, "close");
    },
  };
}
