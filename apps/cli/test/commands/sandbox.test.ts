import { describe, expect, it } from "vitest";

import { createCliHarness, openSandbox } from "../helpers/cli-harness.ts";

describe("catalog sandbox", () => {
  it.each([
    ["tr", "numaralı portu başka bir program kullanıyor; başka bir --port verin"],
    ["en", "is used by another program; give another --port"],
  ])("refuses a port in use with the next step (%s)", async (lang, words) => {
    const { port } = new URL((await openSandbox()).baseUrl);

    const { exit, err } = await createCliHarness().run("sandbox", "--port", port, "--lang", lang);

    expect(exit).toBe(2);
    expect(err).toContain(port);
    expect(err).toContain(words);
    expect(err.trim().split("\n")).toHaveLength(1);
  });

  it.each([
    ["--port", "abc", "Give --port a whole number from 0 to 65535, or leave it out"],
    ["--port", "99999", "Give --port a whole number from 0 to 65535, or leave it out"],
    ["--port", "-1", "Give --port a whole number from 0 to 65535, or leave it out"],
    ["--products", "abc", "Give --products a whole number from 0 up."],
    ["--latency-ms", "1.5", "Give --latency-ms a whole number from 0 up."],
    ["--requests-per-hour", "abc", "Give --requests-per-hour a whole number from 1 up."],
  ])("refuses %s %s, naming the flag as it is typed", async (flag, value, words) => {
    const { exit, err } = await createCliHarness().run("sandbox", flag, value, "--lang", "en");

    expect(exit).toBe(2);
    expect(err).toContain(words);
    expect(err.trim().split("\n")).toHaveLength(1);
  });

  it("refuses a fault that it cannot have", async () => {
    const fault = "error-before:status=400";

    const { exit, err } = await createCliHarness().run("sandbox", "--fault", fault, "--lang", "en");

    expect(exit).toBe(2);
    expect(err).toContain("The sandbox cannot be opened like this: status of the fault");
  });
});
