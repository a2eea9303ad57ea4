/** Alerts on the page: what it adds is tried first, and its secrets are never shown. */

import { createAlerts } from "@catalog/jobs";
import { describe, expect, it } from "vitest";

import { addWorkRoutes } from "../../src/server/work/work-routes.ts";
import { openSession, startPageServer } from "../helpers/page-server.ts";

const ADDRESS = "https://hooks.example.com/services/GIZLI";

const BODY = { name: "", chat: "", smtp: "", user: "", to: "", quiet: "" };

/** A page whose messages a test takes, or refuses with a status. */
async function openPage() {
  const posted: URL[] = [];
  const secrets = new Map<string, string>();
  const receiver = { status: 200 };
  const server = await startPageServer({
    routes: [
      (app, site) => {
        const alerts = createAlerts({
          clock: site.clock,
          async post(url) {
            posted.push(url);
            const { status } = receiver;
            return { ok: status === 200, status, headers: new Headers() };
          },
          secrets: {
            read: async ({ channel }) => secrets.get(channel),
            async write({ channel }, secret, place) {
              secrets.set(channel, secret);
              return place;
            },
            forget: async ({ channel }) => void secrets.delete(channel),
          },
        });
        addWorkRoutes(app, { ...site, openAlerts: async () => alerts });
      },
    ],
  });
  const headers = await openSession(server);
  const call = async (method: "GET" | "POST", path: string, body?: object) => {
    const response = await fetch(`${server.origin}/api/alerts${path}`, {
      method,
      headers: { ...headers, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    expect(text).not.toContain("GIZLI");
    return { status: response.status, answer: JSON.parse(text) };
  };
  return { call, posted, secrets, receiver, server };
}

describe("alerts on the page", () => {
  it("are added once a test message has arrived, tried again and removed", async () => {
    const { call, posted, secrets, receiver } = await openPage();
    const body = { ...BODY, kind: "slack", secret: ADDRESS, quiet: "23:00-07:00" };

    receiver.status = 404;
    const refused = await call("POST", "", body);
    const none = await call("GET", "");
    receiver.status = 200;
    const added = await call("POST", "", body);
    receiver.status = 500;
    const tested = await call("POST", "/test", { name: "slack" });
    const removed = await call("POST", "/remove", { name: "slack" });

    expect([refused.status, refused.answer.code]).toEqual([422, "E_ALERT_NOT_ARRIVED"]);
    expect(none.answer).toEqual([]);
    expect(added.answer).toMatchObject([
      { name: "slack", kind: "slack", place: "hooks.example.com", health: "working" },
    ]);
    expect(tested.answer).toMatchObject([{ health: "failing", quiet: "23:00-07:00" }]);
    expect(tested.answer[0].failure).toContain("(500)");
    expect([removed.answer, secrets.size]).toEqual([[], 0]);
    expect(posted.map(String)).toEqual([ADDRESS, ADDRESS, ADDRESS]);
  });

  it.each([
    ["http://hooks.example.com/GIZLI", "E_ALERT_ADDRESS"],
    ["https://127.0.0.1/GIZLI", "E_ALERT_ADDRESS"],
    ["https://localhost/GIZLI", "E_ALERT_ADDRESS"],
    ["https://[::1]/GIZLI", "E_ALERT_ADDRESS"],
    ["https://a:b@hooks.example.com/GIZLI", "E_ALERT_CHANNEL"],
    ["GIZLI", "E_ALERT_ADDRESS"],
  ])("are not sent to %s", async (secret, code) => {
    const { call, posted } = await openPage();

    const { status, answer } = await call("POST", "", { ...BODY, kind: "webhook", secret });

    expect([status, answer.code]).toEqual([400, code]);
    expect(posted).toEqual([]);
  });

  it("say what is missing, and know no other channel", async () => {
    const { call } = await openPage();

    const mail = await call("POST", "", { ...BODY, kind: "email", secret: "", to: "ayse" });
    const unknown = await call("POST", "/test", { name: "phone" });

    expect([mail.status, mail.answer.code]).toEqual([400, "E_ALERT_CHANNEL"]);
    expect([unknown.status, unknown.answer.code]).toEqual([404, "E_ALERT_UNKNOWN"]);
  });
});
