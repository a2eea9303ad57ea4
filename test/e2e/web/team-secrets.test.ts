/** Secrets of a team's server: none of them is in an answer, a file of the home, or a dump. */

import { readFileSync } from "node:fs";

import type { AuditPage, NewKey } from "@catalog/web";
import { describe, expect, it } from "vitest";

import { filesIn, findCanaries } from "../../helpers/canaries.ts";
import { DATABASE_PLACES } from "../../helpers/database-places.ts";
import { formatFeed, readStore } from "../../helpers/feed.ts";
import { openTestStore } from "../../helpers/markets/test-store.ts";
import { planDraft, sendRun, uploadDraft } from "../../helpers/web/drafts.ts";
import type { WebSession } from "../../helpers/web/open-web.ts";
import { openTeamWeb, SECRET_KEY } from "../../helpers/web/team-web.ts";

/** The forms in which a secret may stand somewhere. */
const formsOf = (secret: string): readonly string[] => [
  secret,
  encodeURIComponent(secret),
  Buffer.from(secret).toString("base64").replace(/=+$/u, ""),
];

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
    const places = new Map([
      ...answers.map((text, at) => [`answer ${at}`, text] as const),
      ["dump", dump()] as const,
      ...filesIn(shop.folder).map((path) => [path, readFileSync(path).toString("latin1")] as const),
    ]);
    const found = [...places].flatMap(([place, text]) =>
      Object.entries(secrets).flatMap(([name, secret]) =>
        formsOf(secret).some((form) => text.includes(form)) ? [`${name} in ${place}`] : [],
      ),
    );
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
