import { createHash } from "node:crypto";
import { readdirSync, readFileSync, utimesSync } from "node:fs";
import { createRequire } from "node:module";
import { join, sep } from "node:path";

import { createFakeClock } from "@catalog/clock/testing";
import { describe, expect, it } from "vitest";

import { removeLeftovers, removeOldFiles } from "../../src/server/files.ts";
import { PRESSABLE_STYLE_HASH } from "../../src/server/page-app.ts";
import { isLoopbackAddress } from "../../src/server/workplace.ts";
import { openSession, startPageServer } from "../helpers/page-server.ts";
import { createFolder } from "../helpers/temporary-folder.ts";

const PACKAGE = `${sep}node_modules${sep}react-aria${sep}`;

it("the one allowed style is the one that the pinned react-aria puts into the page", () => {
  const components = createRequire(import.meta.url).resolve("react-aria-components");
  const entry = createRequire(components).resolve("react-aria");
  const root = entry.slice(0, entry.indexOf(PACKAGE) + PACKAGE.length);
  const source = readFileSync(join(root, "dist/private/interactions/usePress.mjs"), "utf8");

  const style = /textContent = `([^`]*)`\.trim\(\)/u.exec(source)?.[1]?.trim() ?? "";
  const filled = style.replaceAll(/\$\{[^}]*\}/gu, "data-react-aria-pressable");

  const hash = createHash("sha256").update(filled).digest("base64");
  expect(`sha256-${hash}`).toBe(PRESSABLE_STYLE_HASH);
});

describe("the address of a store", () => {
  for (const host of ["127.0.0.1:4020", "127.8.0.9", "127.1", "[::1]:80", "LOCALHOST:9"]) {
    it(`is of this computer: ${host}`, () => {
      expect(isLoopbackAddress(`http://${host}/v1`)).toBe(true);
    });
  }

  for (const host of ["127.0.0.1.example.com", "localhost.example.com", "10.0.0.1", "[::2]"]) {
    it(`is not of this computer: ${host}`, () => {
      expect(isLoopbackAddress(`https://${host}`)).toBe(false);
    });
  }
});

it("keeps whole uploads, however old they are", async () => {
  const folder = createFolder({
    "uploads/a.csv": "",
    "uploads/b.csv.part": "",
    "commands/a.out": "",
  });
  for (const name of ["uploads/a.csv", "uploads/b.csv.part", "commands/a.out"]) {
    utimesSync(join(folder, name), 1, 1);
  }

  await removeLeftovers({ folder, clock: createFakeClock(Date.UTC(2026, 0, 1)) });

  expect(readdirSync(join(folder, "uploads"))).toEqual(["a.csv"]);
  expect(readdirSync(join(folder, "commands"))).toEqual([]);
});

it("removes files that are old and whose names end so", async () => {
  const folder = createFolder({ "new.part": "", "old.part": "", kept: "", "inner.part/old": "" });
  for (const name of ["old.part", "kept", "inner.part/old"]) utimesSync(join(folder, name), 1, 1);
  utimesSync(join(folder, "new.part"), 100, 100);

  const old = { maxAgeMs: 50_000, nowMs: 101_000 };
  await removeOldFiles({ ...old, folder, ending: ".part" });
  await removeOldFiles({ ...old, folder: join(folder, "none") });

  expect(readdirSync(folder).toSorted()).toEqual(["inner.part", "kept", "new.part"]);
});

describe("closing the program on the page", () => {
  it("is answered before the program ends", async () => {
    const closed = Promise.withResolvers<void>();
    const server = await startPageServer({ onClose: () => closed.resolve() });
    const headers = await openSession(server);

    const answer = await fetch(`${server.origin}/api/close`, { method: "POST", headers });
    await closed.promise;

    expect(answer.status).toBe(204);
  });

  it("is refused without a session, and without the key of changes", async () => {
    let closings = 0;
    const server = await startPageServer({ onClose: () => (closings += 1) });
    const { origin, cookie } = await openSession(server);
    const close = (headers: Record<string, string>): Promise<Response> =>
      fetch(`${origin}/api/close`, { method: "POST", headers });

    const answers = [await close({ origin }), await close({ origin, cookie })];

    expect(answers.map(({ status }) => status)).toEqual([401, 403]);
    expect(closings).toBe(0);
  });
});
