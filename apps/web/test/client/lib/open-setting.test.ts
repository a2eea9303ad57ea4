import { expect, it } from "vitest";

import { isOpenSetting } from "../../../client/steps/file/file-step.tsx";

it("asks for the setting that keeps a file from being read, and for no other one", () => {
  const encoding = { problem: { code: "E_ENCODING", message: "" } };

  expect(isOpenSetting(encoding, "encoding")).toBe(true);
  expect(isOpenSetting(encoding, "delimiter")).toBe(false);
  expect(isOpenSetting({ problem: null }, "sheet")).toBe(false);
});
