import { PassThrough } from "node:stream";

import { describe, expect, it } from "vitest";

import {
  adaptToShell,
  createTerminal,
  fitLines,
  type Streams,
} from "../../src/terminal/terminal.ts";

interface Screens {
  readonly stdin?: boolean;
  readonly stdout?: boolean;
  readonly stderr?: boolean;
  readonly columns?: number;
  readonly env?: Streams["env"];
}

function createStreams({ stdin, stdout, stderr, columns, env = {} }: Screens): Streams {
  return {
    stdin: Object.assign(new PassThrough(), { isTTY: stdin }),
    stdout: Object.assign(new PassThrough(), { isTTY: stdout, columns }),
    stderr: Object.assign(new PassThrough(), { isTTY: stderr, columns }),
    env,
  };
}

const ALL = { stdin: true, stdout: true, stderr: true };

describe("createTerminal", () => {
  it.each([
    ["on a terminal", ALL, [], { isTerminal: true, canAsk: true, hasColor: true }],
    ["in a pipe", {}, [], { isTerminal: false, canAsk: false, hasColor: false }],
    [
      "with the result in a file",
      { stdin: true, stderr: true },
      [],
      { isTerminal: true, canAsk: true, hasColor: true },
    ],
    [
      "without anybody to ask",
      { stdout: true, stderr: true },
      [],
      { isTerminal: true, canAsk: false, hasColor: true },
    ],
    [
      "with the progress in a file",
      { stdin: true, stdout: true },
      [],
      { isTerminal: false, canAsk: false, hasColor: false },
    ],
    [
      "with NO_COLOR",
      { ...ALL, env: { NO_COLOR: "1" } },
      [],
      { isTerminal: true, canAsk: true, hasColor: false },
    ],
    [
      "with an empty NO_COLOR",
      { ...ALL, env: { NO_COLOR: "" } },
      [],
      { isTerminal: true, canAsk: true, hasColor: true },
    ],
    [
      "on a dumb terminal",
      { ...ALL, env: { TERM: "dumb" } },
      [],
      { isTerminal: false, canAsk: true, hasColor: false },
    ],
    [
      "with --no-color",
      ALL,
      ["plan", "--no-color"],
      { isTerminal: true, canAsk: true, hasColor: false },
    ],
  ] as const)("knows what it may do %s", (...[, screens, argv, expected]) => {
    const { isTerminal, canAsk, hasColor } = createTerminal(createStreams(screens), argv);

    expect({ isTerminal, canAsk, hasColor }).toEqual(expected);
  });

  it.each([
    [
      { ...ALL, columns: 132 },
      { columns: 132, outColumns: 132 },
    ],
    [ALL, { columns: 80, outColumns: 80 }],
    [
      { stderr: true, columns: 132 },
      { columns: 132, outColumns: Infinity },
    ],
  ])("reads the width of the screen: %j", (screens, expected) => {
    const { columns, outColumns } = createTerminal(createStreams(screens), []);

    expect({ columns, outColumns }).toEqual(expected);
  });

  it("keeps result and progress on separate streams", () => {
    const streams = createStreams({});
    const terminal = createTerminal(streams, []);

    terminal.out("result");
    terminal.err("progress");

    expect([written(streams.stdout), written(streams.stderr)]).toEqual(["result", "progress"]);
  });

  it("wraps long messages for a person, but not the result", () => {
    const line = "Eksik ayar verilmedi";
    for (const stderr of [true, false]) {
      const streams = createStreams({ stdout: true, stderr, columns: 12 });
      const terminal = createTerminal(streams, []);

      terminal.out(line);
      terminal.err(line);

      const output = stderr ? "Eksik ayar\nverilmedi" : line;
      expect([written(streams.stdout), written(streams.stderr)]).toEqual([line, output]);
    }
  });

  it("escapes control characters in every output", async () => {
    const streams = createStreams({ ...ALL, columns: 80 });
    const terminal = createTerminal(streams, []);

    terminal.out("\u001b[2Jsonuç\n");
    terminal.outFile("\u001b[2Ja;b\r\nc\r\n");
    terminal.err("iyi\rkötü\n");
    terminal.redraw("\u009b31m\nsatır");

    expect(written(streams.stdout)).toBe("\\u001b[2Jsonuç\n\\u001b[2Ja;b\nc\n");
    expect(written(streams.stderr)).toBe("iyi\\u000dkötü\n\r\u001B[2K\\u009b31m satır");
  });

  it("writes a file unchanged to a pipe, and a document equal to the original", () => {
    const streams = createStreams({});
    const terminal = createTerminal(streams, []);
    const document = { ad: "\u001b[2J\u009b\u202e\u2028 ş 👨‍👩‍👧" };

    terminal.outFile("\u001b;\u202e\r\n");
    const file = written(streams.stdout);
    terminal.out(JSON.stringify(document));

    expect(file).toBe("\u001b;\u202e\r\n");
    expect(JSON.parse(written(streams.stdout))).toEqual(document);
  });

  it("cuts a progress line to the width of the screen, and a very long message", () => {
    const streams = createStreams({ stderr: true, columns: 10 });
    const terminal = createTerminal(streams, []);

    terminal.redraw("Okunuyor 1.500");
    const drawn = written(streams.stderr);
    terminal.err(`${"x".repeat(15_000_000)}\nson\n`);

    expect(drawn).toBe("\r\u001B[2KOkunuyor ");
    expect(written(streams.stderr)).toBe(`${"x".repeat(4_000)}…\nson\n`);
  });

  it.each(["ask", "choose", "askText"] as const)(
    "shows a question with %s without its control characters",
    async (kind) => {
      const { streams, stdin } = createTyped("");
      const terminal = createTerminal(streams, []);
      const words = { yes: "Evet", no: "Hayır" };
      const label = "Marka\u001b]0;x\u0007\nsatır";
      const question = "Hangisi\u001b[5m?";
      const answer = {
        ask: () => terminal.ask(question, words),
        choose: () => terminal.choose?.(question, [{ value: "1", label }]),
        askText: () => terminal.askText?.(question),
      }[kind]();

      const screen = await asked(streams, "Hangisi\\u001b[5m?");
      stdin.write("\r");
      await answer;

      const all = screen + written(streams.stderr);
      expect(["\u001b[5m", "\u001b]", "\u0007"].filter((sign) => all.includes(sign))).toEqual([]);
    },
  );

  it.each(["ask", "choose", "askText"] as const)(
    "returns no answer to %s when a signal cancels the question",
    async (kind) => {
      const { streams } = createTyped("");
      const stop = new AbortController();
      const terminal = createTerminal(streams, [], stop.signal);
      const answer = {
        ask: () => terminal.ask("Hangisi?", { yes: "Evet", no: "Hayır" }),
        choose: () => terminal.choose?.("Hangisi?", [{ value: "1", label: "Bir" }]),
        askText: () => terminal.askText?.("Hangisi?"),
      }[kind]();

      await asked(streams, "Hangisi?");
      stop.abort();

      expect(await answer).toBeUndefined();
    },
  );

  it.each([
    ["y", true],
    ["n", false],
    ["\u0003", undefined],
  ])("reads the key %j as %s", async (key, expected) => {
    const streams = createStreams({ columns: 80 });
    const answer = createTerminal(streams, []).ask("Devam?", { yes: "Evet", no: "Hayır" });

    if (streams.stdin instanceof PassThrough) streams.stdin.write(key);

    expect(await answer).toBe(expected);
    expect(written(streams.stdout)).toBe("");
    expect(written(streams.stderr)).toContain("Evet");
  });

  it.each([
    ["\r", "k-1"],
    ["\u001B[B\r", "k-2"],
    ["\u0003", undefined],
  ])("chooses one of several options by the key %j", async (key, expected) => {
    const streams = createStreams({ columns: 80 });
    const choices = [
      { value: "k-1", label: "Karaca" },
      { value: "k-2", label: "Karaca Home" },
    ];
    const answer = createTerminal(streams, []).choose?.("Hangisi?", choices);

    if (streams.stdin instanceof PassThrough) streams.stdin.write(key);

    expect(await answer).toBe(expected);
    expect(written(streams.stdout)).toBe("");
    expect(written(streams.stderr)).toContain("Karaca Home");
  });
});

