/** An SFTP server on this machine with files in memory, closed when the test ends. */

import { createHash } from "node:crypto";
import { once } from "node:events";
import type { Socket } from "node:net";

import ssh2, { type Attributes, type Connection, type SFTPWrapper } from "ssh2";
import { onTestFinished } from "vitest";

export interface RemoteTestFile {
  readonly content: Buffer;
  /** In seconds since 1970. */
  readonly modifiedS: number;
}

export interface FileServer {
  readonly port: number;
  /** As `--allow-host` takes it. */
  readonly host: string;
  /** Fingerprint of the server's key; empty for other servers. */
  readonly hostKey: string;
  /** By absolute path; may be changed at any time. */
  readonly files: Map<string, RemoteTestFile>;
  /** Logins that were tried, with their passwords. */
  readonly logins: readonly string[];
  /** Number of bytes of a file after which all connections are cut; may be changed. */
  cutAfterBytes: number;
  /** Called before each piece of a file is sent. */
  onRead: () => void;
}

/** The password that lets `bayi42` in. */
export const PASSWORD = "pärola-CANARY";

const { Server, utils } = ssh2;
const { STATUS_CODE } = utils.sftp;

/** A key in the form of OpenSSH, which is the one that ssh2 reads. */
const createHostKey = (): { readonly private: string; readonly public: string } =>
  utils.generateKeyPairSync("ed25519");

export const fingerprintOf = (publicKey: string): string => {
  const blob = Buffer.from(publicKey.split(" ")[1] ?? "", "base64");
  return `SHA256:${createHash("sha256").update(blob).digest("base64").replaceAll("=", "")}`;
};

interface SftpServerOptions {
  /** A public key that lets `bayi42` in, as OpenSSH writes it. @default none */
  readonly userKey?: string | undefined;
  /** @default a free one */
  readonly port?: number | undefined;
}

export async function serveSftp({
  userKey,
  port = 0,
}: SftpServerOptions = {}): Promise<FileServer> {
  const key = createHostKey();
  const files = new Map<string, RemoteTestFile>();
  const logins: string[] = [];
  const sockets = new Set<Socket>();
  const state = { cutAfterBytes: Infinity, onRead: (): void => undefined };
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const server = new Server({ hostKeys: [key.private] }, (client: Connection) => {
    client.on("error", () => undefined);
    client.on("authentication", (context) => {
      if (context.method === "password") {
        logins.push(`${context.username}:${context.password}`);
        if (context.username === "bayi42" && context.password === PASSWORD) return context.accept();
      }
      if (context.method === "publickey" && userKey !== undefined) {
        logins.push(`${context.username} key`);
        if (context.key.data.toString("base64") === userKey.split(" ")[1]) return context.accept();
      }
      return context.reject(["password", "publickey"]);
    });
    client.on("ready", () => {
      client.on("session", (accept) => {
        accept().on("sftp", (open) => serveFiles(open(), { files, state, cut }));
      });
    });
  });
  // The server of ssh2 wraps one of Node.
  const inner: { on(event: "connection", listener: (socket: Socket) => void): void } = Reflect.get(
    server,
    "_srv",
  );
  inner.on("connection", (socket) => {
    sockets.add(socket.setNoDelay(true));
    socket.on("close", () => sockets.delete(socket));
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    cut();
    server.close();
  });
  const bound = server.address();
  const number = typeof bound === "object" && bound !== null ? bound.port : 0;
  return Object.assign(state, {
    port: number,
    host: `127.0.0.1:${number}`,
    hostKey: fingerprintOf(key.public),
    files,
    logins,
  });
}

interface ServedFiles {
  readonly files: ReadonlyMap<string, RemoteTestFile>;
  readonly state: Pick<FileServer, "cutAfterBytes" | "onRead">;
  readonly cut: () => void;
}

const FILE_MODE = 0o100_644;
const FOLDER_MODE = 0o040_755;

const attributesOf = (file: RemoteTestFile | undefined): Attributes => ({
  mode: file === undefined ? FOLDER_MODE : FILE_MODE,
  uid: 0,
  gid: 0,
  size: file?.content.length ?? 0,
  atime: file?.modifiedS ?? 0,
  mtime: file?.modifiedS ?? 0,
});

function serveFiles(sftp: SFTPWrapper, { files, state, cut }: ServedFiles): void {
  const handles: { readonly path: string; isRead: boolean }[] = [];
  const handleOf = (bytes: Buffer): { readonly path: string; isRead: boolean } | undefined =>
    handles[bytes.readUInt32BE(0)];
  const open = (id: number, path: string): void => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(handles.push({ path, isRead: false }) - 1);
    sftp.handle(id, bytes);
  };
  const namesIn = (folder: string): readonly string[] =>
    [...files.keys()].filter(
      (path) => path.startsWith(folder) && !path.slice(folder.length).includes("/"),
    );
  const stat = (id: number, path: string): void => {
    const file = files.get(path);
    const isFolder = file === undefined && namesIn(`${path}/`).length > 0;
    if (file === undefined && !isFolder) sftp.status(id, STATUS_CODE.NO_SUCH_FILE);
    else sftp.attrs(id, attributesOf(file));
  };
  sftp.on("STAT", stat);
  sftp.on("LSTAT", stat);
  sftp.on("FSTAT", (id, handle) => stat(id, handleOf(handle)?.path ?? ""));
  sftp.on("OPEN", (id, path) => {
    if (files.has(path)) open(id, path);
    else sftp.status(id, STATUS_CODE.NO_SUCH_FILE);
  });
  sftp.on("OPENDIR", (id, path) => open(id, path));
  sftp.on("READDIR", (id, handle) => {
    const folder = handleOf(handle);
    if (folder === undefined || folder.isRead) {
      sftp.status(id, STATUS_CODE.EOF);
      return;
    }
    folder.isRead = true;
    const names = namesIn(folder.path.replace(/\/*$/u, "/"));
    sftp.name(
      id,
      names.map((path) => {
        const filename = path.slice(path.lastIndexOf("/") + 1);
        return {
          filename,
          longname: `-rw-r--r-- 1 0 0 1 Jan 1 00:00 ${filename}`,
          attrs: attributesOf(files.get(path)),
        };
      }),
    );
  });
  sftp.on("READ", (id, handle, offset, length) => {
    state.onRead();
    const file = files.get(handleOf(handle)?.path ?? "");
    if (offset >= state.cutAfterBytes) {
      cut();
      return;
    }
    const piece = file?.content.subarray(offset, Math.min(offset + length, state.cutAfterBytes));
    if (piece === undefined || piece.length === 0) sftp.status(id, STATUS_CODE.EOF);
    else sftp.data(id, piece);
  });
  sftp.on("CLOSE", (id) => sftp.status(id, STATUS_CODE.OK));
}

/** A private key in a file of OpenSSH, and its public key. */
export const createUserKey = (passphrase?: string): { private: string; public: string } =>
  passphrase === undefined
    ? utils.generateKeyPairSync("ed25519")
    : utils.generateKeyPairSync("ed25519", { passphrase, cipher: "aes256-cbc", rounds: 1 });
