/** The limits of uploads stand in the manuals and on the page as the server holds them. */

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { expect, it } from "vitest";

import { TEXTS } from "../../../client/texts/texts.ts";
import { MAX_UPLOAD_BYTES, MAX_UPLOADS_BYTES } from "../../../src/api/session.ts";

const MEGABYTE = 1024 * 1024;

const read = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`../../../../../docs/${name}`, import.meta.url)), "utf8");

it("are told by the page and by the manuals", () => {
  const one = `${MAX_UPLOAD_BYTES / MEGABYTE} MB`;
  const all = `${MAX_UPLOADS_BYTES / MEGABYTE} MB`;

  for (const name of ["usage.tr.md", "usage.en.md", "limits.md"]) {
    expect([name, read(name).includes(one), read(name).includes(all)]).toEqual([name, true, true]);
  }
  expect([TEXTS.tr.upload.kinds, TEXTS.en.upload.kinds].map((text) => text.includes(one))).toEqual([
    true,
    true,
  ]);
});
