import { chmodSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { buffer } from "node:stream/consumers";

import { createFakeClock } from "@catalog/clock/testing";
import { describe, expect, it, onTestFinished } from "vitest";

import { hashBytes } from "../../src/check/image-checker.ts";
import { createDecoder } from "../../src/decode/decoder.ts";
import {
  createPreparedImages,
  createUploader,
  DEFAULT_PREPARE,
  type PreparedFile,
  type UploadTarget,
} from "../../src/send/upload.ts";
import { jpeg } from "../helpers/make-images.ts";
import { createCheckCache } from "../helpers/memory.ts";
import { serve } from "../helpers/serve.ts";
import { createFolder } from "../helpers/temporary-folder.ts";

function prepared(folder: string): PreparedFile {
  const path = join(folder, "a b; $(touch pwned).jpg");
  writeFileSync(path, "picture");
  return { path, sha256: "ab".repeat(32), sizeBytes: 7 };
}

async function upload(target: UploadTarget, folder = createFolder()): Promise<string> {
  const clock = createFakeClock();
  const uploader = createUploader({ target, cache: createCheckCache(), clock });
  const done = await uploader.upload(prepared(folder));
  if (done.ok) return done.value;
  const { code, params } = done.problem;
  const reason = params["reason"];
  return `${code} ${typeof reason === "string" ? reason : ""}`;
}

function script(folder: string, lines: string): string {
  const path = join(folder, "upload.sh");
  writeFileSync(path, `#!/bin/sh\n${lines}\n`);
  chmodSync(path, 0o755);
  return path;
}

const command = (...words: string[]): Extract<UploadTarget, { kind: "command" }> => ({
  kind: "command",
  command: words,
  folder: tmpdir(),
  env: { PATH: "/usr/bin:/bin", OWN: "1" },
});

describe("an upload by a command", () => {
  it("passes the file as one argument without a shell, and reads the last line as the address", async () => {
    const folder = createFolder();
    const path = script(
      folder,
      'test "$(cat "$1")" = picture || exit 3\necho uploading\necho "https://cdn.example/$2.jpg"',
    );

    const done = await upload(command(path, "{file}", "{sha256}"), folder);

    expect(done).toBe(`https://cdn.example/${"ab".repeat(32)}.jpg`);
  });

  it("starts a program with a relative path in the given folder", async () => {
    const folder = createFolder();
    script(folder, 'echo "https://cdn.example/own.jpg"');

    const done = await upload({ ...command("./upload.sh"), folder }, folder);

    expect(done).toBe("https://cdn.example/own.jpg");
  });

  it("gives the program only the environment that is configured", async () => {
    const folder = createFolder();
    const path = script(
      folder,
      'echo "https://cdn.example/$(env | sort | cut -d= -f1 | tr "\\n" -)"',
    );

    expect(await upload(command(path), folder)).toBe("https://cdn.example/OWN-PATH-PWD-");
  });

  it.each([
    ["exit 4", "E_IMG_UPLOAD exit 4"],
    ["echo done", "E_IMG_UPLOAD no https address was answered"],
    ["echo http://cdn.example/a.jpg", "E_IMG_UPLOAD no https address was answered"],
    ["true", "E_IMG_UPLOAD no https address was answered"],
  ])("reports a failing program: %s", async (lines, expected) => {
    const folder = createFolder();

    expect(await upload(command(script(folder, lines)), folder)).toBe(expected);
  });

  it("reports a missing program", async () => {
    expect(await upload(command("/no/such/program"))).toBe("E_IMG_UPLOAD ENOENT");
  });
});

describe("an upload by an HTTP PUT", () => {
  it.each([
    { how: "as Location", headers: { location: "https://cdn.example/1.jpg" } },
    { how: "as the body", body: "https://cdn.example/1.jpg\n" },
    { how: "as url in JSON", body: '{"url":"https://cdn.example/1.jpg"}' },
    { how: "nowhere, by a setting", address: "https://cdn.example/1.jpg" },
  ])(
    "uses the address that the server returns $how",
    async ({ headers = {}, body = "", address }) => {
      const server = await serve((_, response) => response.writeHead(201, headers).end(body));

      const done = await upload({ kind: "put", put: `${server.origin}/{sha256}.jpg`, address });

      expect(done).toBe("https://cdn.example/1.jpg");
      expect(server.requests[0]).toMatchObject({ method: "PUT", url: `/${"ab".repeat(32)}.jpg` });
    },
  );

  it("sends the image, its type and the token", async () => {
    const bodies: Promise<Buffer>[] = [];
    const server = await serve((request, response) => {
      bodies.push(buffer(request));
      response.end("https://cdn.example/1.jpg");
    });

    await upload({ kind: "put", put: `${server.origin}/a`, token: "t-1" });

    expect(String(await bodies[0])).toBe("picture");
    expect(server.requests[0]?.headers).toMatchObject({
      "content-type": "image/jpeg",
      authorization: "Bearer t-1",
    });
  });

  it("does not follow a redirect, and reports the status", async () => {
    const server = await serve((_, response) =>
      response.writeHead(302, { location: "https://cdn.example/1.jpg" }).end(),
    );

    expect(await upload({ kind: "put", put: server.origin })).toBe("E_IMG_UPLOAD HTTP 302");
  });

  it("stops after a minute", async () => {
    const asked = Promise.withResolvers<void>();
    const server = await serve(() => asked.resolve());
    const clock = createFakeClock();
    const target: UploadTarget = { kind: "put", put: server.origin };
    const uploader = createUploader({ target, cache: createCheckCache(), clock });

    const done = uploader.upload(prepared(createFolder()));
    await asked.promise;
    await clock.advance(60_000);

    expect(await done).toMatchObject({ problem: { params: { reason: "timeout" } } });
  });

  it("uploads the same content once, over all runs", async () => {
    const server = await serve((_, response) => response.end("https://cdn.example/1.jpg"));
    const options = {
      target: { kind: "put", put: server.origin },
      cache: createCheckCache(),
      clock: createFakeClock(),
    } as const;
    const file = prepared(createFolder());
    const first = createUploader(options);

    await Promise.all([first.upload(file), first.upload(file)]);
    await createUploader(options).upload(file);

    expect(server.requests).toHaveLength(1);
  });
});

it("createPreparedImages keeps a prepared image under the hash of its content, and prepares it once", async () => {
  const decoder = createDecoder({ processes: 1 });
  onTestFinished(() => decoder[Symbol.asyncDispose]());
  const options = {
    folder: createFolder(),
    settings: DEFAULT_PREPARE,
    cache: createCheckCache(),
  };
  const bytes = await jpeg(500, 500);
  let reads = 0;
  const read = (): Promise<{ ok: true; value: Buffer }> => {
    reads += 1;
    return Promise.resolve({ ok: true, value: bytes });
  };
  const prepare = async (settings = DEFAULT_PREPARE): Promise<string> => {
    const images = createPreparedImages({ ...options, decoder, settings });
    const made = await images.prepare(hashBytes(bytes), read);
    return made.ok ? made.value.path : made.problem.code;
  };

  const path = await prepare();
  const again = await prepare();
  const smaller = await prepare({ ...DEFAULT_PREPARE, maxEdge: 100 });
  rmSync(path);
  const restored = await prepare();

  expect(basename(dirname(path)) + basename(path, ".jpg")).toBe(hashBytes(readFileSync(path)));
  expect([again, restored]).toEqual([path, path]);
  expect(smaller).not.toBe(path);
  expect(reads).toBe(3);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});