/** A terminal with keys that were typed before the first question. */
function createTyped(keys: string): { readonly streams: Streams; readonly stdin: PassThrough } {
  const stdin = new PassThrough();
  stdin.write(keys);
  const input = Object.assign(stdin, { isTTY: true, setRawMode: () => undefined });
  return { streams: { ...createStreams({ ...ALL, columns: 80 }), stdin: input }, stdin };
}

/** Resolves to the text on the screen once the question is shown. */
async function asked({ stderr }: Streams, question: string): Promise<string> {
  if (!(stderr instanceof PassThrough)) throw new Error("the screen cannot be read");
  let screen = "";
  for await (const chunk of stderr.iterator({ destroyOnReturn: false })) {
    screen += String(chunk);
    if (screen.includes(question)) return screen;
  }
  return screen;
}

const EARLY = ["y", "e", "\r", "\n", "\r\r\n", "yyyy\r", "\u001B[B\r", "y".repeat(100_000)];

describe("keys that were typed before a question", () => {
  it.each(EARLY)("do not answer it: %#, where Enter then means no", async (keys) => {
    const { streams, stdin } = createTyped(keys);
    const answer = createTerminal(streams, []).ask("Devam?", { yes: "Evet", no: "Hayır" });

    await asked(streams, "Devam?");
    stdin.write("\r");

    expect(await answer).toBe(false);
  });

  it.each(EARLY)("choose nothing: %#", async (keys) => {
    const { streams, stdin } = createTyped(keys);
    const choices = ["bir", "iki"].map((value) => ({ value, label: value }));
    const answer = createTerminal(streams, []).choose?.("Hangisi?", choices);

    await asked(streams, "Hangisi?");
    stdin.write("\u001B[B\r");

    expect(await answer).toBe("iki");
  });

  it.each(EARLY)("are no part of a text answer: %#", async (keys) => {
    const { streams, stdin } = createTyped(keys);
    const answer = createTerminal(streams, []).askText?.("Kod?");

    await asked(streams, "Kod?");
    stdin.write(" A-1 \r");

    expect(await answer).toBe("A-1");
  });

  it("cancel it when Ctrl-C is among them", async () => {
    const { streams } = createTyped("y\u0003");

    const answer = createTerminal(streams, []).ask("Devam?", { yes: "Evet", no: "Hayır" });

    expect(await answer).toBeUndefined();
  });

  it("do not answer the second question after the first", async () => {
    const { streams, stdin } = createTyped("");
    const terminal = createTerminal(streams, []);
    const words = { yes: "Evet", no: "Hayır" };
    const first = terminal.ask("Bir?", words);
    await asked(streams, "Bir?");
    stdin.write("yyy");
    await first;

    const second = terminal.ask("İki?", words);
    await asked(streams, "İki?");
    stdin.write("h");

    expect([await first, await second]).toEqual([true, false]);
  });
});

