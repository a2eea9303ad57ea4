import { describe, expect, it } from "vitest";

import { escapeHtml, formatTimestamp, isolate, toScriptJson } from "../../src/html/markup.ts";

describe("escapeHtml", () => {
  it("leaves no character that could open or end an element", () => {
    expect(escapeHtml(`<a href="x" title='y'>&amp;</a>`)).toBe(
      "&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;amp;&lt;/a&gt;",
    );
  });

  it("replaces an unpaired surrogate, which no file can hold", () => {
    expect(escapeHtml("a\uD83E")).toBe("a\uFFFD");
  });
});

describe("isolate", () => {
  it("keeps the direction of a text from changing the text around it", () => {
    expect(isolate("<\u202E")).toBe("<bdi>&lt;\u202E</bdi>");
  });
});

describe("toScriptJson", () => {
  it("writes JSON that parses to the same value and cannot end the script element", () => {
    const value = ["</script>", "<!--", "]]>", "\u2028\u2029", '"\\'];

    const text = toScriptJson(value);

    expect(JSON.parse(text)).toEqual(value);
    expect(text).not.toMatch(/[<>&\u2028\u2029]/u);
  });
});

const AT_MS = Date.UTC(2026, 10, 21, 21, 30);

it.each([
  ["tr", "22.11.2026 00:30"],
  ["en", "2026-11-22 00:30 UTC+3"],
] as const)("writes a time in %s as Turkish time", (lang, text) => {
  expect(formatTimestamp(AT_MS, lang)).toBe(
    `<time datetime="2026-11-21T21:30:00.000Z">${text}</time>`,
  );
});
