import { describe, expect, it } from "vitest";

import { openShop } from "../helpers/shop.ts";

/** The first line that the process prints. */
async function firstLine(stream: NodeJS.ReadableStream | null): Promise<string> {
  if (stream === null) throw new Error("the process has no such stream");
  let text = "";
  for await (const chunk of stream) {
    text += String(chunk);
    if (text.includes("\n")) break;
  }
  return text.split("\n")[0] ?? "";
}

describe("catalog sandbox", () => {
  it("prints one line of JSON that a client can use, and closes on SIGTERM", async () => {
    const shop = await openShop();
    const { child, finished } = shop.start("sandbox", "--json", "--products", "3");
    const line = await firstLine(child.stdout);
    const { base_url, client_key, client_secret, store_id } = JSON.parse(line);

    const login = await fetch(`${base_url}/app/auth/access`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ client_key, client_secret }),
    });
    const { data } = JSON.parse(await login.text());
    const listing = await fetch(
      `${base_url}/v1.1/product/store/${store_id}?access_token=${data.access_token}`,
    );

    expect(JSON.parse(await listing.text())).toMatchObject({ data: { result: expect.any(Array) } });
    child.kill("SIGTERM");
    expect((await finished).code).toBe(0);
  });
});
