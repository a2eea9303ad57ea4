/** A local receiver of alerts, as a webhook reaches it. */

import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { text } from "node:stream/consumers";

import { onTestFinished } from "vitest";

/** Of the form that every test looks for in all that was printed and written. */
export const KEY = "sandbox-secret:0123abcd";

export interface Receiver {
  readonly url: string;
  readonly bodies: readonly Readonly<Record<string, unknown>>[];
  /** Status of the answers from now on. */
  status: number;
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

export async function startServer(handle: Parameters<typeof createServer>[1]): Promise<number> {
  const server = createServer(handle);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return portOf(server);
}

/** Takes every POST under an address with a key in it. */
export async function startReceiver(): Promise<Receiver> {
  const bodies: Readonly<Record<string, unknown>>[] = [];
  const state = { status: 200 };
  const port = await startServer((request, response) => {
    const take = async (): Promise<void> => {
      bodies.push(JSON.parse(await text(request)));
      response.writeHead(state.status).end();
    };
    void take();
  });
  return Object.assign(state, { url: `http://127.0.0.1:${port}/hook/${KEY}`, bodies });
}

export const causesOf = ({ bodies }: Pick<Receiver, "bodies">): readonly unknown[] =>
  bodies.map(({ cause }) => cause);
