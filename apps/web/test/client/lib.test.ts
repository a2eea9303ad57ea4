import { describe, expect, it } from "vitest";

import { createFormat, foldText, isTypedCount } from "../../client/lib/format.ts";
import { formatRowFilter, formatRunRowFilter, formatRunsQuery } from "../../client/lib/queries.ts";
import {
  createUnsaved,
  explainError,
  NoAnswerError,
  parseCommand,
  parseNumbers,
  parseProblem,
  readLinkPart,
  toRefusal,
} from "../../client/lib/requests.ts";
import { formatRoute, parseRoute, type Route } from "../../client/lib/route.ts";

describe("parseProblem", () => {
  it("takes the sentence of the server", () => {
    const problem = { code: "E_DRAFT_CHANGED", message: "Taslak değişti." };

    expect(parseProblem(409, JSON.stringify(problem))).toEqual(problem);
  });

  for (const text of ["", "<html>", "{}", "null"]) {
    it(`has no sentence where the body is ${JSON.stringify(text)}`, () => {
      expect(parseProblem(502, text)).toEqual({ code: "HTTP_502", message: "" });
    });
  }
});

describe("parseNumbers", () => {
  it("reads little-endian numbers", () => {
    expect([...parseNumbers(Uint8Array.from([1, 0, 0, 0, 0, 1, 0, 0]).buffer)]).toEqual([1, 256]);
  });
});

const texts = { app: { offline: "offline", notDone: "not done", badAnswer: "bad answer" } };

it("shows the sentence of the server and never words of the browser", () => {
  const problem = JSON.stringify({ code: "E_STORE_BUSY", message: "Mağaza meşgul." });
  const errors = [
    toRefusal(423, problem),
    toRefusal(502, "<h1>Bad Gateway</h1>"),
    new NoAnswerError("/api/runs"),
    toRefusal(503, JSON.stringify({ code: "E_DATABASE_AWAY", message: "Bekleniyor." })),
    new SyntaxError("Unexpected token < in JSON"),
    null,
  ];

  expect(errors.map((error) => explainError(error, texts))).toEqual([
    "Mağaza meşgul.",
    "bad answer",
    "offline",
    "not done",
    "bad answer",
    "bad answer",
  ]);
});

describe("readLinkPart", () => {
  const cases = [
    ["#k=abc", "abc"],
    ["#k=a-b_c&x=1", "a-b_c"],
    ["#k=", null],
    ["", null],
    ["#content", null],
  ] as const;
  for (const [hash, key] of cases) {
    it(`finds ${key} in "${hash}"`, () => {
      expect(readLinkPart(hash, "k")).toBe(key);
    });
  }
});

it("reads the command with and without a session, and names the plain one otherwise", () => {
  const answers = [
    { version: "1", command: "npx catalog-toolkit web --demo --port 39350" },
    { code: "E_SESSION", message: "…", command: "catalog web --demo" },
    { code: "E_HOST", message: "…" },
    { command: 1 },
    null,
  ].map((answer) => JSON.stringify(answer));

  expect([...answers, "<h1>Bad Gateway</h1>"].map((text) => parseCommand(text))).toEqual([
    "npx catalog-toolkit web --demo --port 39350",
    "catalog web --demo",
    "catalog web",
    "catalog web",
    "catalog web",
    "catalog web",
  ]);
});

it("counts each cell once, until all of its changes are saved", () => {
  const { count, hold } = createUnsaved();
  const counts: number[] = [];
  count.subscribe(() => counts.push(count.get()));

  const first = hold(["2:3", "2:4"]);
  const second = hold(["2:4", "5:1"]);
  const third = hold(["5:1"]);
  first();
  third();
  second();

  expect(counts).toEqual([2, 3, 2, 0]);
});

describe("formatRowFilter", () => {
  const cases = [
    [{}, ""],
    [{ show: "errors" }, "?show=errors"],
    [{ code: "E_X", text: "  şık & çanta " }, "?code=E_X&text=%C5%9F%C4%B1k+%26+%C3%A7anta"],
    [{ text: "   " }, ""],
  ] as const;
  for (const [filter, expected] of cases) {
    it(`formats ${JSON.stringify(filter)}`, () => {
      expect(formatRowFilter(filter)).toBe(expected);
    });
  }
});

