import { describe, expect, it } from "vitest";

import { toPictureOptions } from "../src/picture-flags.ts";

const resolve = (path: string): string => `/work/${path}`;

describe("toPictureOptions", () => {
  it("asks for nothing where nothing is said", () => {
    expect(toPictureOptions({ resolve }, {})).toEqual({
      mode: undefined,
      source: undefined,
      allowHosts: [],
      isAgain: false,
    });
  });

  it("lets flags beat the configuration file, and allows the hosts of both", () => {
    const pictures = {
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

    expect(toPictureOptions({ resolve, pictures }, flags)).toEqual({
      mode: "warn",
      source: "/work/b",
      allowHosts: ["a", "b:81"],
      isAgain: true,
      send: "object",
    });
    expect(toPictureOptions({ resolve, pictures }, {})).toMatchObject({
      mode: "strict",
      source: "/config/a",
    });
  });
});
