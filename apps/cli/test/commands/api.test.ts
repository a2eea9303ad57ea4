import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { endpointNamed, endpoints, type EndpointName } from "@catalog/contract";
import { describe, expect, it } from "vitest";

import { CALL_NAMES } from "../../src/commands/api/call-names.ts";
import {
  describeWords,
  formatCalls,
  resolveCall,
  toExample,
} from "../../src/commands/api/describe-call.ts";
import { type GivenInput, listFields, readInput } from "../../src/commands/api/fields.ts";
import { parseSelection } from "../../src/commands/api/select.ts";
import { FIELD_TEXTS, SAFE_WAYS } from "../../src/commands/api/texts.ts";
import { createCliHarness, openSandbox, settingsOf } from "../helpers/cli-harness.ts";

describe("the name of a call", () => {
  it("is that of the contract, for every call", () => {
    const names = Object.entries(endpoints).flatMap(([group, calls]) =>
      Object.keys(calls).map((call) => `${group}.${call}`),
    );

    expect(CALL_NAMES).toEqual(names);
    expect(CALL_NAMES.map((name) => resolveCall(name))).toEqual(names.map((name) => ({ name })));
  });

  it.each([
    ["order.accept-return", "order.acceptReturn"],
    ["ORDER.ACCEPTRETURN", "order.acceptReturn"],
    ["order-accept", "order.accept"],
    ["shipping-template.list", "shippingTemplate.list"],
    ["shipping_generate_code", "shipping.generateCode"],
    ["product/add", "product.add"],
  ])("%s is %s", (word, name) => {
    expect(resolveCall(word)).toEqual({ name });
  });

  it.each([
    ["order.acept", ["order.accept"]],
    ["accept", ["order.accept", "order.acceptReturn"]],
    ["xyz", []],
    ["", []],
    ["💥", []],
  ])("%s is none, and may mean %s", (word, near) => {
    expect(resolveCall(word)).toEqual({ name: undefined, near });
  });
});

/** What is wrong, in English. */
function mistakesOf(name: EndpointName, given: GivenInput): readonly string[] {
  const read = readInput(name, given);
  return read.ok ? [] : read.mistakes.map(({ en }) => en);
}