describe("formatRunRowFilter", () => {
  it("names the column and the direction after the filter", () => {
    const filter = { show: "held", guard: "price", text: " kupa " } as const;
    const sort = { column: "percent", isDescending: true } as const;

    expect(formatRunRowFilter(filter, sort)).toBe(
      "?show=held&guard=price&text=kupa&sort=percent&direction=down",
    );
    expect(formatRunRowFilter({ can: "send" })).toBe("?can=send");
  });
});

describe("formatRunsQuery", () => {
  it("names kind, text, days and the page after the first", () => {
    expect(formatRunsQuery({ from: "2026-11-01", to: "" })).toBe("?from=2026-11-01");
    expect(formatRunsQuery({ kind: undefined, text: "", after: "" })).toBe("");
    expect(formatRunsQuery({ kind: "undo", text: " kış ", after: "r-1" })).toBe(
      "?kind=undo&text=k%C4%B1%C5%9F&after=r-1",
    );
  });
});

describe("parseRoute", () => {
  const routes: readonly Route[] = [
    { page: "products" },
    { page: "product", id: "p 1/x" },
    { page: "upload" },
    { page: "history" },
    { page: "settings" },
    { page: "draft", id: "d 1/x", step: "columns" },
    { page: "run", id: "r1", step: "send" },
  ];
  for (const route of routes) {
    it(`reads ${formatRoute(route)} back`, () => {
      expect(parseRoute(formatRoute(route))).toEqual(route);
    });
  }

  it("opens a draft at its file and a run at its report", () => {
    expect(parseRoute("/d/1")).toEqual({ page: "draft", id: "1", step: "file" });
    expect(parseRoute("/r/1")).toEqual({ page: "run", id: "1", step: "report" });
  });

  for (const path of [
    "/x",
    "/d",
    "/d/1/send",
    "/r/1/fix",
    "/d/%E0%A4%A/fix",
    "/history/1",
    "/d/1/fix/2",
    "/products/1/2",
  ]) {
    it(`knows no page at ${path}`, () => {
      expect(parseRoute(path)).toEqual({ page: "unknown" });
    });
  }
});

const NOW = Date.parse("2026-11-23T17:30:00Z");

describe("createFormat", () => {
  it("writes numbers, sizes and changes as Turkish people do", () => {
    const format = createFormat("tr");

    expect(format.number(1_234_567)).toBe("1.234.567");
    expect(format.bytes(1_450_000)).toBe("1,5 MB");
    expect(format.bytes(900)).toBe("900 B");
    expect(format.percent(-12.4)).toBe("−%12");
    expect(format.percent(0.1818)).toBe("+%0,18");
    expect(format.percent(0)).toBe("%0");
    expect(format.percent(-99.887)).toBe("−%99,9");
    expect(format.percent(-100)).toBe("−%100");
    expect(createFormat("en").percent(-12.4)).toBe("−12%");
    expect(format.percent(50)).toBe("+%50");
  });

  it("writes times in Turkish time, with the date on other days only", () => {
    const format = createFormat("tr");

    expect(format.time("2026-11-23T11:05:00Z", NOW)).toBe("14:05");
    expect(format.time("2026-11-23T21:05:00Z", NOW)).toBe("24 Kas 2026 00:05");
    expect(createFormat("en").date("2026-11-23T11:05:00Z")).toBe("23 Nov 2026, 14:05");
  });

  const agos = [
    ["2026-11-23T17:29:50Z", "bu dakika", "this minute"],
    ["2026-11-23T17:25:00Z", "5 dakika önce", "5 minutes ago"],
    ["2026-11-23T14:30:00Z", "3 saat önce", "3 hours ago"],
    ["2026-11-22T17:00:00Z", "dün", "yesterday"],
  ] as const;
  for (const [at, tr, en] of agos) {
    it(`says ${tr}`, () => {
      expect(createFormat("tr").ago(at, NOW)).toBe(tr);
      expect(createFormat("en").ago(at, NOW)).toBe(en);
    });
  }
});

it("finds a text whatever its case, its accents and its i", () => {
  expect(foldText(" ÇIĞLIK İĞNE ")).toBe("ciglik igne");
  expect(foldText("çığlık iğne")).toBe("ciglik igne");
});

it.each(["1299", " 1299 ", "1.299", "1,299", "1 299"])("takes %s for 1299 rows", (typed) => {
  expect(isTypedCount(typed, 1_299)).toBe(true);
});

it.each(["", "129", "12990", "x1299", "-1299"])("does not take '%s' for 1299 rows", (typed) => {
  expect(isTypedCount(typed, 1_299)).toBe(false);
});

it("does not take an empty text for no rows", () => {
  expect(isTypedCount("", 0)).toBe(false);
});
