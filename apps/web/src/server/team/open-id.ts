/**
 * Signing in by an identity provider: OpenID Connect with a code, PKCE, state and nonce. What the
 * browser must bring back is in cookies of this host, so that the server keeps nothing and a link
 * that somebody else has made signs nobody in. Only people who were invited with the address that the
 * provider has verified may sign in.
 */

import type { ProviderAccount, Team } from "@catalog/team";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  type Configuration,
  discovery,
  enableNonRepudiationChecks,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from "openid-client";
import { z } from "zod";

import type { OpenedSession } from "../../api/session.ts";
import { parseInput, RequestError } from "../site.ts";
import { OPENID_BACK } from "./public-address.ts";
import { findSession, giveSession, limitOf, placeOf, type SignInOptions } from "./sign-in.ts";

export interface OpenIdSettings {
  /** Address of the provider. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** What the button of the page calls it. */
  readonly name: string;
}

interface OpenIdOptions extends SignInOptions {
  readonly settings: OpenIdSettings;
  /** Address of the page. */
  readonly origin: string;
  /** Takes what the provider did wrong. */
  readonly onProblem: (error: unknown) => void;
}

const BEGUN = "__Host-catalog-openid";
const ENDED = "__Host-catalog-key";

/** The provider's answer is a request that another site has begun, so it must carry the cookie. */
const BEGUN_COOKIE = { path: "/", httpOnly: true, secure: true, sameSite: "lax" } as const;
const ENDED_COOKIE = { ...BEGUN_COOKIE, sameSite: "strict" } as const;
const BEGUN_SECONDS = 600;
const ENDED_SECONDS = 60;

const begunSchema = z.object({
  state: z.string().min(20),
  nonce: z.string().min(20),
  verifier: z.string().min(40),
});

const claimsSchema = z.object({
  iss: z.string().max(500),
  sub: z.string().min(1).max(255),
  email: z.string().max(200),
  email_verified: z.literal(true),
});

/** What the page sends once the provider has sent the person back. */
const BACK_KEY = "openid";
const sessionBody = z.object({ key: z.literal(BACK_KEY) });

export function addOpenIdRoutes(app: FastifyInstance, options: OpenIdOptions): void {
  const { origin, team } = options;
  const limit = limitOf(options);
  const configure = createDiscovery(options.settings);
  const redirectUri = `${origin}${OPENID_BACK}`;

  app.get("/openid", limit, async (_request, reply) => {
    const begun = {
      state: randomState(),
      nonce: randomNonce(),
      verifier: randomPKCECodeVerifier(),
    };
    const configuration = await configure().catch((error: unknown) => {
      options.onProblem(error);
      return undefined;
    });
    if (configuration === undefined) return await reply.redirect("/#e=E_OPENID_AWAY");
    const address = buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: "openid email",
      state: begun.state,
      nonce: begun.nonce,
      code_challenge: await calculatePKCECodeChallenge(begun.verifier),
      code_challenge_method: "S256",
    });
    reply.setCookie(BEGUN, encode(begun), { ...BEGUN_COOKIE, maxAge: BEGUN_SECONDS });
    return await reply.redirect(address.href);
  });

  app.get("/openid/back", limit, async (request, reply) => {
    const begun = decode(request.cookies[BEGUN]);
    reply.clearCookie(BEGUN, BEGUN_COOKIE);
    const account = await readAccount(request, begun, { ...options, configure }).catch(
      (error: unknown) => {
        options.onProblem(error);
        return undefined;
      },
    );
    const isSignedIn = account !== undefined && (await openFor(account, request, reply, options));
    if (isSignedIn) return await reply.redirect(`/#k=${BACK_KEY}`);
    await writeRefusal(team, account?.email, options.addressOf(request));
    return await reply.redirect("/#e=E_OPENID_REFUSED");
  });

  // The page cannot read the answer of a redirect, and asks for its half of the session here.
  app.post("/session", limit, async (request, reply): Promise<OpenedSession> => {
    parseInput(sessionBody, request.body);
    const writeKey = request.cookies[ENDED] ?? "";
    const session = await findSession(team, request);
    reply.clearCookie(ENDED, ENDED_COOKIE);
    if (session !== undefined && (await team.sessions.isWriteKey(session.id, writeKey))) {
      return { writeKey };
    }
    throw new RequestError(403, "E_LINK_USED", {
      tr: "Giriş tamamlanamadı. Yeniden deneyin.",
      en: "Signing in was not finished. Try again.",
    });
  });
}

/** Asks the provider for its addresses once; a failure is tried again. */
function createDiscovery({
  issuer,
  clientId,
  clientSecret,
}: OpenIdSettings): () => Promise<Configuration> {
  let known: Promise<Configuration> | undefined;
  return () => {
    const url = new URL(issuer);
    // A provider of this computer has no certificate.
    const isLocal = url.protocol === "http:" && url.hostname === "127.0.0.1";
    known ??= discovery(
      url,
      clientId,
      clientSecret,
      undefined,
      // Without the second, TLS alone vouches for what the provider answers.
      { execute: [...(isLocal ? [allowInsecureRequests] : []), enableNonRepudiationChecks] },
    );
    known.catch(() => {
      known = undefined;
    });
    return known;
  };
}

type Begun = z.infer<typeof begunSchema>;

const encode = (begun: Begun): string => Buffer.from(JSON.stringify(begun)).toString("base64url");

function decode(cookie = ""): Begun | undefined {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(cookie, "base64url").toString());
    return begunSchema.safeParse(parsed).data;
  } catch {
    return undefined;
  }
}

/** The account that the provider vouches for; `undefined` for an answer that was not asked for. */
async function readAccount(
  request: FastifyRequest,
  begun: Begun | undefined,
  { origin, configure }: OpenIdOptions & { readonly configure: () => Promise<Configuration> },
): Promise<ProviderAccount | undefined> {
  if (begun === undefined) return undefined;
  const answer = new URL(request.url, origin);
  const tokens = await authorizationCodeGrant(await configure(), answer, {
    pkceCodeVerifier: begun.verifier,
    expectedState: begun.state,
    expectedNonce: begun.nonce,
    idTokenExpected: true,
  });
  const claims = claimsSchema.safeParse(tokens.claims()).data;
  return claims && { issuer: claims.iss, subject: claims.sub, email: claims.email };
}

/** Opens a session for the person; `false` where the account is nobody's. */
async function openFor(
  account: ProviderAccount,
  request: FastifyRequest,
  reply: FastifyReply,
  options: SignInOptions,
): Promise<boolean> {
  const { people, sessions } = options.team;
  const person = await people.recognize(account, { address: options.addressOf(request) });
  if (person === undefined) return false;
  const opened = await sessions.open(person.id, placeOf(request, options));
  if (opened === undefined) return false;
  const { writeKey } = giveSession(reply, opened);
  reply.setCookie(ENDED, writeKey, { ...ENDED_COOKIE, maxAge: ENDED_SECONDS });
  return true;
}

const writeRefusal = async (
  { audit }: Pick<Team, "audit">,
  email: string | undefined,
  address: string,
): Promise<void> =>
  await audit.write(
    {
      action: "session.refused",
      store: null,
      subject: email ?? null,
      before: null,
      after: { by: "openid" },
    },
    { person: null, key: null, address },
  );
