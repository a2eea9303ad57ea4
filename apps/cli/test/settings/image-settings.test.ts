import { describe, expect, it } from "vitest";

import { imageConfigSchema, toImageOptions } from "../../src/settings/image-settings.ts";

const AROUND = { env: {}, folder: "/proje" };

describe("toImageOptions", () => {
  it("leaves out limits that are not set, so that their defaults hold", () => {
    const options = toImageOptions(
      { check: "warn", minEdge: 500, prepare: { quality: 90 } },
      AROUND,
    );

    expect(options).toMatchObject({
      mode: "warn",
      rules: { minEdge: 500 },
      prepare: { quality: 90 },
    });
    expect(Object.keys(options.rules ?? {})).toEqual(["minEdge"]);
  });

  it("gives an upload program the environment without the program's own variables", () => {
    const env = {
      PATH: "/bin",
      AWS_PROFILE: "shop",
      CATALOG_CLIENT_SECRET: "s",
      CATALOG_HOME: "h",
    };

    const { upload } = toImageOptions(
      { upload: { command: ["up", "{file}"] } },
      { ...AROUND, env },
    );

    expect(upload).toEqual({
      kind: "command",
      command: ["up", "{file}"],
      folder: "/proje",
      env: { PATH: "/bin", AWS_PROFILE: "shop" },
    });
  });

  it("reads the token of an upload by PUT from the environment only", () => {
    const put = "https://img.example/{sha256}.jpg";
    const env = { CATALOG_UPLOAD_TOKEN: "t-1" };

    const { upload } = toImageOptions({ upload: { put } }, { ...AROUND, env });

    expect(upload).toEqual({ kind: "put", put, address: undefined, token: "t-1" });
  });
});

describe("the images part of the configuration file", () => {
  it.each([
    { check: "sometimes" },
    { send: "fax" },
    { minEdge: 0 },
    { maxAspect: 0.5 },
    { upload: { put: "ftp://img.example/" } },
    { upload: { command: [] } },
    { upload: { put: "https://img.example/", token: "secret" } },
    { allowHost: ["typo"] },
  ])("refuses %j", (config) => {
    expect(imageConfigSchema.safeParse(config).success).toBe(false);
  });
});