it.each([
  ["e", true],
  ["E", true],
  ["y", true],
  ["h", false],
  ["H", false],
  ["n", false],
  ["x\r", false],
])("accepts the first letter of an answer: %j for %s", async (key, expected) => {
  const { streams, stdin } = createTyped("");
  const answer = createTerminal(streams, []).ask("Devam?", { yes: "Evet", no: "Hayır" });

  await asked(streams, "Devam?");
  stdin.write(key);

  expect(await answer).toBe(expected);
});

/** What was written to a stream. */
function written(stream: Streams["stdout"]): string {
  return stream instanceof PassThrough ? String(stream.read() ?? "") : "";
}

const shell = { program: "npx catalog-toolkit", cwd: "/home/ada/shop" };

const cases: readonly (readonly [text: string, adapted: string])[] = [
  [
    "Again: catalog import /home/ada/shop/r/failed.xlsx",
    "Again: npx catalog-toolkit import r/failed.xlsx",
  ],
  ['catalog plan "/home/ada/shop/Yaz Kış.xlsx"', 'npx catalog-toolkit plan "Yaz Kış.xlsx"'],
  ["(/home/ada/shop/a.csv)", "(a.csv)"],
  ["/home/ada/shop", "/home/ada/shop"],
  ["/home/ada/shopping/a.csv", "/home/ada/shopping/a.csv"],
  ["file:///home/ada/shop/report.html", "file:///home/ada/shop/report.html"],
  ["/mnt/home/ada/shop/a.csv", "/mnt/home/ada/shop/a.csv"],
];

