import { EXIT } from "@catalog/console";
import { expect, it } from "vitest";

import { describeFailure } from "../../../src/commands/sync/failure.ts";
import { textsFor } from "../../../src/commands/sync/texts.ts";

it("a feed that may not be read is told, and the next sync tries again", () => {
  const cause = Object.assign(new Error("EACCES: permission denied, open '/f/stok.csv'"), {
    code: "EACCES",
    syscall: "open",
    path: "/f/stok.csv",
  });

  expect(describeFailure(cause, { lang: "tr", texts: textsFor("tr") })).toEqual({
    exit: EXIT.nothingSent,
    code: "E_FILE_ACCESS",
    text: expect.stringContaining("/f/stok.csv: erişim izni yok"),
  });
});

it("a bug is none of those", () => {
  const failure = describeFailure(new TypeError("x"), { lang: "tr", texts: textsFor("tr") });

  expect(failure).toBeUndefined();
});
