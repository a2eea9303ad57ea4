import { expect, it } from "vitest";

import { takeEnvironment } from "../../src/settings/environment.ts";

it("takes the program's variables out of the environment, and copies the others", () => {
  const variables = {
    PATH: "/bin",
    CATALOG_CLIENT_SECRET: "SECRET-CANARY",
    Catalog_Upload_Token: "TOKEN-CANARY",
    LANG: undefined,
  };

  const taken = takeEnvironment(variables);

  expect(variables).toEqual({ PATH: "/bin", LANG: undefined });
  expect(taken).toEqual({
    PATH: "/bin",
    CATALOG_CLIENT_SECRET: "SECRET-CANARY",
    CATALOG_UPLOAD_TOKEN: "TOKEN-CANARY",
    LANG: undefined,
  });
});
