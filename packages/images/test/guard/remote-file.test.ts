import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { systemClock } from "@catalog/clock";
import { describe, expect, it } from "vitest";

import { downloadFile, type DownloadFileOptions } from "../../src/guard/download-file.ts";
import type { DownloadLogin } from "../../src/guard/download-login.ts";
import { FetchError } from "../../src/guard/fetch-error.ts";
import { readHostKey } from "../../src/guard/remote-file.ts";
import { trustCertificate } from "../helpers/certificate.ts";
import { serveFtps } from "../helpers/ftps-server.ts";
import { createUserKey, type FileServer, PASSWORD, serveSftp } from "../helpers/sftp-server.ts";
import { createFolder } from "../helpers/temporary-folder.ts";

const TABLE = Buffer.from(`Kod;Stok\n${"A-1;5\n".repeat(200_000)}`);
const WRITTEN_S = Math.floor(Date.now() / 1000) - 3600;

interface Downloaded {
  readonly status: number | undefined;
  readonly code: string | undefined;
  readonly error: FetchError | undefined;
  readonly etag: string | undefined;
  readonly lastModified: string | undefined;
  readonly path: string;
}

async function download(
  address: string,
  { host }: Pick<FileServer, "host">,
  options: Partial<DownloadFileOptions> & { readonly login?: DownloadLogin } = {},
): Promise<Downloaded> {
  const path = join(createFolder(), "feed");
  const { login } = options;
  const given = { clock: systemClock, allowHosts: [host], retries: 0 };
  try {
    const answer = await downloadFile({
      ...given,
      findLogin: async () => login,
      ...options,
      address,
      path,
    });
    return { ...answer, path, code: undefined, error: undefined };
  } catch (error) {
    if (!(error instanceof FetchError)) throw error;
    const nothing = { status: undefined, etag: undefined, lastModified: undefined };
    return { ...nothing, path, code: error.code, error };
  }
}

const loginOf = ({ hostKey }: FileServer): DownloadLogin => ({
  kind: "basic",
  user: "bayi42",
  secret: PASSWORD,
  hostKey,
});

const SERVERS = {
  sftp: async () => await serveSftp(),
  ftps: async () => {
    trustCertificate();
    return await serveFtps();
  },
} as const;

describe.each(["sftp", "ftps"] as const)("a file of an %s server", (scheme) => {
  const open = async (): Promise<{ readonly server: FileServer; readonly origin: string }> => {
    const server = await SERVERS[scheme]();
    server.files.set("/out/stok.csv", { content: TABLE, modifiedS: WRITTEN_S });
    return { server, origin: `${scheme}://127.0.0.1:${server.port}` };
  };

  it("is downloaded with a login, and is not downloaded again while it is the same", async () => {
    const { server, origin } = await open();
    const login = loginOf(server);

    const first = await download(`${origin}/out/stok.csv`, server, { login });
    const again = await download(`${origin}/out/stok.csv`, server, { login, etag: first.etag });
    server.files.set("/out/stok.csv", { content: TABLE.subarray(7), modifiedS: WRITTEN_S + 1 });
    const changed = await download(`${origin}/out/stok.csv`, server, { login, etag: first.etag });

    expect([first.code, first.status, again.status, changed.status]).toEqual([
      undefined,
      200,
      304,
      200,
    ]);
    expect(readFileSync(first.path).equals(TABLE)).toBe(true);
    expect(Date.parse(first.lastModified ?? "")).toBe(WRITTEN_S * 1000);
    expect(new Set(server.logins)).toEqual(new Set([`bayi42:${PASSWORD}`]));
  });

  it("is the newest table of a folder", async () => {
    const { server, origin } = await open();
    const older = { content: Buffer.from("x"), modifiedS: WRITTEN_S - 60 };
    server.files.set("/out/stok-1.csv", older);
    server.files.set("/out/~stok.csv", { ...older, modifiedS: WRITTEN_S + 60 });
    server.files.set("/out/stok.csv.part", { ...older, modifiedS: WRITTEN_S + 60 });

    const { path, code } = await download(`${origin}/out/`, server, { login: loginOf(server) });

    expect(code).toBeUndefined();
    expect(readFileSync(path).equals(TABLE)).toBe(true);
  });

  it("is refused where the server is cut off in the middle, and downloaded the next time", async () => {
    const { server, origin } = await open();
    const login = loginOf(server);
    server.cutAfterBytes = 300_000;

    const cut = await download(`${origin}/out/stok.csv`, server, { login });
    let isCut = true;
    const onRetry = (): void => {
      if (isCut) server.cutAfterBytes = Infinity;
      isCut = false;
    };
    const retried = await download(`${origin}/out/stok.csv`, server, {
      login,
      retries: 1,
      onRetry,
    });

    expect([cut.code, retried.status]).toEqual(["E_FETCH_CUT", 200]);
    expect(readFileSync(retried.path).equals(TABLE)).toBe(true);
  });

  it("is refused where it changes while it is read", async () => {
    const { server, origin } = await open();
    server.onRead = () => {
      server.files.set("/out/stok.csv", { content: TABLE, modifiedS: WRITTEN_S + 5 });
    };

    const { code } = await download(`${origin}/out/stok.csv`, server, { login: loginOf(server) });

    expect(code).toBe("E_FETCH_CHANGING");
  });

  it("is refused over the limit of sizes, and where it is not there", async () => {
    const { server, origin } = await open();
    const login = loginOf(server);
    server.files.set("/empty/oku.txt", { content: TABLE, modifiedS: WRITTEN_S });

    const codes = [
      await download(`${origin}/out/stok.csv`, server, { login, limits: { downloadMb: 1 } }),
      await download(`${origin}/out/none.csv`, server, { login }),
      await download(`${origin}/empty/`, server, { login }),
    ].map(({ code }) => code);

    expect(codes).toEqual(["E_FETCH_SIZE", "E_FETCH_MISSING", "E_FETCH_MISSING"]);
  });

  it("is reached with the right login only, at an allowed server only, and by no line break", async () => {
    const { server, origin } = await open();
    const login = loginOf(server);
    const wrong = { ...login, secret: "wrong-CANARY" };
    const nowhere = { host: "elsewhere.example" };
    const bearer = { kind: "bearer", secret: "x" } as const;

    const tried = [
      await download(`${origin}/out/stok.csv`, server, { login: wrong }),
      await download(`${origin}/out/stok.csv`, server),
      await download(`${origin}/out/stok.csv`, server, { login: bearer }),
      await download(`${origin}/out/stok.csv`, nowhere, { login }),
      await download(`${scheme}://127.0.0.1/out/stok.csv`, nowhere, { login }),
      await download(`${origin}/out/stok.csv%0D%0ADELE%20stok.csv`, server, { login }),
      await download(`${scheme}://bayi42:x@${server.host}/out/stok.csv`, server, { login }),
    ];

    expect(tried.map(({ code }) => code)).toEqual([
      "E_FETCH_LOGIN_REFUSED",
      "E_FETCH_LOGIN",
      "E_FETCH_LOGIN",
      "E_URL_PORT",
      "E_URL_PRIVATE",
      "E_URL_FORM",
      "E_URL_CREDENTIALS",
    ]);
    expect(server.logins.every((one) => one === "bayi42:wrong-CANARY")).toBe(true);
    for (const { error } of tried) {
      expect(
        `${error?.stack}${JSON.stringify(error)}${JSON.stringify(error?.localized)}`,
      ).not.toContain("CANARY");
    }
  });
});

