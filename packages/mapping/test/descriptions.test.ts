import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { createDescriptionReader } from "../src/descriptions.ts";

const asHtml = createDescriptionReader();
const asText = createDescriptionReader({ format: "text" });

describe("a description without HTML", () => {
  it.each([
    "Uzun açıklama: ş, ğ, ı, İ.",
    "a < b & c > d",
    "3 <5 cm, beden <XL>",
    "adres ?a=1&copy=2&lt=3",
    "R&D; yok",
    "satır\nsatır",
  ])("is sent as it stands: %s", (text) => {
    expect(asHtml(text)).toEqual({ text, change: undefined });
    expect(asText(text)).toEqual({ text, change: undefined });
  });

  it.each([
    ["&Ccedil;ok g&uuml;zel &amp; iyi", "Çok güzel & iyi"],
    ["&amp;lt;b&amp;gt;", "&lt;b&gt;"],
    ["&amp;amp;", "&amp;"],
    ["&#304;&#x131; &yok;", "İı &yok;"],
    ["a &lt; b <5 & c", "a < b <5 & c"],
  ])("has its entities decoded once: %s", (text, decoded) => {
    expect(asHtml(text)).toEqual({ text: decoded, change: "decoded" });
    expect(asText(text)).toEqual({ text: decoded, change: "decoded" });
  });
});

describe("a description with HTML", () => {
  it.each([
    '<p class="x">Ürün <b>çok</b> güzel<br>ve &ccedil;abuk &amp;lt;</p>',
    '<table border=1><tr><td colspan="2">bir</td></tr></table>',
    '<img src="https://o.example/1.jpg" alt="Ön"><a href="https://o.example">site</a>',
  ])("is sent as it stands where it is harmless: %s", (text) => {
    expect(asHtml(text)).toEqual({ text, change: undefined });
  });

  it.each([
    ['<p onclick="x()">a</p>', "<p>a</p>"],
    ['<p style="color:red">a</p>', "<p>a</p>"],
    ["<style>p{}</style><p>a</p>", "<p>a</p>"],
    ["<p>a<script>alert(1)</script></p>", "<p>a</p>"],
    ['<a href="javascript:x()">a</a>', "<a>a</a>"],
    ['<img src=x onerror="x()">', '<img src="x" />'],
    ['<iframe src="https://o.example"></iframe><b>a</b>', "<b>a</b>"],
    ["<p>a</p><!-- gizli -->", "<p>a</p>"],
    ["&lt;p&gt;a&lt;/p&gt;&lt;script&gt;x()&lt;/script&gt;", "<p>a</p>"],
  ])("loses scripts, styles and event handlers: %s", (text, cleaned) => {
    expect(asHtml(text)).toEqual({ text: cleaned, change: "cleaned" });
  });

  it("is decoded once where the file has it escaped", () => {
    expect(asHtml("&lt;p&gt;a &amp;amp; b&lt;/p&gt;")).toEqual({
      text: "<p>a &amp; b</p>",
      change: "decoded",
    });
  });

  it("becomes plain text with lines and lists where that is asked for", () => {
    const html =
      "<h2>Kazak</h2><p>Yün &amp; pamuk.<br>Ilık &amp;lt;yıkama&amp;gt;</p><ul><li>S</li><li>M</li></ul><table><tr><td>En</td><td>40</td></tr></table><script>x()</script>";

    expect(asText(html)).toEqual({
      text: "Kazak\n\nYün & pamuk.\nIlık &lt;yıkama&gt;\n- S\n- M\n\nEn 40",
      change: "text",
    });
  });
});

it.each(["<x onclick=y>Yün</x>", "<x-y title='a'onclick=y>Yün", "Yün<x onclick=y"])(
  "an element that HTML does not have has no event handler once it is read: %s",
  (text) => {
    expect(asHtml(text)).toEqual({ text: "Yün", change: "cleaned" });
  },
);

describe("any text", () => {
  const part = fc.constantFrom(
    "<p>",
    "</p>",
    "<script>",
    "</script>",
    "&lt;",
    "&amp;",
    "<",
    "&",
    "x",
    " onx=1",
    "<b onclick=y>",
    "<style>",
  );
  const texts = fc.array(part, { maxLength: 12 }).map((parts) => parts.join(""));

  it("has no script, style or event handler once it is read", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const { text: read } = asHtml(text);
        expect(read).not.toMatch(/<(?:script|style)[\s>]|<[a-z]+[^>]*\son\w+=/iu);
      }),
    );
  });

  it("without HTML and entities is never changed", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        fc.pre(!/[&<]/u.test(text));
        expect(asHtml(text)).toEqual({ text, change: undefined });
      }),
    );
  });
});

describe("createDescriptionReader, of a platform that writes line breaks as text", () => {
  const ofShop = createDescriptionReader({ platform: "woocommerce" });

  it.each([
    [String.raw`<p>Çelik.</p>\n<p>Su geçirmez.</p>`, "<p>Çelik.</p>\n<p>Su geçirmez.</p>"],
    [String.raw`ilk satır\nikinci satır`, "ilk satır\nikinci satır"],
    [String.raw`C:\\new`, String.raw`C:\new`],
  ])("reads %j as %j", (text, read) => {
    expect(ofShop(text)).toEqual({ text: read, change: undefined });
    expect(asHtml(text).text).toBe(text);
  });
});
