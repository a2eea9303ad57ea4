import { spawnSync } from "node:child_process";

import { describe, expect, it } from "vitest";

import { SOURCE_PATHS, toAbsolutePath } from "../../../../test/helpers/source-paths.ts";

const KEYRING = toAbsolutePath(SOURCE_PATHS.keyring);

describe("the system's keyring", () => {
  // Elsewhere there is always one, and a test has no business in it.
  it.runIf(process.platform === "linux")(
    "is missing without a desktop session, rather than one that is empty after a restart",
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
