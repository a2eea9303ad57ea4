import { connect } from "node:net";

/** An answer as it came over the wire. */
export interface RawAnswer {
  readonly status: number;
  /** By name in small letters; several of one name are joined with a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Sends the text to a port of this computer and reads the answer to the end of the connection. A
 * request without it gets `Connection: close`.
 */
export function sendRaw(port: number, lines: readonly string[], body = ""): Promise<RawAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<RawAnswer>();
  const chunks: Buffer[] = [];
  const socket = connect(port, "127.0.0.1");
  socket.on("error", reject);
  socket.on("data", (chunk) => chunks.push(chunk));
  socket.on("close", () => resolve(parse(Buffer.concat(chunks).toString())));
  socket.write(`${[...lines, "Connection: close"].join("\r\n")}\r\n\r\n${body}`);
  return promise;
}

function parse(text: string): RawAnswer {
  const end = text.indexOf("\r\n\r\n");
  const [first = "", ...lines] = text.slice(0, end).split("\r\n");
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const at = line.indexOf(":");
    const name = line.slice(0, at).toLowerCase();
    const value = line.slice(at + 1).trim();
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  }
  return { status: Number(first.split(" ")[1]), headers, body: text.slice(end + 4) };
}
