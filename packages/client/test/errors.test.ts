import { inspect } from "node:util";

import { describe, expect, it } from "vitest";

import {
  ApiError,
  AuthError,
  ClientError,
  InputError,
  NetworkError,
  PermissionError,
  SettingsError,
  ShapeError,
} from "../src/index.ts";
import { redact } from "../src/redact.ts";
import {
  connect,
  failureOf,
  inTurn,
  json,
  type Marketplace,
  type Reply,
  startMarketplace,
  TIMEOUT_MS,
} from "./helpers/marketplace.ts";
import { ADDED, CHEAPER_CUP, CUP } from "./helpers/product.ts";

const TOKEN = 'CANARY-token/7f3a+"ş"=';
const SECRET = "CANARY-secret&9c1b";

/** Every text that a logger could read from an error. */
function textsOf(error: unknown): string {
  const texts: string[] = [];
  for (let one = error; one instanceof Error; one = one.cause) {
    const own = Object.getOwnPropertyNames(one).map((name) => Reflect.get(one, name));
    texts.push(String(one), one.stack ?? "", JSON.stringify(one), JSON.stringify(own));
    texts.push(inspect(one, { depth: 10, showHidden: true, getters: true }));
  }
  return texts.join("\n");
}

/** Answers as a verbose proxy does: with everything that it was sent. */
const echo =
  (status: number): Reply =>
  (seen, response) => {
    response.writeHead(status, { "content-type": `text/plain; url=${seen.target}` });
    const { target, body } = seen;
    response.end(JSON.stringify({ data: { message: `${target} ${body} ${TOKEN}`, target } }));
  };

const raw =
  (text: (target: string) => string): Reply =>
  (seen) =>
    void seen.socket.end(text(seen.target));

const ok = "HTTP/1.1 200 OK\r\n";
const failures: readonly [string, Reply][] = [
  ...[302, 400, 401, 403, 404, 422, 429, 500].map((status): [string, Reply] => [
    `status ${status} that repeats the request`,
    echo(status),
  ]),
  ["an answer that does not match the contract and repeats the request", echo(200)],
  ["text that repeats the request", raw((target) => `${ok}connection: close\r\n\r\n${target}`)],
  [
    "text that repeats half the token",
    raw(() => `${ok}connection: close\r\n\r\n{"data":"${TOKEN.slice(0, 15)}`),
  ],
  ["an answer that is cut", raw((target) => `${ok}content-length: 9999\r\n\r\n${target}`)],
  ["an answer that is not HTTP", raw((target) => `${target} ${TOKEN}\r\n\r\n`)],
  ["a bad header", raw((target) => `${ok}x y: ${target}\r\n\r\n`)],
  ["a hang-up", (seen) => void seen.socket.destroy()],
];

function guard(marketplace: Marketplace): void {
  marketplace.replyToken = json({ access_token: TOKEN, expires_at: "2099-01-01T00:00:00Z" });
}

const credentials = { clientKey: "key-1", clientSecret: SECRET };

