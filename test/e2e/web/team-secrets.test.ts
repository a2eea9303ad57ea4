/** Secrets of a team's server: none of them is in an answer, a message, a trace, a file of the home, or a backup. */

import { readFileSync } from "node:fs";

import type { AuditPage, NewKey } from "@catalog/web";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { startReceiver } from "../../helpers/alert-receiver.ts";
import { filesIn, findCanaries } from "../../helpers/canaries.ts";
import { DATABASE_PLACES } from "../../helpers/database-places.ts";
import { formatFeed, readStore } from "../../helpers/feed.ts";
import { openTestStore, type TestStore, writeConfig } from "../../helpers/markets/test-store.ts";
import { formatCsv, goodRows, writeCsv } from "../../helpers/product-sheet.ts";
import { openSpanCollector } from "../../helpers/span-collector.ts";
import { waitUntil } from "../../helpers/wait-until.ts";
import { planDraft, sendRun, uploadDraft } from "../../helpers/web/drafts.ts";
import { openAssistant } from "../../helpers/web/open-assistant.ts";
import { openPrograms, SECRET_KEY as PROGRAMS_KEY } from "../../helpers/web/open-programs.ts";
import type { WebSession } from "../../helpers/web/open-web.ts";
import { openTeamWeb, SECRET_KEY } from "../../helpers/web/team-web.ts";

/** The forms in which a secret may stand somewhere. */
const formsOf = (secret: string): readonly string[] => [
  secret,
  encodeURIComponent(secret),
  Buffer.from(secret).toString("base64").replace(/=+$/u, ""),
];

type Place = readonly [name: string, text: string];

const readAll = (folder: string): readonly Place[] =>
  filesIn(folder).map((path) => [path, readFileSync(path).toString("latin1")]);

/** Which secret stands where. */
const findSecrets = (
  secrets: Readonly<Record<string, string>>,
  places: readonly Place[],
): readonly string[] =>
  places.flatMap(([place, text]) =>
    Object.entries(secrets).flatMap(([name, secret]) =>
      formsOf(secret).some((form) => text.includes(form)) ? [`${name} in ${place}`] : [],
    ),
  );

describe.each(DATABASE_PLACES)("secrets of a server on $name", ({ isOn, make }) => {
  it.skipIf(!isOn)("are in no answer, file or dump, and the audit says who tried", async () => {
    const { env, dump } = await make();
    const shop = await openTestStore({ products: 3 });
    const web = await openTeamWeb(shop.at(env));
    const answers: string[] = [];
    const watched = (session: WebSession): WebSession => ({
      ...session,
      async call(...asked) {
        const answer = await session.call(...asked);
        answers.push(answer.text);
        return answer;
      },
    });
    const ayse = watched(await web.join("ayse@firma.com", "--name", "Ayşe", "--admin"));
    const veli = watched(await web.join("veli@firma.com", "--name", "Veli", "--role", "viewer"));
    const made = await ayse.call("POST", "/keys", { name: "depo", role: "editor" });
    // It is shown once.
    const { secret: apiKey }: NewKey = JSON.parse(answers.pop() ?? made.text);
    const lines = readStore(shop.sandbox).map(({ code, priceMinor }) => ({
      code,
      priceMinor,
      stock: 7,
    }));
    const draft = await uploadDraft(ayse, "stok.csv", Buffer.from(formatFeed(lines)));
    await sendRun(ayse, await planDraft(ayse, draft));
    const wrong = { login: "ayse@firma.com", password: "yanlış ama gizli parola" };
    await web.ofServer(ayse).call("POST", "/sign-in", wrong);
    await veli.call("GET", "/keys");
    for (const path of ["/me", "/keys", "/members", "/runs", "/settings", "/audit"]) {
      await ayse.call("GET", path);
    }

    const secrets = {
      password: "uzun ve guclu parola ayse@firma.com",
      wrongPassword: wrong.password,
      cookie: String(ayse.headers["cookie"]).replace("__Host-catalog=", ""),
      writeKey: String(ayse.headers["x-catalog"]),
      apiKey,
      encryptionKey: SECRET_KEY,
    };
    const found = findSecrets(secrets, [
      ...answers.map((text, at) => [`answer ${at}`, text] as const),
      ["dump", dump()],
      ...readAll(shop.folder),
    ]);
    expect(found).toEqual([]);
    expect(findCanaries(`${answers.join("\n")}${dump()}`)).toEqual([]);
    const audit = await web.ofServer(ayse).call("GET", "/audit");
    const { entries }: AuditPage = JSON.parse(audit.text);
    expect(entries.map(({ action, person }) => [action, person])).toContainEqual([
      "keys.read.refused",
      "Veli",
    ]);
  });
});

