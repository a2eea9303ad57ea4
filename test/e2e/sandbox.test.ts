import { FAULT_KINDS, listSwitches } from "@catalog/sandbox";
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

  it("takes on a personality and faults, and prints the seed of both", async () => {
    const shop = await openShop();
    const personality = ["auth-error=403", "error-body=text"];
    const faults = ["html:category.list:nth=1", "latency:rate=0.5,ms=1"];
    const { child, finished } = shop.start(
      "sandbox",
      "--json",
      "--seed",
      "s-1",
      ...personality.flatMap((text) => ["--personality", text]),
      ...faults.flatMap((text) => ["--fault", text]),
    );
    const { base_url, seed } = JSON.parse(await firstLine(child.stdout));

    const answer = await fetch(`${base_url}/v1.1/category/?access_token=guess`);

    expect([seed, answer.status, await answer.text()]).toEqual([
      "s-1",
      403,
      "access_token is unknown",
    ]);
    child.kill("SIGTERM");
    expect((await finished).code).toBe(0);
  });

  it.each([
    [["--personality", "prices=free"], "minor, major, text"],
    [["--personality", "colour=red"], "auth-error"],
    [["--fault", "boom"], "reset-after"],
    [["--fault", "html:product.remove"], "product.add"],
  ])("refuses %j, says what there is, and exits 2", async (args, says) => {
    const shop = await openShop();

    const { code, err, out } = await shop.run("sandbox", ...args);

    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain(says);
    expect(err).toContain("catalog sandbox --help");
  });

  it("lists every switch with its values, and every fault, in its help", async () => {
    const shop = await openShop();

    const { out } = await shop.run("sandbox", "--help");

    for (const { name, values } of listSwitches()) {
      expect(out).toContain(`${name}=${values.join("|")}`);
    }
    for (const kind of Object.keys(FAULT_KINDS)) expect(out).toContain(kind);
  });
});
