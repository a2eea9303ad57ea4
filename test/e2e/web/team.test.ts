/** A team on one server: invited, uploaded by one, approved by another, and written down. */

import type { ApprovalView, AuditPage, CommentView, DraftSummary, RunView } from "@catalog/web";
import { expect, it } from "vitest";

import { formatFeed, readStore } from "../../helpers/feed.ts";
import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import { planDraft, sendRun, uploadDraft } from "../../helpers/web/drafts.ts";
import type { WebSession } from "../../helpers/web/open-web.ts";
import { getBody, postBody } from "../../helpers/web/runs.ts";
import { openTeamWeb } from "../../helpers/web/team-web.ts";

/** Plans another stock of every product, which somebody else than this person has to approve. */
async function planAsFirst(person: WebSession, { sandbox }: TestStore): Promise<RunView> {
  await person.call("PUT", "/four-eyes", { mode: "always", moreThanRows: null });
  const lines = readStore(sandbox).map(({ code, priceMinor }) => ({ code, priceMinor, stock: 7 }));
  const draft = await uploadDraft(person, "stok.csv", Buffer.from(formatFeed(lines)));
  return await planDraft(person, draft);
}

it("lets one person prepare a run, and another one approve it", async () => {
  const shop = await openTestStore({ products: 5 });
  const web = await openTeamWeb(shop);
  const ayse = await web.join("ayse@firma.com", "--name", "Ayşe", "--admin");
  const veli = await web.join("veli@firma.com", "--name", "Veli", "--role", "approver");

  const run = await planAsFirst(ayse, shop);
  const listed = [ayse, veli].map((each) => getBody<readonly DraftSummary[]>(each, "/drafts"));
  expect((await Promise.all(listed)).flat().map(({ by }) => by)).toEqual([
    { name: "Ayşe", isAsker: true },
    { name: "Ayşe", isAsker: false },
  ]);
  expect(run.approvedBy).toBeNull();
  const own = await getBody<ApprovalView>(ayse, `/runs/${run.id}/approval`);
  const refused = await ayse.call("POST", `/runs/${run.id}/send`, {
    planHash: run.planHash,
    release: [],
    hold: [],
  });
  const comment = { row: null, text: "Stokları depodan aldım." };
  await postBody<CommentView>(ayse, `/runs/${run.id}/comments`, comment);
  const other = await getBody<ApprovalView>(veli, `/runs/${run.id}/approval`);
  const sent = await sendRun(veli, run);

  const comments = await getBody<readonly CommentView[]>(veli, `/runs/${run.id}/comments`);
  const audit = await getBody<AuditPage>(web.ofServer(ayse), "/audit");
  expect(own).toMatchObject({ needsAnother: true, because: "always", makers: ["Ayşe"] });
  expect([refused.status, refused.body]).toMatchObject([403, { code: "E_FOUR_EYES" }]);
  expect(other.needsAnother).toBe(false);
  expect(sent).toMatchObject({ by: "Sayfa · Ayşe", approvedBy: "Veli", state: "finished" });
  expect(comments).toMatchObject([{ person: "Ayşe", text: comment.text, row: null }]);
  expect(new Set(readStore(shop.sandbox).map(({ stock }) => stock))).toEqual(new Set([7]));
  const entries = audit.entries.map(({ action, person, store }) => [action, person, store]);
  expect(entries).toEqual(
    expect.arrayContaining([
      ["runs.send", "Veli", "mutfak"],
      ["runs.send.refused", "Ayşe", "mutfak"],
      ["comment.add", "Ayşe", "mutfak"],
      ["drafts.plan", "Ayşe", "mutfak"],
      ["uploads.add", "Ayşe", "mutfak"],
    ]),
  );
  expect(audit.entries[0]?.address).toBe("198.51.100.7");
});

it("lets nobody approve their own run under another name, and tells two people of one name apart", async () => {
  const shop = await openTestStore({ products: 5 });
  const web = await openTeamWeb(shop);
  const ayse = await web.join("ayse@firma.com", "--name", "Ayşe", "--admin");
  const other = await web.join("ayse2@firma.com", "--name", "Ayşe", "--role", "approver");

  const run = await planAsFirst(ayse, shop);
  const renamed = await web.ofServer(ayse).call("PUT", "/account", { name: "Fatma" });
  const approval = await getBody<ApprovalView>(ayse, `/runs/${run.id}/approval`);
  const refused = await ayse.call("POST", `/runs/${run.id}/send`, {
    planHash: run.planHash,
    release: [],
    hold: [],
  });
  const sent = await sendRun(other, run);

  const audit = await getBody<AuditPage>(web.ofServer(ayse), "/audit");
  expect(renamed.body).toMatchObject({ name: "Fatma" });
  expect(approval).toEqual({ needsAnother: true, because: "always", makers: ["Fatma"] });
  expect([refused.status, refused.body]).toMatchObject([403, { code: "E_FOUR_EYES" }]);
  expect(sent.state).toBe("finished");
  expect(audit.entries).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ action: "person.rename", before: "Ayşe", after: "Fatma" }),
    ]),
  );
});
