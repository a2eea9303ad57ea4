import { describe, expect, it } from "vitest";

import { createCliHarness } from "../../helpers/cli-harness.ts";

describe("catalog completion", () => {
  it.each(["bash", "zsh"])("prints only the script for %s", async (shell) => {
    const { exit, out, err } = await createCliHarness().run("completion", shell);

    expect({ exit, err }).toEqual({ exit: 0, err: "" });
    expect(out).toContain("catalog --complete");
    expect(out).toContain(shell === "zsh" ? "compdef" : "complete -F");
  });

  it("prints one document", async () => {
    const { out } = await createCliHarness().run("completion", "bash", "--json");

    expect(JSON.parse(out)).toMatchObject({ command: "completion", shell: "bash", exit: 0 });
  });

  it.each([[["fish"]], [[]]])("refuses a shell without a script: %j", async (words) => {
    const { exit, err } = await createCliHarness().run("completion", ...words);

    expect(exit).toBe(2);
    expect(err).toContain("--help");
  });
});

describe("catalog --complete", () => {
  it("completes every command", async () => {
    const { exit, out } = await createCliHarness().run("--complete", "");

    expect(exit).toBe(0);
    expect(out.split("\n")).toEqual(
      expect.arrayContaining(["import", "lookup", "login", "doctor", "completion"]),
    );
  });

  it("prints nothing and creates nothing when no store is configured", async () => {
    const harness = createCliHarness();

    expect(await harness.run("--complete", "report", "")).toEqual({ exit: 0, out: "", err: "" });
  });

  it("prints no error for an unusable configuration file", async () => {
    const harness = createCliHarness({ files: { "catalog.config.json": "no json" } });

    expect(await harness.run("--complete", "report", "")).toEqual({ exit: 0, out: "", err: "" });
  });
});
