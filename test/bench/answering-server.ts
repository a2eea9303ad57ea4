/**
 * Answers every call with success after a fixed delay in milliseconds; prints its address.
 * LATENCY_MS
 */

import { createServer, type IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

const [latencyMs = "0"] = process.argv.slice(2);
const ANSWERS = {
  token: { data: { status: true, access_token: "token", expires_at: "2100-01-01T00:00:00Z" } },
  list: { data: { total: 0, result: [] } },
  write: { data: { status: true, product_id: "000000000000000000000001" } },
};

function kindOf({ url, method }: IncomingMessage): keyof typeof ANSWERS {
  if (url?.startsWith("/app/auth/access") === true) return "token";
  return method === "GET" ? "list" : "write";
}

const server = createServer((request, response) => {
  request.resume();
  request.on("end", () => void answer());
  async function answer(): Promise<void> {
    const kind = kindOf(request);
    if (Number(latencyMs) > 0) await sleep(Number(latencyMs));
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify(ANSWERS[kind]));
  }
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  process.stdout.write(`http://127.0.0.1:${port}\n`);
});
process.stdin.on("end", () => process.exit()).resume();
