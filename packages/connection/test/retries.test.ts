import { once } from "node:events";
import { createServer } from "node:http";

import { systemClock } from "@catalog/clock";
import { expect, it, onTestFinished } from "vitest";

import { createTestConnection } from "../src/testing/index.ts";

/** A server that ends every request without an answer. */
async function startSilent() {
  let requests = 0;
  const server = createServer((_request, response) => {
    requests += 1;
    response.destroy();
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return { baseUrl: `http://127.0.0.1:${address.port}`, requests: () => requests };
}

it.each([0, 1])(
  "repeats a call without an answer %i times where that is asked for",
  async (retries) => {
    const { baseUrl, requests } = await startSilent();
    const { connection } = await createTestConnection({ baseUrl, retries, clock: systemClock });

    await expect(connection.client.login()).rejects.toMatchObject({ code: "NETWORK_ERROR" });

    expect(requests()).toBe(retries + 1);
  },
);
