import { readFileSync } from "node:fs";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { join } from "node:path";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";

import { systemClock } from "@catalog/clock";
import { describe, expect, it } from "vitest";

import { downloadFile, type DownloadFileOptions } from "../../src/guard/download-file.ts";
import { type DownloadLogin, loginRules } from "../../src/guard/download-login.ts";
import { FetchError } from "../../src/guard/fetch-error.ts";
import { openGuardedFetch } from "../../src/guard/guarded-fetch.ts";
import { trustCertificate } from "../helpers/certificate.ts";
import { serve, serveSecurely } from "../helpers/serve.ts";
import { createFolder } from "../helpers/temporary-folder.ts";

const SECRET = "pärola-CANARY:7!";

const BASIC: DownloadLogin = { kind: "basic", user: "bayi42", secret: SECRET };

const TOKEN: DownloadLogin = { kind: "bearer", secret: "token-CANARY" };

interface Tried {
  readonly path: string;
  readonly error: FetchError | undefined;
}

async function download(
  address: string,
  options: Partial<DownloadFileOptions> & { readonly login?: DownloadLogin },
): Promise<Tried> {
  const path = join(createFolder(), "feed");
  const given = { clock: systemClock, findLogin: async () => options.login, retries: 0 };
  try {
    await downloadFile({ ...given, ...options, address, path });
    return { path, error: undefined };
  } catch (error) {
    if (error instanceof FetchError) return { path, error };
    throw error;
  }
}

const pair = (user: string, secret: string): string =>
  `Basic ${Buffer.from(`${user}:${secret}`, "utf8").toString("base64")}`;

const LOGINS: readonly (readonly [DownloadLogin, string, string])[] = [
  [BASIC, "authorization", pair("bayi42", SECRET)],
  [TOKEN, "authorization", "Bearer token-CANARY"],
  [{ kind: "header", name: "X-Api-Key", secret: "key-CANARY" }, "x-api-key", "key-CANARY"],
];

const resolveHere = async (): Promise<{ address: string; family: number }[]> => [
  { address: "127.0.0.1", family: 4 },
];

/** Headers that could hold the secret, as they came. */
const listHeaders = (requests: readonly IncomingMessage[]): string =>
  JSON.stringify(requests.map(({ rawHeaders }) => rawHeaders));

describe("the login of a download", () => {
  it.each(LOGINS)("opens an address with %o", async (login, header, value) => {
    const server = await serve((request, response) => {
      if (request.headers[header] === value) response.end("Kod;Stok\nA-1;5\n");
      else response.writeHead(401).end();
    });
    const address = `${server.origin}/xml/stok.csv?key=1`;

    const opened = await download(address, { login, allowHosts: [server.host] });

    expect(opened.error).toBeUndefined();
    expect(readFileSync(opened.path, "utf8")).toBe("Kod;Stok\nA-1;5\n");
  });

  it.each([302, 307, 308])("goes to no other server after a %i", async (status) => {
    const other = await serve((request, response) => {
      if (request.url === "/back") response.writeHead(status, { location: `${first.origin}/end` });
      response.end("Kod;Stok\n");
    });
    const first = await serve((request, response) => {
      if (request.url === "/away") response.writeHead(status, { location: `${other.origin}/end` });
      if (request.url === "/turn") response.writeHead(status, { location: `${other.origin}/back` });
      if (request.url === "/near") response.writeHead(status, { location: "/end" });
      response.end("Kod;Stok\n");
    });
    const allowHosts = [first.host, other.host];
    for (const [login, header] of LOGINS) {
      const sent = async (path: string): Promise<readonly boolean[]> => {
        const before = first.requests.length;
        const { error } = await download(`${first.origin}${path}`, { login, allowHosts });
        expect(error).toBeUndefined();
        return first.requests.slice(before).map(({ headers }) => headers[header] !== undefined);
      };

      expect(await sent("/away")).toEqual([true]);
      // The other server has chosen the address that it leads back to.
      expect(await sent("/turn")).toEqual([true, false]);
      expect(await sent("/near")).toEqual([true, true]);
    }
    expect(other.requests).toHaveLength(6);
    expect(listHeaders(other.requests)).not.toMatch(/CANARY|authorization|api-key|YmF5aTQy/iu);
  });

  it("names the command where the server lets nobody in, and no secret", async () => {
    const server = await serve((_, response) => {
      response.writeHead(401, { "www-authenticate": 'Basic realm="CANARY"' }).end("CANARY");
    });
    const address = `${server.origin}/xml/stok.csv?key=CANARY`;
    const allowHosts = [server.host];

    const unknown = await download(address, { allowHosts });
    const refused = await download(address, { allowHosts, login: BASIC });

    expect([unknown.error?.code, refused.error?.code]).toEqual([
      "E_FETCH_LOGIN",
      "E_FETCH_LOGIN_REFUSED",
    ]);
    for (const error of [unknown.error, refused.error]) {
      expect(error?.message).toContain(`catalog feed login ${server.origin}/xml/stok.csv`);
      expect(error?.message).not.toContain("?");
      expect(`${error?.stack}${JSON.stringify(error)}${String(error?.cause)}`).not.toContain(
        "CANARY",
      );
    }
  });

  it("is not sent unencrypted to a server of the internet", async () => {
    const server = await serve((_, response) => response.end("Kod;Stok\n"));
    await using guard = openGuardedFetch({ resolve: resolveHere });

    const outcome = guard.fetch(`http://feeds.example:80/`, { login: TOKEN });

    await expect(outcome).rejects.toMatchObject({ code: "E_URL_LOGIN_PLAIN" });
    expect(server.connections()).toBe(0);
  });
});