describe("errors of the client", () => {
  for (const [event, reply] of failures) {
    it(`hide the token and the secret after ${event}`, async () => {
      const marketplace = await startMarketplace(reply);
      guard(marketplace);
      const { client, calls } = connect(marketplace, { credentials, retries: 0 });

      const errors = [
        await failureOf(client.product.add(CUP)),
        await failureOf(client.product.list({})),
        await failureOf(client.category.list({ search: TOKEN })),
        await failureOf(client.product.update({ ...CHEAPER_CUP, title: "x".repeat(9) })),
      ];

      const texts = [...errors.map(textsOf), JSON.stringify(calls), inspect(client, { depth: 9 })];
      expect(errors.filter((error) => error instanceof ClientError).length).toBeGreaterThan(2);
      expect(texts.join("\n")).not.toContain("CANARY");
    });

    it(`hide the secret after a login that meets ${event}`, async () => {
      const marketplace = await startMarketplace();
      marketplace.replyToken = reply;
      const { client } = connect(marketplace, { credentials });

      const error = await failureOf(client.login());

      expect(error).toBeInstanceOf(ClientError);
      // The token in these answers was never issued, so only the secret is known to the client.
      expect(textsOf(error)).not.toContain("CANARY-secret");
    });
  }

  it("hide the token after a timeout and after bad input", async () => {
    const marketplace = await startMarketplace(() => undefined);
    // The clock of these tests ends every wait below TIMEOUT_MS at once.
    const timeoutMs = TIMEOUT_MS - 1;
    const { client, tokens } = connect(marketplace, { credentials, timeoutMs });
    tokens.read = async () => ({ token: TOKEN, expiresAtMs: Number.MAX_SAFE_INTEGER });

    const late = await failureOf(client.product.add(CUP));
    const bad = await failureOf(
      // @ts-expect-error -- the schema must catch what the types would
      client.product.list({ limit: SECRET, [`access_token=${TOKEN}`]: TOKEN }),
    );

    expect(late).toMatchObject({ code: "TIMEOUT" });
    expect(bad).toBeInstanceOf(InputError);
    expect(textsOf(late) + textsOf(bad)).not.toContain("CANARY");
  });

  it("hide a secret that the login's answer quotes in a sentence", async () => {
    const marketplace = await startMarketplace();
    marketplace.replyToken = json({ message: `${SECRET} is not the secret of key-1` }, 401);
    const { client } = connect(marketplace, { credentials });

    const error = await failureOf(client.login());

    expect(String(error)).toContain("[redacted] is not the secret of key-1");
    expect(textsOf(error)).not.toContain("CANARY");
  });

  it("hide tokens that were replaced", async () => {
    const marketplace = await startMarketplace(
      inTurn(json({}, 401), (seen, response) =>
        json({ message: "was CANARY-old, is CANARY-new" }, 400)(seen, response),
      ),
    );
    marketplace.replyToken = inTurn(
      json({ access_token: "CANARY-old" }),
      json({ access_token: "CANARY-new" }),
    );
    const { client } = connect(marketplace);

    const error = await failureOf(client.product.update(CHEAPER_CUP));

    expect(error).toBeInstanceOf(ApiError);
    expect(textsOf(error)).not.toContain("CANARY");
  });

  it("leave secrets in the data of a good answer unchanged", async () => {
    const marketplace = await startMarketplace(json({ ...ADDED, message: TOKEN }));
    guard(marketplace);

    const { client } = connect(marketplace, { credentials });

    await expect(client.product.add(CUP)).resolves.toMatchObject({ message: TOKEN });
  });
});

describe("ClientError", () => {
  const facts = { endpoint: "product.add", phase: "started" } as const;
  const answer = { ...facts, status: 400 };

  it("gives each error class a code of its own", () => {
    const errors = [
      new ApiError("m", answer),
      new AuthError("m", answer),
      new PermissionError("m", answer),
      new NetworkError("m", facts),
      new NetworkError("m", { ...facts, code: "TIMEOUT" }),
      new ShapeError("m", { ...answer, reason: "not-json" }),
      new InputError("m", { ...facts, misfits: [] }),
      new SettingsError("m"),
    ];

    expect(errors.map(({ name, code }) => `${name} ${code}`)).toEqual([
      "ApiError API_ERROR",
      "AuthError AUTH_ERROR",
      "PermissionError PERMISSION_ERROR",
      "NetworkError NETWORK_ERROR",
      "NetworkError TIMEOUT",
      "ShapeError SHAPE_ERROR",
      "InputError INPUT_ERROR",
      "SettingsError SETTINGS_ERROR",
    ]);
  });

  it("removes secret parameters even when it knows no secret", () => {
    const error = new NetworkError("GET /x?access_token=abc", facts);

    expect(error.message).toBe("GET /x?access_token=[redacted]");
    expect(error.stack).not.toContain("abc");
  });

  it("keeps a cause's name, code, message and own cause, and no other property", () => {
    const root = new RangeError("port of CANARY");
    const cause = Object.assign(new TypeError("no way to CANARY", { cause: root }), {
      code: "ECONNRESET",
      request: { path: "/x?access_token=CANARY" },
    });

    const error = new NetworkError("m", {
      ...facts,
      cause,
      redact: (text) => redact(text, ["CANARY"]),
    });

    expect(error.cause).toMatchObject({
      name: "TypeError",
      code: "ECONNRESET",
      message: "no way to [redacted]",
      cause: { name: "RangeError", message: "port of [redacted]" },
    });
    expect(textsOf(error)).not.toContain("CANARY");
  });

  it("keeps a cause that is a ClientError as it is", () => {
    const cause = new NetworkError("m", facts);

    expect(new SettingsError("m", cause).cause).toBe(cause);
  });

  it("says what happened at each of several addresses", () => {
    const cause = new AggregateError([new Error("refused at ::1"), new Error("refused at 127")]);

    expect(new NetworkError("m", { ...facts, cause }).cause).toMatchObject({
      message: "refused at ::1; refused at 127",
    });
  });

  it("accepts a cause that is no Error, and one that refers back to itself", () => {
    const loop = new Error("loop");
    loop.cause = loop;

    expect(new NetworkError("m", { ...facts, cause: "access_token=abc" }).cause).toBe(
      "'access_token=[redacted]'",
    );
    expect(textsOf(new NetworkError("m", { ...facts, cause: loop }))).toContain("loop");
  });
});