describe("the fields of a call", () => {
  it.each<readonly [EndpointName, readonly string[], unknown]>([
    ["product.list", ["limit=5", "status=passive"], { limit: 5, status: "passive" }],
    ["product.list", ["ids=a,b"], { ids: ["a", "b"] }],
    ["product.list", ["ids=a", "ids=b,c"], { ids: ["a", "b,c"] }],
    ["product.list", ["title=a=b"], { title: "a=b" }],
    ["product.list", ["product_code=007"], { product_code: "007" }],
    ["category.byExternalId", ["externalCategoryId=12"], { externalCategoryId: 12 }],
    ["payment.list", ["min_store_payout=-1.5"], { min_store_payout: -1.5 }],
    ["question.list", ["unanswered=1"], { unanswered: 1 }],
    [
      "product.update",
      ["product_id=p", "has_discount=FALSE"],
      { product_id: "p", has_discount: false },
    ],
    ["product.update", ["product_id=p", 'images=["a,b"]'], { product_id: "p", images: ["a,b"] }],
    ["product.update", ["product_id=p", "warranty_type=2"], { product_id: "p", warranty_type: 2 }],
    ["city.list", [], {}],
    ["token.create", [], {}],
  ])("of %s are read from %j", (name, params, input) => {
    expect(readInput(name, { params })).toEqual({ ok: true, input });
  });

  it("takes what a file and the command line give together", () => {
    const read = readInput("order.postpone", {
      params: ["package_id=P-1"],
      data: { reason: "sayım" },
    });

    expect(read).toEqual({ ok: true, input: { package_id: "P-1", reason: "sayım" } });
  });

  it.each<readonly [EndpointName, GivenInput, readonly string[]]>([
    ["order.postpone", { params: [] }, ["package_id: is required", "reason: is required"]],
    ["order.list", { params: [] }, ["days: required without start_date and end_date"]],
    [
      "product.list",
      { params: ["limit=x", "statsu=passive", "page", "page=0"] },
      [
        '--param "page": put an equals sign in it: --param name=value',
        "limit: “x” is no number; write decimals with a point",
        "statsu: this call has no such field. Did you mean “status”?",
        "page: must be 1 at least",
      ],
    ],
    ["product.list", { params: ["limit=51"] }, ["limit: may be 50 at most"]],
    ["product.list", { params: ["limit=1.5"] }, ["limit: must be: whole number"]],
    [
      "product.list",
      { params: ["limit=1", "limit=2"] },
      ["limit: given more than once; this field is no list"],
    ],
    [
      "product.list",
      { params: ["status=gone"] },
      ["status: must be one of: approved, passive, veto"],
    ],
    ["city.list", { params: ["x=1"] }, ["x: this call has no such field. It takes none."]],
    [
      "order.accept",
      { params: ["package_id=P", "storeId=s"] },
      [
        "storeId: the store comes from the settings (CATALOG_STORE_ID or catalog login); it is not given here",
      ],
    ],
    [
      "order.accept",
      { params: ["package_id=P"], data: { package_id: "Q" } },
      ["package_id: given both by --param and in --data; leave one of them out"],
    ],
    [
      "token.create",
      { params: ["client_secret=abc"] },
      [
        "client_secret: this call uses the key and the secret of the settings; a secret is not given on the command line or in a file",
      ],
    ],
    [
      "product.update",
      { params: ["product_id=p", "has_discount=evet"] },
      ["has_discount: write true or false in place of “evet”"],
    ],
    [
      "product.update",
      { params: ["product_id=p", "images=[1"] },
      ["images: is not readable as JSON"],
    ],
    ["product.update", { params: ["product_id="] }, ["product_id: may not be empty"]],
    [
      "product.update",
      { params: [], data: { product_id: "p", price: "12" } },
      ["price: must be: whole number"],
    ],
    [
      "product.update",
      { params: [], data: JSON.parse('{"product_id":"p","__proto__":{"price":1}}') },
      [expect.stringContaining("__proto__: this call has no such field")],
    ],
  ])("of %s cannot be read from %j", (name, given, mistakes) => {
    expect(mistakesOf(name, given)).toEqual(mistakes);
  });

  it("are all described in Turkish", () => {
    const said = CALL_NAMES.flatMap((name) => listFields(name)).flatMap(
      ({ description }) => description ?? [],
    );

    expect([...new Set(said)].filter((text) => !FIELD_TEXTS.has(text))).toEqual([]);
    expect([...FIELD_TEXTS.keys()].filter((text) => !said.includes(text))).toEqual([]);
  });

  it("are shown with kind, bounds, default, allowed values and what is assumed", () => {
    const help = describeWords(["product-add", "--help"], { lang: "en", columns: 100 }) ?? "";

    expect(help.split("\n")).toEqual(
      expect.arrayContaining([
        "product.add: POST /v1.1/product/add/store/:storeId",
        "  currency              TL | USD | EUR, default TL",
        "  brand_id              id, required",
        "  properties            list, not documented, assumed",
        "  catalog api product.add --data body.json",
      ]),
    );
    expect(describeWords(["--help"], { lang: "tr", columns: 80 })).toBeUndefined();
  });

  it.each(CALL_NAMES)(
    "%s has an example that it accepts, and help that fits 80 columns",
    (name) => {
      const [, ...words] = toExample(name, "en").split(" ");
      const params = words.filter((word) => !word.startsWith("--"));

      const read = words.includes("--data") ? { ok: true } : readInput(name, { params });
      const lines = (["tr", "en"] as const).flatMap((lang) =>
        (describeWords([name], { lang, columns: 80 }) ?? "").split("\n"),
      );

      expect(read).toMatchObject({ ok: true });
      expect(lines.filter((line) => line.length > 80 && !line.startsWith("  catalog "))).toEqual(
        [],
      );
    },
  );
});

