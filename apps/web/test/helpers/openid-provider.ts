/** A real identity provider on this computer, whose people sign in without a question. */

import { generateKeyPairSync } from "node:crypto";
import { createServer } from "node:http";

import { Provider } from "oidc-provider";
import { onTestFinished } from "vitest";

/** A person of the provider. */
export interface ProviderPerson {
  readonly email: string;
  readonly isVerified: boolean;
  /** The provider's own name for the account. @default 1 */
  readonly account?: string;
}

export interface OpenIdProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Who signs in at the provider from now on. */
  setPerson(person: ProviderPerson): void;
  /** Publishes a key that the provider does not sign with, as if somebody else had signed. */
  publishOtherKey(): void;
  /** Follows the provider's pages as a browser does, and returns the address that it leads back to. */
  signIn(address: string): Promise<URL>;
}

const CLIENT_ID = "katalog";
const CLIENT_SECRET = "secret-of-the-client-of-the-provider";
const INTERACTION = "/interaction/";

/** Starts the provider; it is closed when the test ends. */
export async function startOpenIdProvider(redirectUri: string): Promise<OpenIdProvider> {
  let person: ProviderPerson = { email: "", isVerified: false };
  const server = createServer();
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen({ host: "127.0.0.1", port: 0 }, resolve);
  await promise;
  const address = server.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  const issuer = `http://127.0.0.1:${port}`;
  const provider = createProvider(issuer, redirectUri, () => person);
  const answer = provider.callback();
  let hasOtherKey = false;
  server.on("request", (request, response) => {
    if (hasOtherKey && request.url === "/jwks") {
      const { publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
      const key = { ...publicKey.export({ format: "jwk" }), use: "sig", alg: "RS256" };
      response.setHeader("content-type", "application/json").end(JSON.stringify({ keys: [key] }));
      return;
    }
    if (request.url?.startsWith(INTERACTION) !== true) {
      void answer(request, response);
      return;
    }
    const result = { login: { accountId: person.account ?? "1" }, consent: {} };
    void provider.interactionFinished(request, response, result);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    issuer,
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    setPerson(next) {
      person = next;
    },
    publishOtherKey() {
      hasOtherKey = true;
    },
    signIn: (start) => follow(start, issuer),
  };
}

function createProvider(
  issuer: string,
  redirectUri: string,
  readPerson: () => ProviderPerson,
): Provider {
  return new Provider(issuer, {
    clients: [{ client_id: CLIENT_ID, client_secret: CLIENT_SECRET, redirect_uris: [redirectUri] }],
    clientDefaults: { token_endpoint_auth_method: "client_secret_post" },
    claims: { openid: ["sub"], email: ["email", "email_verified"] },
    // The address is in the token itself, as providers that people use have it there.
    conformIdTokenClaims: false,
    cookies: { keys: ["a key of a test"] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `${INTERACTION}${uid}` },
    pkce: { required: () => true },
    findAccount: (_context, id) => ({
      accountId: id,
      claims: () => {
        const { email, isVerified } = readPerson();
        return { sub: id, email, email_verified: isVerified };
      },
    }),
    async loadExistingGrant({ oidc }) {
      const { account = "1" } = readPerson();
      const grant = new oidc.provider.Grant({ clientId: CLIENT_ID, accountId: account });
      grant.addOIDCScope("openid email");
      await grant.save();
      return grant;
    },
  });
}

async function follow(start: string, issuer: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let address = new URL(start);
  while (address.origin === issuer) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(address, { redirect: "manual", headers: { cookie } });
    await response.body?.cancel();
    for (const text of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/u.exec(text) ?? [];
      cookies.set(name, value);
    }
    const next = response.headers.get("location");
    if (next === null) throw new Error(`${response.status} at ${address.href}`);
    address = new URL(next, address);
  }
  return address;
}
