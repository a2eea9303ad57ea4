/** What the page of a server works out by itself. */

import { describe, expect, it } from "vitest";

import {
  describeAction,
  describeValue,
  matchesAudit,
  NO_FILTER,
  toCsv,
} from "../../client/lib/audit.ts";
import { storeOfPath, toStoreBase } from "../../client/lib/place.ts";
import { isTeamPage, parseRoute } from "../../client/lib/route.ts";
import { readBrowser } from "../../client/team/account.tsx";
import { parseRows } from "../../client/team/four-eyes.tsx";
import { toInitials } from "../../client/team/menu.tsx";
import { chooseStore } from "../../client/team/stores.tsx";
import { findRequest, listApprovers } from "../../client/team/talk.tsx";
import { TEXTS } from "../../client/texts/texts.ts";
import type { AuditView } from "../../src/api/team.ts";

describe("the store of an address", () => {
  it.each([
    ["/s/mutfak/products", "mutfak"],
    ["/s/mutfak", "mutfak"],
    ["/s/b-2/", "b-2"],
    ["/s/Mutfak/products", null],
    ["/s//products", null],
    ["/s/a%2Fb/products", null],
    ["/products", null],
    [`/s/${"a".repeat(41)}/x`, null],
  ])("of %s is %s", (path, store) => {
    expect(storeOfPath(path)).toBe(store);
  });

  it("begins the addresses of that store, and none where there is one store only", () => {
    expect([toStoreBase("mutfak"), toStoreBase(null)]).toEqual(["/s/mutfak", ""]);
  });

  it("is the one that was shown last, where it is still among those of the person", () => {
    const stores = [{ name: "bahce" }, { name: "mutfak" }];
    expect(["mutfak", "gone", null].map((last) => chooseStore(stores, last))).toEqual([
      "mutfak",
      "bahce",
      "bahce",
    ]);
    expect(chooseStore([], "mutfak")).toBeUndefined();
  });
});

it("has pages about people", () => {
  const pages = ["/account", "/people", "/audit", "/settings"].map((path) => parseRoute(path).page);
  expect(pages.filter(isTeamPage)).toEqual(["account", "people", "audit"]);
});

const ENTRY: AuditView = {
  seq: 3,
  at: "2026-11-29T21:30:00.000Z",
  person: "Ali Veli",
  key: null,
  address: "192.0.2.7",
  action: "runs.send",
  store: "mutfak",
  subject: "r-261129-2130-abcd",
  before: null,
  after: { role: "editor", store: null },
};

describe("the audit", () => {
  const { audit: words } = TEXTS.tr.team;

  it("says what was done in words, what was refused as such, and an unknown action as it is", () => {
    const said = ["runs.send", "runs.send.refused", "session.refused", "new.thing"].map((action) =>
      describeAction(action, words),
    );
    expect(said).toEqual([
      "Gönderimi onayladı",
      "Reddedildi: Gönderimi onayladı",
      "Giriş reddedildi",
      "new.thing",
    ]);
  });

  it.each([
    [{}, true],
    [{ text: "GONDERIM" }, true],
    [{ text: "r-261129" }, true],
    [{ text: "editor" }, true],
    [{ text: "nothing" }, false],
    [{ person: "Ali Veli" }, true],
    [{ person: "Ayşe" }, false],
    [{ kind: "run" }, true],
    [{ kind: "refused" }, false],
    [{ from: "2026-11-30" }, true],
    [{ to: "2026-11-29" }, false],
  ] as const)("is filtered by %j: %s", (part, isShown) => {
    // In Istanbul it is the next day already.
    const options = { words, dayOf: () => "2026-11-30" };
    expect(matchesAudit(ENTRY, { ...NO_FILTER, ...part }, options)).toBe(isShown);
  });

  it("shows values without what is not there", () => {
    const values = [null, "a", 3, { role: "editor", store: null }, {}, [1, 2]];
    expect(values.map((value) => describeValue(value))).toEqual([
      null,
      "a",
      "3",
      "role: editor",
      null,
      "1, 2",
    ]);
    const names = { role: "yetki", editor: "Düzenleyen" };
    expect(describeValue({ role: "editor", row: 7 }, names)).toBe("yetki: Düzenleyen, row: 7");
  });

  it("is a file that spreadsheets open as a table, without formulas", () => {
    expect(toCsv([["=1+1", 'a;"b"', "-", "düz"]])).toBe(`\uFEFF'=1+1;"a;""b""";'-;düz\r\n`);
  });
});

describe("approval", () => {
  const comment = { id: 1, row: null, person: "Ali", text: "x", at: "" };
  const view = { needsAnother: true, because: "always", makers: ["Ali"] } as const;

  it("is asked for by those who have prepared the run, for the run as a whole", () => {
    const comments = [
      comment,
      { ...comment, id: 2, row: 4 },
      { ...comment, id: 3, person: "Ayşe" },
    ];
    expect(findRequest(comments, view)?.id).toBe(1);
    expect(findRequest(comments.slice(1), view)).toBeUndefined();
  });

  it("is for others where four eyes are wanted", () => {
    const names = ["Ali", "Ayşe"];
    expect(listApprovers(names, view)).toEqual(["Ayşe"]);
    expect(listApprovers(names, { ...view, because: null })).toEqual(names);
  });
});

describe("small things", () => {
  it.each([
    ["", null],
    ["100", 100],
    ["1.000", 1000],
    ["10000001", undefined],
    ["-1", undefined],
    ["on", undefined],
  ])("reads %j rows as %s", (text, rows) => {
    expect(parseRows(text)).toBe(rows);
  });

  it.each([
    ["Ayşe Yılmaz", "AY"],
    ["ismail can ışık", "İI"],
    ["can", "C"],
    ["", ""],
  ])("shortens %j to %j", (name, initials) => {
    expect(toInitials(name)).toBe(initials);
  });

  it.each([
    [
      "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0",
      "Edge",
      "Windows",
    ],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Safari/604.1",
      "Safari",
      "iPhone",
    ],
    ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox", "Linux"],
    ["curl/8", null, null],
  ])("knows the browser of %s", (text, browser, system) => {
    expect(readBrowser(text)).toEqual({ browser, system });
  });
});