it("lists every call once, in both languages", () => {
  for (const lang of ["tr", "en"] as const) {
    const text = formatCalls({ lang, columns: 120 });

    const named = CALL_NAMES.filter((name) => text.split(`  ${name} `).length === 2);
    expect(named).toEqual(CALL_NAMES);
  }
});

describe("a path into an answer", () => {
  const answer = {
    total: 2,
    result: [
      { id: "a", stock: 0 },
      { id: "b", stock: 3 },
    ],
    "x y": 1,
  };

  it.each([
    [".", true, [answer]],
    [".total", true, [2]],
    [".result[].id", false, ["a", "b"]],
    ["result[].id", false, ["a", "b"]],
    [".result[1].id", true, ["b"]],
    ["$.result[*].id", false, ["a", "b"]],
    ["$.result[?@.stock == 0].id", false, ["a"]],
    ['.["x y"]', true, [1]],
    [".nothing.at.all", true, []],
  ])("%s", (path, isSingle, values) => {
    const selection = parseSelection(path);

    expect([selection.isSingle, selection.pick(answer)]).toEqual([isSingle, values]);
  });

  it.each([".result[", "$..", "a b", ".x".repeat(600), ".result | length"])(
    "%s is refused with an example",
    (path) => {
      expect(() => parseSelection(path)).toThrow("RFC 9535");
    },
  );
});

