/**
 * A minimal FTPS server on this machine (RFC 959, 4217, 3659) with files in memory, closed when the
 * test ends. It speaks nothing but what a download needs, and only encrypted.
 */

import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { createSecureContext, TLSSocket } from "node:tls";

import { onTestFinished } from "vitest";

import { IDENTITY } from "./certificate.ts";
import { type FileServer, PASSWORD, type RemoteTestFile } from "./sftp-server.ts";

const context = createSecureContext(IDENTITY);

interface FtpsServerOptions {
  /** Address that `PASV` answers. @default this machine */
  readonly passiveHost?: string | undefined;
  /** Whether all is encrypted from the first byte on. @default false */
  readonly isImplicit?: boolean | undefined;
}

export async function serveFtps({
  passiveHost = "127,0,0,1",
}: FtpsServerOptions = {}): Promise<FileServer> {
  const files = new Map<string, RemoteTestFile>();
  const logins: string[] = [];
  const sockets = new Set<Socket>();
  const state = { cutAfterBytes: Infinity, onRead: (): void => undefined };
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
  };
  const server = createServer((socket) => {
    keep(socket);
    serveControl(socket, { files, logins, state, cut, keep, passiveHost });
  });
  const port = await listen(server);
  onTestFinished(() => {
    cut();
    server.close();
  });
  const rest = { port, host: `127.0.0.1:${port}`, hostKey: "", files, logins };
  return Object.assign(state, rest);
}

async function listen(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const bound = server.address();
  return typeof bound === "object" && bound !== null ? bound.port : 0;
}

interface Served {
  readonly files: ReadonlyMap<string, RemoteTestFile>;
  readonly logins: string[];
  readonly state: Pick<FileServer, "cutAfterBytes" | "onRead">;
  readonly cut: () => void;
  readonly keep: (socket: Socket) => void;
  readonly passiveHost: string;
}

const toTime = (seconds: number): string =>
  new Date(seconds * 1000).toISOString().replaceAll(/\D/gu, "").slice(0, 14);

function serveControl(plain: Socket, served: Served): void {
  const { files, logins, keep } = served;
  let socket: Socket = plain;
  let user = "";
  let isIn = false;
  let data: Promise<Socket> | undefined;
  const reply = (text: string): void => void socket.write(`${text}\r\n`);
  const openData = async (): Promise<number> => {
    const { promise, resolve } = Promise.withResolvers<Socket>();
    const listener = createServer((raw) => {
      keep(raw);
      listener.close();
      resolve(
        new TLSSocket(raw, { isServer: true, secureContext: context }).on("error", () => undefined),
      );
    });
    data = promise;
    return await listen(listener);
  };
  const send = async (content: Buffer): Promise<void> => {
    const target = await data;
    if (target === undefined) return reply("425 no data connection");
    reply("150 here it comes");
    served.state.onRead();
    const { cutAfterBytes } = served.state;
    if (content.length > cutAfterBytes) {
      target.write(content.subarray(0, cutAfterBytes), () => served.cut());
      return;
    }
    target.end(content, () => reply("226 done"));
  };
  const list = (folder: string): Buffer => {
    const top = folder.replace(/\/*$/u, "/");
    const lines = [...files].flatMap(([path, { content, modifiedS }]) => {
      if (!path.startsWith(top)) return [];
      return [
        `type=file;size=${content.length};modify=${toTime(modifiedS)}; ${path.slice(top.length)}\r\n`,
      ];
    });
    return Buffer.from(lines.join(""));
  };
  const commands: Readonly<Record<string, (argument: string) => unknown>> = {
    AUTH: () => {
      reply("234 go on");
      const secure = new TLSSocket(socket, { isServer: true, secureContext: context });
      secure.on("error", () => undefined);
      socket = secure;
      read(secure);
    },
    USER: (name) => {
      user = name;
      reply("331 password");
    },
    PASS: (password) => {
      logins.push(`${user}:${password}${socket instanceof TLSSocket ? "" : " PLAIN"}`);
      isIn = user === "bayi42" && password === PASSWORD;
      reply(isIn ? "230 in" : "530 no");
    },
    FEAT: () =>
      reply("211-Features\r\n MLST type*;size*;modify*;\r\n MDTM\r\n SIZE\r\n UTF8\r\n211 End"),
    TYPE: () => reply("200 ok"),
    PBSZ: () => reply("200 ok"),
    PROT: () => reply("200 ok"),
    OPTS: () => reply("200 ok"),
    STRU: () => reply("200 ok"),
    EPSV: () => reply("502 no"),
    PASV: async () => {
      const port = await openData();
      reply(
        `227 Entering Passive Mode (${served.passiveHost},${Math.floor(port / 256)},${port % 256})`,
      );
    },
    SIZE: (path) => {
      const file = files.get(path);
      reply(file === undefined ? "550 none" : `213 ${file.content.length}`);
    },
    MDTM: (path) => {
      const file = files.get(path);
      reply(file === undefined ? "550 none" : `213 ${toTime(file.modifiedS)}`);
    },
    MLSD: (path) => send(list(path)),
    RETR: (path) => {
      const file = files.get(path);
      return file === undefined ? reply("550 none") : send(file.content);
    },
    QUIT: () => reply("221 bye"),
  };
  function read(from: Socket): void {
    let text = "";
    from.on("data", (bytes: Buffer) => {
      text += bytes.toString("utf8");
      for (let end = text.indexOf("\r\n"); end >= 0; end = text.indexOf("\r\n")) {
        const [name = "", ...rest] = text.slice(0, end).split(" ");
        text = text.slice(end + 2);
        const isOpen = isIn || ["AUTH", "USER", "PASS", "OPTS", "FEAT"].includes(name);
        const command = commands[name];
        if (!isOpen) reply("530 log in");
        else if (command === undefined) reply("502 unknown");
        else void command(rest.join(" "));
        // The bytes behind AUTH are encrypted.
        if (name === "AUTH") {
          from.removeAllListeners("data");
          return;
        }
      }
    });
  }
  read(plain);
  reply("220 test");
}
