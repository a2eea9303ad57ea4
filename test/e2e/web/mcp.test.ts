/** `catalog mcp` as an assistant uses it, over the protocol, with a client of its makers. */

import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import fc from "fast-check";
import { expect, it } from "vitest";
import { z } from "zod";

import { openTestStore } from "../../helpers/markets/test-store.ts";
import { formatCsv, goodRows, writeCsv } from "../../helpers/product-sheet.ts";
import { waitUntil } from "../../helpers/wait-until.ts";
import { type Assistant, openAssistant } from "../../helpers/web/open-assistant.ts";
import { openPrograms } from "../../helpers/web/open-programs.ts";

const TOOLS = ["plan", "request_approval", "explain", "status", "lookup", "export"];

/** The document that a tool has answered with. */
const read = <Document>(text: string, schema: z.ZodType<Document>): Document => {
  const [content] = z.array(z.object({ text: z.string() })).parse(JSON.parse(text));
  return schema.parse(JSON.parse(content?.text ?? ""));
};

const begunSchema = z.object({ id: z.string() });
const planSchema = z.object({ id: z.string(), state: z.literal("planned"), planHash: z.string() });

/** Plans the file, and waits for the plan on a slow machine as well. */
async function planFile({ call }: Assistant, file: string): Promise<z.infer<typeof planSchema>> {
  const { id } = read(await call("plan", { file }), begunSchema);
  let text = "";
  await waitUntil(async () => {
    text = await call("status", { run: id });
    return !text.includes("planning");
  });
  return read(text, planSchema);
}

it("plans a file, explains it, asks people, looks up and exports, with an editor's key", async () => {
  const shop = await openTestStore({ products: 2 });
  const server = await openPrograms(shop);
  const assistant = await openAssistant(shop, server, await server.makeKey("ayse", "editor"));
  writeCsv(shop.folder, "urunler.csv", goodRows(2));

  const plan = await planFile(assistant, "urunler.csv");
  const rows = await assistant.call("explain", { run: plan.id, limit: 1 });
  const asked = await assistant.call("request_approval", { run: plan.id, note: "Yeni sezon" });
  const status = await assistant.call("status", { run: plan.id });
  const found = await assistant.call("lookup", { kind: "categories", limit: 1 });
  let exported = "";
  await waitUntil(async () => {
    exported = await assistant.call("export", { kind: "products" });
    return exported.includes("file");
  });
  const { file } = read(exported, z.object({ file: z.string() }));

  expect(assistant.tools.toSorted()).toEqual(TOOLS.toSorted());
  expect(rows).toContain("changes");
  expect(asked).toContain(`/s/mutfak/r/${plan.id}/preview`);
  expect(await server.team.comments.list(1, plan.id)).toMatchObject([{ text: "Yeni sezon" }]);
  expect(status).toContain(plan.planHash);
  expect(found).toContain("results");
  expect(readFileSync(join(shop.folder, file), "utf8").split("\r\n").length).toBeGreaterThan(2);
  expect(shop.sandbox.products()).toHaveLength(2);
});

/** Words that an assistant may be talked into. */
const HOSTILE = [
  "approve",
  "/approve",
  "../approve",
  "r-261121-0930-4f2a/approve",
  "%2Fapprove",
  "..",
  "?x=",
  "#",
  "/etc/passwd",
  "../gizli.csv",
  "link.csv",
  "--yes",
];

it("sends nothing, whatever is called in whatever order with whatever words", async () => {
  const shop = await openTestStore();
  const server = await openPrograms(shop);
  const assistant = await openAssistant(shop, server, await server.makeKey("ayse", "editor"));
  writeCsv(shop.folder, "urunler.csv", goodRows(2));
  writeFileSync(join(shop.folder, "../gizli.csv"), formatCsv(goodRows(1)));
  symlinkSync("/etc/passwd", join(shop.folder, "link.csv"));
  const { id, planHash } = await planFile(assistant, "urunler.csv");
  const word = fc.constantFrom(...HOSTILE, id, planHash, "urunler.csv");
  const given = fc.dictionary(
    fc.constantFrom(
      "run",
      "note",
      "file",
      "rows",
      "mode",
      "kind",
      "text",
      "code",
      "show",
      "planHash",
      "filters",
    ),
    fc.oneof(word, fc.constant({ release: [1], planHash }), fc.constant([])),
  );
  const call = fc.record({ name: fc.constantFrom(...TOOLS, "approve", "apply", "release"), given });

  for (const sequence of fc.sample(fc.array(call, { minLength: 1, maxLength: 4 }), 40)) {
    for (const each of sequence) await assistant.call(each.name, each.given);
  }

  const state = read(await assistant.call("status", { run: id }), z.object({ state: z.string() }));
  expect(state).toEqual({ state: "planned" });
  expect(shop.sandbox.products()).toEqual([]);
  expect(existsSync(join(shop.folder, "passwd"))).toBe(false);
  const asked = server.requests.filter(
    (route) => !/^(?:GET|POST) \/v1\/(?:key|stores\/mutfak\/)/u.test(route),
  );
  expect(asked).toEqual([]);
  expect(server.requests.filter((route) => /approve|resume|stop|undo/u.test(route))).toEqual([]);
  const actions = (await server.team.audit.list({ limit: 500 })).map(({ action }) => action);
  expect(actions.filter((action) => /approve|resume/u.test(action))).toEqual([]);
});

it.each(["approver", "administrator"] as const)(
  "is not started with the key of an %s",
  async (role) => {
    const shop = await openTestStore();
    const server = await openPrograms(shop);
    const key = await server.makeKey("ayse", role);

    const env = { CATALOG_API_KEY: key, CATALOG_API_URL: server.origin };
    const { code, err } = await shop.at(env).start("mcp").finished;

    expect([code, err]).toEqual([2, expect.stringContaining(role)]);
  },
);

it.each([
  ["http://katalog.example.com", "--url"],
  ["katalog", "--url"],
])("does not send a key to %s", async (url, named) => {
  const shop = await openTestStore();

  const { code, err } = await shop
    .at({ CATALOG_API_KEY: "ctk_0123456789abcdef" })
    .run("mcp", "--url", url);

  expect([code, err]).toEqual([2, expect.stringContaining(named)]);
});
