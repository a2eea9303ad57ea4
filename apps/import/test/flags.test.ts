import type { Connection, ConnectionOverrides } from "@catalog/connection";
import { describe, expect, it } from "vitest";

import {
  FILE_FLAGS,
  LIMIT_FLAGS,
  toImageOptions,
  toRetryImageOptions,
  UNKNOWN_FLAG,
} from "../src/flags.ts";
import { openForRun } from "../src/run-settings.ts";
import { type CommandHarness, createCommandHarness } from "./helpers/command-harness.ts";
import { createRun } from "./helpers/run-parts.ts";

describe("the flags", () => {
  it("are described in both languages", () => {
    const described = Object.entries({ ...FILE_FLAGS, ...LIMIT_FLAGS, ...UNKNOWN_FLAG });

    for (const [name, { describe: words }] of described) {
      expect([name, words.tr.length > 3, words.en.length > 3]).toEqual([name, true, true]);
      expect(words.tr).not.toBe(words.en);
    }
  });

  it("have the least surprising defaults", () => {
    const flags = { ...FILE_FLAGS, ...LIMIT_FLAGS, ...UNKNOWN_FLAG };
    const defaults = Object.entries(flags).flatMap(([name, flag]) =>
      flag.default === undefined ? [] : [[name, flag.default]],
    );

    expect(Object.fromEntries(defaults)).toEqual({
      mode: "upsert",
      properties: "send",
      report: "catalog-results/{run}",
    });
  });
});

const resolve = (path: string): string => `/files/${path}`;

describe("toImageOptions", () => {
  it("asks for nothing without flags and configuration file", () => {
    expect(toImageOptions({ resolve }, {})).toEqual({
      mode: undefined,
      source: undefined,
      allowHosts: [],
      isAgain: false,
    });
  });

  it("lets flags override the configuration file, and allows the hosts of both", () => {
    const images = {
      mode: "strict",
      source: "/config/a",
      allowHosts: ["a"],
      send: "object",
    } as const;
    const flags = {
      images: "warn",
      "images-dir": "b",
      "allow-host": ["b:81"],
      "images-again": true,
    };

    expect(toImageOptions({ resolve, images }, flags)).toEqual({
      mode: "warn",
      source: "/files/b",
      allowHosts: ["a", "b:81"],
      isAgain: true,
      send: "object",
    });
    expect(toImageOptions({ resolve, images }, {})).toMatchObject({
      mode: "strict",
      source: "/config/a",
    });
  });
});

describe("toRetryImageOptions", () => {
  const images = {
    mode: "warn",
    source: "/config/a",
    allowHosts: ["a"],
    send: "object",
  } as const;
  const kept = { mode: "strict", source: "/files/b.zip", allowHosts: ["a", "b"] } as const;

  it("uses the run's settings, and accepts that its image files are missing now", () => {
    const progress = { reading: { pictures: kept } };

    expect(toRetryImageOptions({ resolve, images }, {}, progress)).toEqual({
      mode: "strict",
      source: "/files/b.zip",
      allowHosts: ["a", "b"],
      isAgain: false,
      send: "object",
      maySourceBeGone: true,
    });
  });

  it("lets flags override the run's settings; a folder named now must exist", () => {
    const flags = { images: "warn", "images-dir": "c", "allow-host": ["c"] };
    const progress = { reading: { pictures: kept } };

    expect(toRetryImageOptions({ resolve, images }, flags, progress)).toMatchObject({
      mode: "warn",
      source: "/files/c",
      allowHosts: ["a", "b", "c"],
      maySourceBeGone: false,
    });
  });

  it("uses the configuration file when the run has no settings", () => {
    expect(toRetryImageOptions({ resolve, images }, {}, {})).toMatchObject({
      mode: "warn",
      source: "/config/a",
    });
  });
});

/** A store with a run that was asked for at two calls at a time, and 600 an hour. */
async function openStored(): Promise<CommandHarness> {
  const harness = createCommandHarness();
  await using connection = await harness.open();
  const { id, command, file, mode, lang, reportDir, warnings } = createRun();
  await connection.runs.create({ id, command, file, mode, lang, reportDir, warnings });
  await connection.runs.update(id, { settings: { concurrency: 2, requestsPerHour: 600 } });
  return harness;
}

describe("openForRun", () => {
  it("opens the database once, at the pace that the run was asked for with", async () => {
    const { context } = await openStored();
    let opened = 0;
    const openConnection = async (overrides?: ConnectionOverrides): Promise<Connection> => {
      opened += 1;
      return await context.openConnection(overrides);
    };

    await using connection = await openForRun(
      { ...context, openConnection },
      { run: createRun().id },
    );

    expect(opened).toBe(1);
    const { concurrency, meters } = connection;
    expect([concurrency, await meters.pacing.callsPerHour()]).toEqual([2, 600]);
  });

  it("prefers the pace that the flags say", async () => {
    const { context } = await openStored();

    await using connection = await openForRun(context, { run: createRun().id, concurrency: 3 });

    const { concurrency, meters } = connection;
    expect([concurrency, await meters.pacing.callsPerHour()]).toEqual([3, 600]);
  });

  it("opens the store for a run that it does not know, so that the command can name its store", async () => {
    const { context } = createCommandHarness();

    await using connection = await openForRun(context, { run: "r-yok" });

    expect(await connection.runs.read("r-yok")).toBeUndefined();
  });
});
