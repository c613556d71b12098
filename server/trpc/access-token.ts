import { jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';
import { accessTokenKey } from './keys';

const ISSUER = 'upwatch';
const LIFE_SECONDS = 15 * 60;

/** The content of an access token. The session's row takes precedence. */
export interface AccessClaims {
  sid: string;
  userId: string;
  teamId: string | null;
  sessionVersion: number;
}

const Payload = z.object({ typ: z.literal('access'), sub: z.string(), sid: z.string(), sv: z.int() });

/** Signs an access token (JWT, RFC 7519, HS256) that is valid for 15 min. */
export function signAccessToken({ sid, userId, teamId, sessionVersion }: AccessClaims): Promise<string> {
  return new SignJWT({ typ: 'access', sid, team: teamId, sv: sessionVersion })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuer(ISSUER)
    .setSubject(userId)
    .setIssuedAt()
    .setExpirationTime(`${LIFE_SECONDS} s`)
    .sign(accessTokenKey());
}

/** Returns the content of a valid token; null for an invalid or expired one. */
export async function verifyAccessToken(token: string): Promise<{ sid: string; userId: string; sv: number } | null> {
  try {
    const { payload } = await jwtVerify(token, accessTokenKey(), { algorithms: ['HS256'], issuer: ISSUER });
    const { sid, sub, sv } = Payload.parse(payload);
    return { sid, userId: sub, sv };
  } catch {
    return null;
  }
}
