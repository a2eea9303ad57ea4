import { expect, it } from "vitest";

import { nameSource } from "../../src/pricing/source-names.ts";

const LINK = "https://user:key@bayi.example.com:8443/dis/a%20b.xml.gz?token=GIZLI#x";

it.each([
  [{ file: "/ev/besleme/acme.xml" }, ["acme.xml", "acme"]],
  [{ file: "acme.csv.gz", profile: "Acme A.Ş." }, ["Acme A.Ş.", "acme.csv.gz", "acme.csv", "acme"]],
  [
    { file: LINK },
    [
      "https://bayi.example.com:8443/dis/a%20b.xml.gz",
      "bayi.example.com:8443",
      "bayi.example.com",
      "a%20b.xml.gz",
      "a%20b.xml",
      "a%20b",
      "a b.xml.gz",
      "a b.xml",
      "a b",
    ],
  ],
  [{ file: "sftp://bayi.example.com" }, ["sftp://bayi.example.com/", "bayi.example.com"]],
  [{ file: "https://x.example/%E0%A4%A" }, expect.arrayContaining(["x.example", "%E0%A4%A"])],
])("names %o", (source, names) => {
  expect(nameSource(source)).toEqual(names);
});
