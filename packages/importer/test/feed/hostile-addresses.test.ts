import { systemClock } from "@catalog/clock";
import { createTestConnection } from "@catalog/connection/testing";
import { readHostKey } from "@catalog/images";
import { formatRules, parseRules } from "@catalog/pricing";
import { expect, it } from "vitest";

import { assertFeedAddress, createFeedFetch } from "../../src/feed/feed-file.ts";
import { nameOfFeed } from "../../src/feed/feed-name.ts";
import { createTableDownload } from "../../src/file/open-table.ts";
import { planFile } from "../../src/plan/plan-file.ts";
import { nameSource } from "../../src/pricing/source-names.ts";

const ADDRESSES = [
  "https://bayi:CANARY@bad host/stok.csv",
  "https://bayi:CAN/CANARY@bayi.example/stok.csv",
  "https://bayi:CANARY?p@bayi.example/stok.csv",
  "https://bayi:CANARY#p@bayi.example/stok.csv",
  "https://bayi.example:port/stok.csv?key=CANARY",
  "https://bad host/stok.csv?mail=a@b.example&key=CANARY",
  "sftp://bayi:CAN/CANARY@bayi.example/stok.csv",
  "ftps://bayi:CANARY@[bayi.example/stok.csv",
  "htps://bayi:CANARY@bayi.example/stok.csv?key=CANARY",
  "bayi:CANARY@bayi.example/stok.csv",
  `https://bayi:CANARY@${"@".repeat(200)} /stok.csv`,
];

const textOf = (error: unknown): string =>
  error instanceof Error ? JSON.stringify([error.message, Object.values(error)]) : "";

/** What an action throws, in both languages and with all that is kept of it. */
const refusalOf = async (action: () => unknown): Promise<string> => {
  try {
    await action();
  } catch (error) {
    return textOf(error);
  }
  return "";
};

it.each(ADDRESSES)("shows no secret of %s", async (address) => {
  const fetch = createFeedFetch({ clock: systemClock, allowHosts: [], retries: 0 });

  const refusals = [
    await refusalOf(() => fetch({ address, etag: undefined, lastModified: undefined })),
    await refusalOf(() => readHostKey({ address, clock: systemClock, allowHosts: [] })),
    await refusalOf(() => assertFeedAddress(address)),
  ];
  const rules = parseRules({ row: 1, cells: ["Tedarikçi", "Markup %"] }, [
    { row: 2, cells: [address, "5"] },
  ]);
  const shown = [
    ...refusals,
    nameOfFeed(address),
    nameSource({ file: address }),
    rules.ok ? formatRules(rules.rules, "en") : rules.problems,
  ];

  expect(refusals.every((text) => text.includes("E_FEED_ADDRESS") || text.includes("E_URL_"))).toBe(
    true,
  );
  expect(JSON.stringify(shown)).not.toContain("CANARY");
});

it("shows no secret of a table's address that cannot be opened", async () => {
  const { connection } = await createTestConnection({ baseUrl: "https://market.example" });
  const download = createTableDownload({ folder: "/nowhere", clock: systemClock, retries: 0 });
  const options = { command: "plan", lang: "en", mode: "upsert", reportDir: "" } as const;

  const refusals = [];
  for (const path of ADDRESSES) {
    refusals.push(await refusalOf(() => planFile(connection, { ...options, path, download })));
  }

  expect(refusals.filter((text) => !text.includes("E_TABLE_DOWNLOAD"))).toEqual([]);
  expect(refusals.join("\n")).not.toContain("CANARY");
});