describe("an sftp server", () => {
  it("gets no login while its key is unknown, or another one than before", async () => {
    const server = await serveSftp();
    server.files.set("/stok.csv", { content: TABLE, modifiedS: WRITTEN_S });
    const address = `sftp://${server.host}/stok.csv`;
    const { hostKey, ...unknown } = {
      ...loginOf(server),
      kind: "basic" as const,
      user: "bayi42",
      hostKey: server.hostKey,
    };

    const found = await readHostKey({ address, clock: systemClock, allowHosts: [server.host] });
    const first = await download(address, server, { login: unknown });
    const other = await download(address, server, {
      login: { ...unknown, hostKey: "SHA256:other" },
    });

    expect([found, first.code, other.code]).toEqual([
      hostKey,
      "E_FETCH_HOST_KEY",
      "E_FETCH_HOST_KEY_CHANGED",
    ]);
    expect(first.error?.message).toContain(server.hostKey);
    expect(first.error?.message).toContain(`catalog feed login ${address}`);
    expect(server.logins).toEqual([]);
  });

  it.each([undefined, "geheim-CANARY"])("takes a private key (passphrase: %s)", async (phrase) => {
    const key = createUserKey(phrase);
    const server = await serveSftp({ userKey: key.public });
    server.files.set("/stok.csv", { content: TABLE, modifiedS: WRITTEN_S });
    const keyFile = join(createFolder(), "id");
    writeFileSync(keyFile, key.private);
    const login = { kind: "key", user: "bayi42", keyFile, hostKey: server.hostKey } as const;
    const address = `sftp://${server.host}/stok.csv`;

    const opened = await download(address, server, { login: { ...login, secret: phrase ?? "" } });
    const wrong = {
      ...login,
      secret: "",
      keyFile: phrase === undefined ? `${keyFile}-gone` : keyFile,
    };
    const refused = await download(address, server, { login: wrong });

    expect([opened.status, refused.code]).toEqual([200, "E_FETCH_KEY_FILE"]);
  });
});

describe("an ftps server", () => {
  it("gets no login where its certificate is not believed", async () => {
    const server = await serveFtps();
    server.files.set("/stok.csv", { content: TABLE, modifiedS: WRITTEN_S });

    const { code } = await download(`ftps://${server.host}/stok.csv`, server, {
      login: loginOf(server),
    });

    expect([code, server.logins]).toEqual(["E_FETCH_CERTIFICATE", []]);
  });

  it("gets no login where its certificate is for another name", async () => {
    trustCertificate();
    const server = await serveFtps();
    const address = `ftps://127.0.0.2:${server.port}/stok.csv`;

    const { code } = await download(
      address,
      { host: `127.0.0.2:${server.port}` },
      { login: loginOf(server) },
    );

    expect([["E_FETCH_CERTIFICATE", "E_FETCH_FAILED"].includes(code ?? ""), server.logins]).toEqual(
      [true, []],
    );
  });

  it("sends no data connection to another machine", async () => {
    trustCertificate();
    const server = await serveFtps({ passiveHost: "10,1,2,3" });
    server.files.set("/stok.csv", { content: TABLE, modifiedS: WRITTEN_S });

    const { code } = await download(`ftps://${server.host}/stok.csv`, server, {
      login: loginOf(server),
    });

    expect(["E_FETCH_CUT", "E_FETCH_FAILED"]).toContain(code);
  });
});

it("refuses plain FTP, which anyone on the way can read", async () => {
  const { error } = await download("ftp://127.0.0.1/stok.csv", { host: "127.0.0.1" });

  expect(error?.code).toBe("E_URL_FTP");
  expect(error?.localized.tr).toContain("sftp:// ya da ftps://");
});
