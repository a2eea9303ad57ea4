import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import type { Sandbox } from "@catalog/sandbox";
import { describe, expect, it } from "vitest";

import {
  type CliHarness,
  type CliHarnessOptions,
  createCliHarness,
  openSandbox,
  settingsOf,
} from "../helpers/cli-harness.ts";

const NAME = "catalog.config.json";

/** A folder whose file names the address; the other settings are in the environment. */
async function openFixture(
  options: CliHarnessOptions = {},
): Promise<{ readonly sandbox: Sandbox; readonly harness: CliHarness }> {
  const sandbox = await openSandbox();
  const { CATALOG_BASE_URL: baseUrl, ...env } = settingsOf(sandbox);
  const files = { [NAME]: JSON.stringify({ baseUrl }) };
  return { sandbox, harness: createCliHarness({ env, files, ...options }) };
}

const LOOKUP = ["lookup", "cities", "--json"] as const;

describe("a command in a folder with a configuration file", () => {
  it("sends nothing to its address before the file is trusted, and explains how to trust it", async () => {
    const { sandbox, harness } = await openFixture();

    const ended = await harness.run(...LOOKUP, "--lang", "en");

    expect(ended.exit).toBe(2);
    expect(JSON.parse(ended.out).error).toEqual({
      code: "E_CONFIG_UNTRUSTED",
      message: `The configuration file ${join(harness.folder, NAME)} is not trusted on this machine; what it sets (baseUrl) was not used and nothing was sent. If you trust it, see what it says and confirm it: catalog trust`,
    });
    expect(sandbox.stats().requests).toBe(0);
  });

  it("uses the file once it is trusted, until it changes", async () => {
    const { sandbox, harness } = await openFixture();

    const trusted = await harness.run("trust", "--yes");
    const works = await harness.run(...LOOKUP);
    const { requests } = sandbox.stats();
    writeFileSync(join(harness.folder, NAME), JSON.stringify({ baseUrl: `${sandbox.baseUrl}/x` }));
    const changed = await harness.run(...LOOKUP);

    expect([trusted.exit, works.exit, changed.exit]).toEqual([0, 0, 2]);
    expect(changed.err).toContain("onaylandıktan sonra değişti");
    expect(sandbox.stats().requests).toBe(requests);
  });

  it("needs no confirmation when the file only repeats the environment", async () => {
    const sandbox = await openSandbox();
    const env = settingsOf(sandbox);
    const files = { [NAME]: JSON.stringify({ baseUrl: `${sandbox.baseUrl}/`, lang: "en" }) };

    expect(await createCliHarness({ env, files }).run(...LOOKUP)).toMatchObject({ exit: 0 });
  });

  it("asks a person for confirmation, shows the file, and stores a yes", async () => {
    const { harness } = await openFixture({ answers: ["Evet"] });

    const first = await harness.run("lookup", "cities");
    const second = await harness.run("lookup", "cities");

    expect([first.exit, second.exit]).toEqual([0, 0]);
    expect(first.err).toContain(`Ayar dosyası: ${join(harness.folder, NAME)}\n  baseUrl: "http://`);
    expect(first.err).toContain("gizli anahtar bu adrese gönderilir: http://");
    expect(harness.questions).toEqual(["Bu ayar dosyasına güveniyor musunuz?"]);
  });

  it.each(["Hayır", undefined])("sends nothing after the answer %s", async (answer) => {
    const { sandbox, harness } = await openFixture({ answers: [answer] });

    expect(await harness.run("lookup", "cities")).toMatchObject({ exit: 2, out: "" });
    expect(sandbox.stats().requests).toBe(0);
  });

  it("plays the demo beside a file that was not trusted, without its settings", async () => {
    const { sandbox, harness } = await openFixture();
    const report = join(harness.folder, "sonuc");

    expect(await harness.run("demo", "--report", report)).toMatchObject({ exit: 0 });
    expect(sandbox.stats().requests).toBe(0);
  });
});

describe("catalog trust", () => {
  it("shows the settings of the file, and trusts nothing without a person or --yes", async () => {
    const upload = { command: ["sh", "-c", "curl x"] };
    const files = { [NAME]: JSON.stringify({ home: "durum", images: { upload } }) };
    const harness = createCliHarness({ files });

    const { exit, out, err } = await harness.run("trust", "--lang", "en");

    expect({ exit, out }).toEqual({ exit: 2, out: "" });
    expect(err).toContain(`  home: "${join(harness.folder, "durum")}"\n`);
    expect(err).toContain('! This program is run for images: ["sh","-c","curl x"]\n');
    expect(err).toContain("catalog trust --yes");
    expect((await harness.run("trust", "--list")).out).toBe("Onaylanmış ayar dosyası yok.\n");
  });

  it.each([
    ["Yes", { exit: 0, trusted: true }],
    ["No", { exit: 0, trusted: false }],
  ])("asks on a terminal and accepts %s as the answer", async (answer, expected) => {
    const harness = createCliHarness({
      files: { [NAME]: '{"storeId": "s-1"}' },
      answers: [answer],
    });

    const { out } = await harness.run("trust", "--json", "--lang", "en");

    expect(JSON.parse(out)).toMatchObject({
      ...expected,
      command: "trust",
      file: join(harness.folder, NAME),
      sets: { storeId: "s-1" },
    });
  });

  it("ends with 130 when the question is cancelled", async () => {
    const harness = createCliHarness({
      files: { [NAME]: '{"storeId": "s-1"}' },
      answers: [undefined],
    });

    expect(await harness.run("trust")).toMatchObject({ exit: 130, out: "" });
  });

  it("lists the files with their states, and removes each, even a missing one", async () => {
    const files = { [`a/${NAME}`]: "{}", [`b/${NAME}`]: "{}", [`c/${NAME}`]: "{}" };
    const harness = createCliHarness({ files });
    const paths = ["a", "b", "c"].map((folder) => join(harness.folder, folder, NAME));
    for (const path of paths) await harness.run("trust", path, "--yes");
    writeFileSync(join(harness.folder, "b", NAME), '{"lang": "en"}');
    rmSync(join(harness.folder, "c", NAME));

    const { out } = await harness.run("trust", "--list", "--json");
    const states = JSON.parse(out).files.map(({ state }: { state: string }) => state);
    const forgotten = [
      await harness.run("trust", join(harness.folder, "a"), "--forget", "--json"),
      await harness.run("trust", paths[2] ?? "", "--forget", "--json"),
      await harness.run("trust", paths[2] ?? "", "--forget", "--json"),
    ];

    expect(states).toEqual(["trusted", "changed", "missing"]);
    expect(forgotten.map((ended) => JSON.parse(ended.out).forgotten)).toEqual([true, true, false]);
    expect((await harness.run("trust", "--list")).out).toBe(`${paths[1]} (sonradan değişti)\n`);
  });

  it("names the searched folder when there is no file", async () => {
    const ended = await createCliHarness().run("trust", "--lang", "en");

    expect(ended.exit).toBe(2);
    expect(ended.err).toContain("No configuration file was found");
  });
});
