import { spawnSync } from "node:child_process";

import { describe, expect, it } from "vitest";

import { SOURCE_PATHS, toAbsolutePath } from "../../../../test/helpers/source-paths.ts";

const KEYRING = toAbsolutePath(SOURCE_PATHS.keyring);

describe("the system's keyring", () => {
  // Other systems always have a keyring, which a test must not use.
  it.runIf(process.platform === "linux")(
    "is reported as missing without a desktop session, instead of using one that is emptied at a restart",
    () => {
      const script = `
        const { createSystemKeyring } = await import(${JSON.stringify(KEYRING)});
        const keyring = createSystemKeyring();
        for (const ask of [() => keyring.write("a", "b"), () => keyring.read("a"), () => keyring.forget("a")]) {
          console.log(await ask().then(() => "there", () => "missing"));
        }`;

      const { stdout, stderr } = spawnSync(
        process.execPath,
        ["--input-type=module", "--eval", script],
        { encoding: "utf8", env: { DBUS_SESSION_BUS_ADDRESS: "unix:path=/nonexistent" } },
      );

      expect({ stdout, stderr }).toEqual({ stdout: "missing\nmissing\nmissing\n", stderr: "" });
    },
  );
});
