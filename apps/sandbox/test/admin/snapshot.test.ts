import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { createFakeClock } from "@catalog/clock/testing";
import { describe, expect, it, onTestFinished } from "vitest";

import { parseSnapshot } from "../../src/admin/snapshot.ts";
import { openTestClient } from "../helpers/test-client.ts";
import { ask } from "../helpers/wire.ts";

function openFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "sandbox-snapshot-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const options = {
  requestsPerHour: 6,
  personality: { "new-product": "after-approval" },
  faults: [{ kind: "html", endpoint: "product.list", nth: 2 }],
} as const;

/** A sandbox with a record of every kind. */
async function openBusy() {
  const clock = createFakeClock(1000);
  const visitor = await openTestClient({ ...options, clock, products: 2 });
  await visitor.add({ properties: [] });
  await visitor.get(`/v1.1/product/store/${visitor.sandbox.storeId}`, { colour: "red" });
  return { clock, ...visitor };
}

describe("a snapshot", () => {
  it("restores state and counters in another sandbox", async () => {
    const path = join(openFolder(), "sandbox.json");
    const { clock, sandbox, token } = await openBusy();

    await sandbox.snapshot(path);
    const other = await openTestClient({ ...options, clock });
    await other.sandbox.restore(path);

    expect(other.sandbox.inspect()).toEqual(sandbox.inspect());
    expect(other.sandbox.products()).toEqual(sandbox.products());
    expect(sandbox.inspect()).toMatchObject({
      stats: { products: 3, requests: 3 },
      undocumented: [{ field: "properties" }],
      violations: expect.arrayContaining([expect.objectContaining({ field: "colour" })]),
    });
    // The token, the quota and the faults continue where they were.
    const listing = `${other.sandbox.baseUrl}/v1.1/product/store/${sandbox.storeId}`;
    const answers = [];
    for (let call = 0; call < 4; call += 1) {
      answers.push(await ask(`${listing}?access_token=${token}`));
    }
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    expect(answers.map(({ text }) => text.startsWith("<"))).toEqual([true, false, false, false]);
  });

  it("can be restored over HTTP", async () => {
    const { sandbox, add } = await openBusy();
    const before = sandbox.inspect();

    const { text } = await ask(`${sandbox.baseUrl}/_sandbox/snapshot`);
    const id = await add({ product_code: "NEW" });
    const body: unknown = JSON.parse(text);
    const answer = await ask(`${sandbox.baseUrl}/_sandbox/restore`, { body });

    expect(answer.status).toBe(200);
    expect(sandbox.inspect()).toEqual(before);
    expect(await add({ product_code: "NEW" })).toBe(id);
  });

  it("of another seed is refused, over HTTP with 400", async () => {
    const path = join(openFolder(), "sandbox.json");
    const one = await openTestClient({ seed: "one" });
    const { sandbox } = await openTestClient({ seed: "two" });

    await one.sandbox.snapshot(path);
    const { text } = await ask(`${one.sandbox.baseUrl}/_sandbox/snapshot`);
    const body: unknown = JSON.parse(text);
    const answer = await ask(`${sandbox.baseUrl}/_sandbox/restore`, { body });

    await expect(sandbox.restore(path)).rejects.toThrow('of the seed "one", not "two"');
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.text)).toMatchObject({ data: { status: false } });
  });

  it.each(["", "{", "[]", '{"format":"other"}'])("is refused from a file with %j", async (text) => {
    const path = join(openFolder(), "sandbox.json");
    writeFileSync(path, text);
    const { sandbox } = await openTestClient({ products: 1 });

    await expect(sandbox.restore(path)).rejects.toThrow("not a snapshot");
    expect(sandbox.products()).toHaveLength(1);
  });
});

describe("parseSnapshot", () => {
  it("names an invalid product in its error", async () => {
    const { sandbox } = await openTestClient({ products: 1 });
    const { text } = await ask(`${sandbox.baseUrl}/_sandbox/snapshot`);
    const [product] = sandbox.products();

    const raw = { ...JSON.parse(text), products: [{ ...product, sid: "one" }] };

    expect(() => parseSnapshot(raw)).toThrow("products.0: is not a product of a sandbox");
  });
});