describe("catalog api", () => {
  it.each([
    [["api"], "Which call?"],
    [["api", "order.acept"], "Did you mean order.accept?"],
    [["api", "product.list", "--limit", "5"], "--param limit=5"],
    [["api", "city.list", "--all"], "city.list has no pages"],
    [["api", "--list", "--log"], "--list and --log are not given together"],
    [["api", "--settle", "3"], "--settle needs --as"],
    [["api", "order.accept", "--data", "none.json"], "there is no such file"],
    [["api", "order.accept", "--data", "."], "it is no file"],
    [["api", "order.accept", "--data", "list.json"], "it is no JSON object"],
    [["api", "order.accept", "--data", "broken.json"], "it is not JSON"],
    [["api", "order.accept", "--data", "latin.json"], "it is no UTF-8 text"],
    [["api", "order.accept", "--data", "-"], "standard input is a terminal"],
    [["api", "order.accept", "--param", "package_id=P"], "Add --yes"],
  ])("%j ends with 2 and says how", async (argv, says) => {
    const cli = createCliHarness({ files: { "list.json": "[]", "broken.json": "{" } });
    writeFileSync(join(cli.folder, "latin.json"), Buffer.from([0x7b, 0xff, 0x7d]));

    const { exit, err } = await cli.run(...argv, "--lang", "en");

    expect([exit, err]).toEqual([2, expect.stringContaining(says)]);
  });

  it("reads all pages, line by line, and picks of each element", async () => {
    const sandbox = await openSandbox({ products: 130 });
    const cli = createCliHarness({ env: settingsOf(sandbox) });

    const lines = await cli.run(
      "api",
      "product.list",
      "--all",
      "--select",
      ".id",
      "--format",
      "jsonl",
    );
    const list = await cli.run("api", "product.list", "--all");
    const document = await cli.run("api", "product.list", "--all", "--json");

    const ids = lines.out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(new Set(ids).size).toBeGreaterThan(100);
    expect(JSON.parse(list.out).map(({ id }: { readonly id: string }) => id)).toEqual(ids);
    expect(JSON.parse(document.out)).toMatchObject({
      command: "api",
      name: "product.list",
      state: "read",
      data: JSON.parse(list.out),
      warnings: [],
      exit: 0,
    });
  });

  it("asks a person, and sends nothing after a no", async () => {
    const sandbox = await openSandbox();
    const cli = createCliHarness({ env: settingsOf(sandbox), answers: ["No"] });
    const words = [
      "api",
      "question.reply",
      "--param",
      "product_question_id=q",
      "--param",
      "message=m",
    ];

    const { exit, out, err } = await cli.run(...words, "--lang", "en");

    expect([exit, out, cli.questions]).toEqual([0, "", ["Send it?"]]);
    expect(err).toContain("POST /question/reply/store/");
    expect(err).toContain("cannot be undone here");
    expect(err).toContain("To send it with a plan and a report: catalog answer");
    expect(err).toContain("Assumed: Whether a second reply");
    expect(sandbox.inspect().stats.requests).toBe(0);
  });

  it("says that a lost call is unknown, logs it, and sends it again only once it is settled", async () => {
    const sandbox = await openSandbox({
      faults: [{ kind: "reset-after", endpoint: "question.reply", nth: 1 }],
    });
    const cli = createCliHarness({ env: settingsOf(sandbox) });
    const id = JSON.parse(
      (
        await cli.run(
          "api",
          "question.list",
          "--param",
          "unanswered=1",
          "--select",
          ".result[0].id",
        )
      ).out,
    );
    const words = ["api", "question.reply", "--param", `product_question_id=${id}`];
    const reply = (): ReturnType<typeof cli.run> =>
      cli.run(...words, "--param", "message=Evet", "--yes", "--lang", "en");

    const first = await reply();
    const second = await reply();
    const log = JSON.parse((await cli.run("api", "--log", "--json")).out);
    const settled = await cli.run("api", "--settle", "1", "--as", "done", "--lang", "en");
    const shown = await cli.run("api", "--log", "--lang", "en");

    expect([first.exit, first.out]).toEqual([5, ""]);
    expect(first.err).toContain("unknown whether the call was carried out");
    expect(first.err).toContain("catalog api --settle 1 --as done");
    expect([second.exit, second.out]).toEqual([3, ""]);
    expect(second.err).toContain("single call 1");
    expect(sandbox.inspect().stats.byEndpoint["question.reply"]).toBe(1);
    expect(log).toMatchObject({
      command: "api",
      log: [{ call: 1, name: "question.reply", state: "unknown", body: { message: "Evet" } }],
      exit: 0,
    });
    expect([settled.exit, settled.out]).toEqual([0, "Call 1: carried out.\n"]);
    expect(shown.out).toContain("question.reply  carried out");
  });

  it("prints the words of a refusal, and ends with 5", async () => {
    const sandbox = await openSandbox();
    const cli = createCliHarness({ env: settingsOf(sandbox) });
    const shipped = "$[*].packages[?@.status == 9].package_id";
    const { out } = await cli.run("api", "order.list", "--param", "days=90", "--select", shipped);
    const [id] = JSON.parse(out);

    const refused = await cli.run("api", "order.accept", "--param", `package_id=${id}`, "--yes");

    expect([refused.exit, refused.out]).toEqual([5, ""]);
    expect(refused.err).toContain("Pazaryeri çağrıyı reddetti");
    expect(refused.err).toContain("9 (Tamamlandı)");
    const logs = await Promise.all(
      ["tr", "en"].map(async (lang) => (await cli.run("api", "--log", "--lang", lang)).out),
    );
    expect(logs).toEqual([
      expect.stringMatching(/409: .*9 \(Tamamlandı\)/u),
      expect.stringMatching(/409: .*9 \(Completed\)/u),
    ]);
  });

  it("names a command that does the same as a run, for every call that changes something", async () => {
    const cli = createCliHarness();
    const changing = CALL_NAMES.filter(
      (name) => endpointNamed(name).method === "POST" && name !== "token.create",
    );

    const ways = changing.map((name) => SAFE_WAYS[name]?.command ?? `none for ${name}`);
    const helps = await Promise.all(
      ways.map(async (way) => {
        const words = way.split(" ").slice(1);
        const { exit, out } = await cli.run(...words, "--help");
        return [exit, words.every((word) => out.includes(word))];
      }),
    );

    expect(helps).toEqual(ways.map(() => [0, true]));
  });

  it("prints no token", async () => {
    const sandbox = await openSandbox();
    const cli = createCliHarness({ env: settingsOf(sandbox) });

    const { exit, out } = await cli.run("api", "token.create", "--yes");

    expect([exit, JSON.parse(out)]).toEqual([0, expect.objectContaining({ access_token: "***" })]);
  });
});
