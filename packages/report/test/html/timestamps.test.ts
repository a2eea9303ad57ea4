import { expect, it } from "vitest";

import { formatTimestamp } from "../../src/html/markup.ts";

const AT_MS = Date.UTC(2026, 10, 21, 21, 30);

it.each([
  ["tr", "22.11.2026 00:30"],
  ["en", "2026-11-22 00:30 UTC+3"],
] as const)("writes a time in %s as Turkish time", (lang, text) => {
  expect(formatTimestamp(AT_MS, lang)).toBe(
    `<time datetime="2026-11-21T21:30:00.000Z">${text}</time>`,
  );
});
