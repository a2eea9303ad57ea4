import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { readSecretFiles } from "../../src/settings/secret-files.ts";
import { createFolder } from "../helpers/temporary-folder.ts";

const CANARY = "SECRET-CANARY";
const VARIABLE = "CATALOG_CLIENT_SECRET_FILE";

/** Makes a file of the content in a new folder. */
function write(content: string | Uint8Array, mode = 0o444): string {
  const path = join(createFolder(), "secret");
  writeFileSync(path, content);
  chmodSync(path, mode);
  return path;
}

const createPipe = (): string => {
  const path = join(createFolder(), "pipe");
  spawnSync("mkfifo", ["-m", "600", path]);
  return path;
};

const createInner = (): string => {
  const path = join(createFolder(), "inner");
  mkdirSync(path);
  return path;
};

describe("readSecretFiles", () => {
  it.each([
    ["without a line feed", CANARY],
    ["with a line feed", `${CANARY}\n`],
    ["with the line end of Windows", `${CANARY}\r\n`],
  ])("reads a secret %s", (_what, content) => {
    const { env, error } = readSecretFiles({ [VARIABLE]: write(content), OTHER: "x" }, "/");

    expect({ env, error }).toEqual({
      env: { CATALOG_CLIENT_SECRET: CANARY, OTHER: "x" },
      error: undefined,
    });
  });

  it("finds files from the working folder, also behind a link", () => {
    const cwd = createFolder();
    symlinkSync(write(`${CANARY}\n`), join(cwd, "link"));

    expect(readSecretFiles({ CATALOG_CLIENT_KEY_FILE: "link" }, cwd).env).toEqual({
      CATALOG_CLIENT_KEY: CANARY,
    });
  });

  it("takes an empty variable for none", () => {
    const given = { [VARIABLE]: "", CATALOG_CLIENT_SECRET: "s" };

    expect(readSecretFiles(given, "/")).toEqual({
      env: { CATALOG_CLIENT_SECRET: "s" },
      error: undefined,
    });
  });

  it.each<readonly [string, () => string, RegExp]>([
    ["is missing", () => "/nowhere/secret", /cannot be used/u],
    ["is empty", () => write(""), /it is empty/u],
    ["has blanks only", () => write("  \n"), /it is empty/u],
    ["has two lines", () => write(`${CANARY}\n${CANARY}\n`), /not one line/u],
    ["is binary", () => write(new Uint8Array([0xff, 0xfe, 0x00])), /not one line/u],
    ["has a control character", () => write(`${CANARY}\u0000`), /not one line/u],
    ["is too large", () => write("x".repeat(16 * 1024 + 1)), /larger than 16 kB/u],
    ["everybody can write", () => write(CANARY, 0o646), /everybody can write/u],
    ["is a folder", createInner, /it is a folder/u],
    ["is a pipe that nobody writes", createPipe, /no regular file/u],
  ])(
    "refuses a file that %s, with the next step and without its content",
    (_what, make, reason) => {
      const { env, error } = readSecretFiles({ [VARIABLE]: make() }, "/");

      expect(env).toEqual({});
      expect(error?.localized.en).toMatch(reason);
      expect(error?.localized.en).toContain(`unset ${VARIABLE}`);
      expect(error?.localized.tr).toContain("değişkenini kaldırın");
      expect(JSON.stringify(error?.localized)).not.toContain(CANARY);
    },
  );

  it.each(["CATALOG_CLIENT_SECRET", "CATALOG_CLIENT_KEY", "CATALOG_DATABASE_URL"])(
    "refuses %s beside its file",
    (name) => {
      const given = { [name]: "x", [`${name}_FILE`]: write(CANARY) };

      expect(readSecretFiles(given, "/").error?.localized.en).toContain(
        `Both ${name} and ${name}_FILE are set`,
      );
    },
  );
});
