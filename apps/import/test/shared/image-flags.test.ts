import { describe, expect, it } from "vitest";

import { toPictureOptions, toPicturesAgain } from "../../src/shared/image-flags.ts";

const resolve = (path: string): string => `/files/${path}`;

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
      source: "/files/b",
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

describe("toPicturesAgain", () => {
  const pictures = {
    mode: "warn",
    source: "/config/a",
    allowHosts: ["a"],
    send: "object",
  } as const;
  const kept = { mode: "strict", source: "/files/b.zip", allowHosts: ["a", "b"] } as const;

  it("asks as the run was asked for, and lets what was there then be gone", () => {
    const progress = { reading: { pictures: kept } };

    expect(toPicturesAgain({ resolve, pictures }, {}, progress)).toEqual({
      mode: "strict",
      source: "/files/b.zip",
      allowHosts: ["a", "b"],
      isAgain: false,
      send: "object",
      maySourceBeGone: true,
    });
  });

  it("lets flags beat that; a folder that is named now has to be there", () => {
    const flags = { images: "warn", "images-dir": "c", "allow-host": ["c"] };
    const progress = { reading: { pictures: kept } };

    expect(toPicturesAgain({ resolve, pictures }, flags, progress)).toMatchObject({
      mode: "warn",
      source: "/files/c",
      allowHosts: ["a", "b", "c"],
      maySourceBeGone: false,
    });
  });

  it("asks as the configuration file says where the run kept nothing", () => {
    expect(toPicturesAgain({ resolve, pictures }, {}, {})).toMatchObject({
      mode: "warn",
      source: "/config/a",
    });
  });
});