describe("adaptToShell", () => {
  it.each(cases)("writes %s as %s", (text, adapted) => {
    expect(adaptToShell(text, shell)).toBe(adapted);
  });

  it("takes a folder with the signs of a pattern as it is", () => {
    expect(adaptToShell("/a+(b)/x.csv /aa(b)/x.csv", { cwd: "/a+(b)" })).toBe("x.csv /aa(b)/x.csv");
  });

  it("leaves paths as they are where the shell is in the root folder", () => {
    expect(adaptToShell("/a.csv https://b.example", { cwd: "/" })).toBe("/a.csv https://b.example");
  });
});

describe("fitLines", () => {
  it("wraps a sentence between words, indented behind its mark", () => {
    const text = "! Eksik ayar: anahtar ve gizli anahtar verilmedi.\n";

    expect(fitLines(text, 24)).toBe("! Eksik ayar: anahtar ve\n  gizli anahtar\n  verilmedi.\n");
  });

  it("leaves short lines unchanged, and words that are longer than the screen", () => {
    const path = `/tmp/${"a".repeat(90)}/failed.xlsx`;

    expect(fitLines(`kısa\n\n${path}\n`, 80)).toBe(`kısa\n\n${path}\n`);
  });

  it("keeps the command at the end in one piece", () => {
    const command = `catalog import ${"/klasör".repeat(12)}/failed.xlsx`;

    expect(fitLines(`Düzeltip yeniden yükleyin: ${command}\n`, 80)).toBe(
      `Düzeltip yeniden yükleyin:\n  ${command}\n`,
    );
  });

  it.each([
    [60, 28],
    [50, 4],
  ])(
    "indents the entries of a list at %d columns, so that each begins alone",
    (columns, indent) => {
      const id = "a814a025e74f6952b1a2b0b7";
      const list = `Kimliğini verin:\n  ${id}  Ev Aletleri > Mutfak Aletleri > Aksesuar\n`;

      const [, first, second] = fitLines(list, columns).split("\n");

      expect(first).toContain(`  ${id}  Ev Aletleri >`);
      expect(second).toMatch(new RegExp(`^ {${String(indent)}}\\S`, "u"));
    },
  );

  it("does not count the color codes of a line", () => {
    const line = `\u001b[31m${"a".repeat(10)} b\u001b[39m`;

    expect(fitLines(line, 12)).toBe(line);
  });

  it("loses no word, and makes no line longer than the screen", () => {
    const text = "Şu ürünün fiyatı, bir önceki içe aktarmada gönderilenden çok farklı: İnceleyin.";

    for (let columns = 16; columns < text.length; columns += 1) {
      const lines = fitLines(text, columns).split("\n");

      expect(lines.join(" ")).toBe(text);
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns);
    }
  });
});