it.each([
  ["https://a.example/xml/stok.csv?key=1#x", "https://a.example/xml/"],
  ["HTTPS://A.Example:443/stok.csv", "https://a.example/"],
  ["https://a.example", "https://a.example/"],
  ["https://a.example:8443/b/", "https://a.example:8443/b/"],
  ["sftp://A.example", "sftp://a.example/"],
])("a login of %s is for %s", (address, scope) => {
  expect(loginRules.scopeOf(address)).toBe(scope);
  expect(loginRules.isInScope(scope, address)).toBe(true);
});

it.each([
  ["https://a.example/xml/", "https://a.example/xml/../other"],
  ["https://a.example/xml/", "https://a.example/xmlother/stok.csv"],
  ["https://a.example/", "https://a.example.evil.example/"],
  ["https://a.example/", "https://a.example@evil.example/"],
  ["https://a.example/", "http://a.example/"],
  ["https://a.example/", "https://a.example:8443/"],
])("a login of %s is not for %s", (scope, address) => {
  expect(loginRules.isInScope(scope, address)).toBe(false);
});

it.each<[DownloadLogin, boolean]>([
  [BASIC, true],
  [{ kind: "basic", user: "a:b", secret: "c" }, false],
  [{ kind: "basic", user: "", secret: "c" }, false],
  [{ kind: "bearer", secret: "a\r\nHost: evil" }, false],
  [{ kind: "bearer", secret: "" }, false],
  [{ kind: "header", name: "X-Api-Key", secret: "a b" }, true],
  [{ kind: "header", name: "X Api", secret: "a" }, false],
  [{ kind: "header", name: "Host", secret: "evil.example" }, false],
])("%o can be sent: %s", (login, expected) => {
  expect(loginRules.isSendable(login)).toBe(expected);
});

const TABLE = `Kod;Stok\n${"A-1;5\n".repeat(2_000)}`;

describe("a packed answer", () => {
  it.each([
    ["gzip", gzipSync(TABLE)],
    ["x-gzip", gzipSync(TABLE)],
    ["deflate", deflateSync(TABLE)],
    ["br", brotliCompressSync(TABLE)],
    ["identity", Buffer.from(TABLE)],
  ])("is unpacked: %s", async (encoding, body) => {
    const server = await serve((_, response) => {
      response.writeHead(200, { "content-encoding": encoding }).end(body);
    });

    const { path, error } = await download(`${server.origin}/`, { allowHosts: [server.host] });

    expect(error).toBeUndefined();
    expect(readFileSync(path, "utf8")).toBe(TABLE);
  });

  const whole = gzipSync(TABLE);
  const REFUSED: readonly (readonly [string, string, string, Buffer])[] = [
    ["E_FETCH_CUT", "ends in the middle", "gzip", whole.subarray(0, whole.length - 20)],
    ["E_FETCH_ENCODING", "is not packed at all", "gzip", Buffer.from(TABLE)],
    ["E_FETCH_ENCODING", "is not packed at all", "br", Buffer.from(TABLE)],
    ["E_FETCH_ENCODING", "is packed in an unknown way", "zstd", Buffer.from(TABLE)],
    ["E_FETCH_SIZE", "is a bomb", "gzip", gzipSync(Buffer.alloc(80 * 1024 * 1024))],
  ];
  it.each(REFUSED)("is refused as %s where it %s (%s)", async (code, _, encoding, body) => {
    const answer = (response: ServerResponse): void => {
      response.writeHead(200, { "content-encoding": encoding }).end(body);
    };
    const server = await serve((_request, response) => answer(response));

    const options = { allowHosts: [server.host], limits: { downloadMb: 20 } };
    const { error } = await download(`${server.origin}/`, options);

    expect(error?.code).toBe(code);
  });
});

const answerOrRedirect: RequestListener = (request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? "/", "https://localhost");
  if (pathname === "/to") {
    response.writeHead(302, { location: searchParams.get("address") ?? "" }).end();
  } else response.end("Kod;Stok\n");
};

describe("a server of https", () => {
  it("gets the login, and no other server that it redirects to", async () => {
    trustCertificate();
    const [first, other] = [
      await serveSecurely(answerOrRedirect),
      await serveSecurely(answerOrRedirect),
    ];
    const plain = await serve(answerOrRedirect);
    const allowHosts = [first.host, other.host, plain.host];
    const login = { kind: "header", name: "X-Api-Key", secret: "key-CANARY" } as const;
    const open = async (path: string): Promise<string | undefined> =>
      (await download(`${first.origin}${path}`, { login, allowHosts })).error?.code;

    const codes = [
      await open("/stok.csv"),
      await open(`/to?address=${other.origin}/stok.csv`),
      await open(`/to?address=${first.origin}/stok.csv`),
      await open(`/to?address=${plain.origin}/stok.csv`),
    ];

    expect(codes).toEqual([undefined, undefined, undefined, "E_URL_REDIRECT"]);
    expect(first.requests.map(({ headers }) => headers["x-api-key"])).toEqual(
      Array.from({ length: 5 }, () => "key-CANARY"),
    );
    expect(listHeaders(other.requests)).not.toMatch(/CANARY|api-key/iu);
    expect([other.requests.length, plain.requests.length]).toEqual([1, 0]);
  });

  it("gets no request where its certificate is not believed, and is said to have a bad one", async () => {
    const server = await serveSecurely(answerOrRedirect);

    const { error } = await download(`${server.origin}/`, {
      login: BASIC,
      allowHosts: [server.host],
    });

    expect([error?.code, server.requests]).toEqual(["E_FETCH_CERTIFICATE", []]);
  });
});
