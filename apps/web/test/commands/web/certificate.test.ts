/** A server whose certificate is renewed while it runs. */

import { spawnSync } from "node:child_process";
import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { connect } from "node:tls";

import { createFakeClock } from "@catalog/clock/testing";
import { expect, it, onTestFinished } from "vitest";

import {
  type CertificateFiles,
  readCertificate,
  watchCertificate,
} from "../../../src/commands/web/certificate.ts";
import { openPort } from "../../../src/commands/web/page-port.ts";
import { createFolder } from "../../helpers/temporary-folder.ts";

const hasOpenSsl = spawnSync("openssl", ["version"]).status === 0;
const MINUTE_MS = 60_000;

function writePair(folder: string, name: string): CertificateFiles {
  const [certPath, keyPath] = [join(folder, `${name}.crt`), join(folder, `${name}.key`)];
  const kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"];
  const files = ["-keyout", keyPath, "-out", certPath, "-subj", `/CN=${name}`];
  expect(spawnSync("openssl", ["req", "-x509", ...kind, ...files]).status).toBe(0);
  return { certPath, keyPath };
}

/** The name of the certificate that a new connection gets. */
function readName(port: number): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const socket = connect({ host: "127.0.0.1", port, rejectUnauthorized: false }, () => {
    resolve(socket.getPeerCertificate().subject.CN);
    socket.destroy();
  });
  socket.once("error", reject);
  return promise;
}

async function start() {
  const folder = createFolder();
  const [used, next] = [writePair(folder, "old"), writePair(folder, "new")];
  const clock = createFakeClock();
  const current = readCertificate(used);
  const port = await openPort({ host: "127.0.0.1", port: 0, tls: current });
  port.setListener(() => undefined);
  const told: string[] = [];
  const stop = new AbortController();
  const watching = watchCertificate(used, {
    clock,
    stop: stop.signal,
    current,
    onNew(certificate) {
      port.useCertificate(certificate);
      told.push("new");
    },
    onBad: () => void told.push("bad"),
  });
  onTestFinished(async () => {
    stop.abort(new Error("over"));
    await watching;
    await port[Symbol.asyncDispose]();
  });
  return { used, next, clock, port: port.port, told };
}

it.runIf(hasOpenSsl)("uses a certificate that was replaced within a minute", async () => {
  const { used, next, clock, port, told } = await start();

  const before = await readName(port);
  copyFileSync(next.certPath, used.certPath);
  await clock.advance(MINUTE_MS);
  const halfWay = [await readName(port), ...told];
  copyFileSync(next.keyPath, used.keyPath);
  await clock.advance(MINUTE_MS);
  await clock.advance(MINUTE_MS);

  expect([before, halfWay, await readName(port), told]).toEqual([
    "old",
    ["old", "bad"],
    "new",
    ["bad", "new"],
  ]);
});

it.runIf(hasOpenSsl)(
  "keeps its certificate while the files are none, and says so once",
  async () => {
    const { used, clock, port, told } = await start();

    writeFileSync(used.certPath, "not a certificate");
    for (let minute = 0; minute < 3; minute += 1) await clock.advance(MINUTE_MS);

    expect([await readName(port), told]).toEqual(["old", ["bad"]]);
  },
);
