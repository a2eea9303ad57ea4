import { once } from "node:events";
import { connect } from "node:net";

import { expect, it } from "vitest";

import { createSampleProduct, openTestClient } from "../helpers/test-client.ts";

it("carries out a request whose sender has disconnected before the answer", async () => {
  const { sandbox, token } = await openTestClient({ latencyMs: 20 });
  const { hostname, port } = new URL(sandbox.baseUrl);
  const body = JSON.stringify(createSampleProduct());
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");

  socket.write(
    [
      `POST /v1.1/product/add/store/${sandbox.storeId}?access_token=${token} HTTP/1.1`,
      "host: sandbox",
      "content-type: application/json",
      `content-length: ${Buffer.byteLength(body)}`,
      "connection: close",
      "",
      body,
    ].join("\r\n"),
  );
  socket.destroy();

  await expect.poll(() => sandbox.stats().adds, { timeout: 120_000 }).toBe(1);
});
