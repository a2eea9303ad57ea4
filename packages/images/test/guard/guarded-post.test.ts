import { text } from "node:stream/consumers";

import { expect, it, onTestFinished } from "vitest";

import { type GuardedPostOptions, openGuardedPost } from "../../src/guard/guarded-post.ts";
import { serve } from "../helpers/serve.ts";

function open(options: GuardedPostOptions = {}): ReturnType<typeof openGuardedPost> {
  const guard = openGuardedPost(options);
  onTestFinished(() => guard[Symbol.asyncDispose]());
  return guard;
}

const MESSAGE = { headers: { "content-type": "application/json" }, body: "{}" };

const codeOf = (outcome: Promise<unknown>): Promise<unknown> =>
  outcome.then(
    (status) => status,
    (error: unknown) => (error instanceof Error && "code" in error ? error.code : error),
  );

it("posts to a server that is allowed, and follows no redirect", async () => {
  const bodies: string[] = [];
  const { host, origin, requests } = await serve((request, response) => {
    const take = async (): Promise<void> => {
      bodies.push(await text(request));
      response.writeHead(request.url === "/moved" ? 302 : 204, { location: "/other" }).end();
    };
    void take();
  });
  const guard = open({ allowHosts: [host] });
  const signal = AbortSignal.timeout(5_000);

  expect(await guard.post(`${origin}/hook`, { ...MESSAGE, signal })).toBe(204);
  expect(await guard.post(`${origin}/moved`, { ...MESSAGE, signal })).toBe(302);
  expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
    "POST /hook",
    "POST /moved",
  ]);
  expect(bodies).toEqual(["{}", "{}"]);
});

it.each([
  ["http://127.0.0.1/hook", "E_URL_PRIVATE"],
  ["https://127.0.0.1/hook", "E_URL_PRIVATE"],
  ["https://0x7f.1/", "E_URL_PRIVATE"],
  ["https://[::1]/", "E_URL_PRIVATE"],
  ["https://169.254.169.254/latest", "E_URL_PRIVATE"],
  ["https://name.test/hook", "E_URL_PRIVATE"],
  ["https://name.test:8443/hook", "E_URL_PORT"],
  ["https://user:pass@name.test/", "E_URL_CREDENTIALS"],
  ["http://name.test/hook", "E_URL_FORM"],
  ["ftp://name.test/hook", "E_URL_FORM"],
])("posts nothing to %s", async (address, code) => {
  const { connections } = await serve((_request, response) => void response.end());
  const guard = open({ resolve: async () => [{ address: "127.0.0.1", family: 4 }] });
  const signal = AbortSignal.timeout(5_000);

  expect(await codeOf(guard.post(address, { ...MESSAGE, signal }))).toBe(code);
  expect(connections()).toBe(0);
});