const secretSchema = z.object({ secret: z.string() });

describe.each(DATABASE_PLACES)("secrets of programs at a server on $name", ({ isOn, make }) => {
  it.skipIf(!isOn)(
    "are in no answer, webhook, trace, log, file or backup, and tries without a key are written down",
    async () => {
      const { env, dump } = await make();
      const spans = await openSpanCollector();
      const receiver = await startReceiver();
      const shop = (await openTestStore({ products: 2 })).at({
        ...env,
        CATALOG_OTEL: "1",
        OTEL_EXPORTER_OTLP_ENDPOINT: spans.endpoint,
      });
      await writeConfig(shop, { images: { allowHosts: [new URL(receiver.url).host] } });
      const server = await openPrograms(shop);
      const keys = {
        editor: await server.makeKey("ayse", "editor"),
        administrator: await server.makeKey("mehmet", "administrator"),
        unknown: `ctk_${"yanlis-anahtar-".repeat(3)}`,
      };
      const ask = async (key: string, route: string, body?: string, type = "application/json") => {
        const [method = "", path] = route.split(" ");
        const headers = { authorization: `Bearer ${key}`, ...(body && { "content-type": type }) };
        const sent = { method, headers, ...(body && { body }) };
        const answer = await fetch(`${server.origin}/v1/stores/mutfak${path}`, sent);
        return { status: answer.status, text: await answer.text() };
      };
      const hook = await ask(
        keys.administrator,
        "POST /webhooks",
        JSON.stringify({ url: receiver.url }),
      );
      const { secret: webhook } = secretSchema.parse(JSON.parse(hook.text));
      const planned = await ask(
        keys.editor,
        "POST /plans?name=a.csv",
        formatCsv(goodRows(1)),
        "text/csv",
      );
      const refused = await ask(keys.unknown, "GET /runs");
      for (const route of ["/runs", "/webhooks", "/schedules", "/lookups?kind=categories"]) {
        await ask(keys.administrator, `GET ${route}`);
      }
      const assistant = await openAssistant(shop, server, keys.editor);
      writeCsv(shop.folder, "urunler.csv", goodRows(1));
      const told = [
        await assistant.call("plan", { file: "urunler.csv" }),
        await assistant.call("plan", { file: keys.editor }),
        await assistant.call("lookup", { kind: "categories", text: "CATALOG_API_KEY", limit: 1 }),
      ];
      await waitUntil(() => receiver.bodies.length > 0);
      server.process.child.kill("SIGINT");
      const { out, err } = await server.process.finished;
      const backup = env["CATALOG_DATABASE_URL"] === undefined ? await copyAway(shop) : "";

      const secrets = { ...keys, webhook, encryptionKey: PROGRAMS_KEY };
      const bodies = JSON.stringify(receiver.bodies);
      const found = findSecrets(secrets, [
        // It is shown once, to the one who has added it.
        ...server.answers
          .filter((text) => !text.includes(webhook))
          .map((text, at) => [`answer ${at}`, text] as const),
        ["webhooks", bodies],
        ["traces", spans.bodies.join("\n")],
        ["log", `${out}\n${err}`],
        ["tools", told.join("\n")],
        ["backup", `${dump()}\n${backup}`],
        ...readAll(shop.folder).filter(([path]) => !path.endsWith("alert-secrets.json")),
      ]);
      // The assistant repeats what it was told.
      expect(found.filter((each) => each !== "editor in tools")).toEqual([]);
      const texts = [bodies, spans.bodies.join("\n"), out, err, told.join("\n"), dump(), backup];
      expect(findCanaries(texts.join("\n"))).toEqual([]);
      expect([hook.status, planned.status, refused.status]).toEqual([201, 202, 401]);
      expect(spans.spans.length).toBeGreaterThan(0);
      const record = await server.team.audit.list({ limit: 50 });
      expect(record.map(({ action, subject }) => [action, subject])).toContainEqual([
        "key.refused",
        "mutfak",
      ]);
    },
  );
});

/** A dump of the database that `catalog db copy` makes of the file; empty where there is no PostgreSQL. */
async function copyAway(shop: TestStore): Promise<string> {
  const place = DATABASE_PLACES.find(({ name, isOn }) => name === "PostgreSQL" && isOn);
  if (place === undefined) return "";
  const { env, dump } = await place.make();
  const { code, err } = await shop.at(env).run("db", "copy");
  expect([code, err]).toEqual([0, expect.anything()]);
  return dump();
}
