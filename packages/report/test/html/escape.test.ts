import { describe, expect, it } from "vitest";

import { escapeHtml, isolate, toScriptJson } from "../../src/html/escape.ts";

describe("escapeHtml", () => {
  it("leaves no sign that could open or end anything", () => {
    expect(escapeHtml(`<a href="x" title='y'>&amp;</a>`)).toBe(
      "&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;amp;&lt;/a&gt;",
    );
  });

  it("replaces half a character, which no file can hold", () => {
    expect(escapeHtml("a\uD83E")).toBe("a\uFFFD");
  });
});

describe("isolate", () => {
  it("keeps the direction of a text to itself", () => {
    expect(isolate("<\u202E")).toBe("<bdi>&lt;\u202E</bdi>");
  });
});

describe("toScriptJson", () => {
  it("reads back as it was, and cannot end a script", () => {
    const value = ["</script>", "<!--", "]]>", "\u2028\u2029", '"\\'];

    const text = toScriptJson(value);

    expect(JSON.parse(text)).toEqual(value);
    expect(text).not.toMatch(/[<>&\u2028\u2029]/u);
  });
});
