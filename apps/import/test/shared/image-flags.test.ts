import { describe, expect, it } from "vitest";

import { toImageOptions, toRetryImageOptions } from "../../src/flags.ts";

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
