import { describe, expect, it } from "vitest";

import { createWorkplace } from "../../helpers/cli-harness.ts";

describe("catalog completion", () => {
  it.each(["bash", "zsh"])("prints the script for %s alone", async (shell) => {
    const { exit, out, err } = await createWorkplace().run("completion", shell);

    expect({ exit, err }).toEqual({ exit: 0, err: "" });
    expect(out).toContain("catalog --complete");
    expect(out).toContain(shell === "zsh" ? "compdef" : "complete -F");
  });

  it("prints one document", async () => {
    const { out } = await createWorkplace().run("completion", "bash", "--json");

    expect(JSON.parse(out)).toMatchObject({ command: "completion", shell: "bash", exit: 0 });
  });

  it.each([[["fish"]], [[]]])("refuses what there is no script for: %j", async (words) => {
    const { exit, err } = await createWorkplace().run("completion", ...words);

    expect(exit).toBe(2);
    expect(err).toContain("--help");
  });
});

describe("catalog --complete", () => {
  it("knows every command", async () => {
    const { exit, out } = await createWorkplace().run("--complete", "");

    expect(exit).toBe(0);
    expect(out.split("\n")).toEqual(
      expect.arrayContaining(["import", "lookup", "login", "doctor", "completion"]),
    );
  });

  it("says nothing, and makes nothing, where no store is known", async () => {
    const place = createWorkplace();

    expect(await place.run("--complete", "report", "")).toEqual({ exit: 0, out: "", err: "" });
  });

  it("stays silent about a configuration file that cannot be used", async () => {
    const place = createWorkplace({ files: { "catalog.config.json": "no json" } });

    expect(await place.run("--complete", "report", "")).toEqual({ exit: 0, out: "", err: "" });
  });
});
