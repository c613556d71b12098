import { jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';
import { accessTokenKey } from './keys';

const ISSUER = 'upwatch';
const LIFE_SECONDS = 15 * 60;

/** What an access token says. The session's row has the last word on all of it. */
export interface AccessClaims {
  sid: string;
  userId: string;
  teamId: string | null;
  sessionVersion: number;
}

const Payload = z.object({ typ: z.literal('access'), sub: z.string(), sid: z.string(), sv: z.int() });

/** A signed access token (JWT, RFC 7519, HS256), good for 15 minutes. */
export function signAccessToken({ sid, userId, teamId, sessionVersion }: AccessClaims): Promise<string> {
  return new SignJWT({ typ: 'access', sid, team: teamId, sv: sessionVersion })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuer(ISSUER)
    .setSubject(userId)
    .setIssuedAt()
    .setExpirationTime(`${LIFE_SECONDS} s`)
    .sign(accessTokenKey());
}

/** What a token says if it is one of ours and its time is not over, else null. */
export async function verifyAccessToken(token: string): Promise<{ sid: string; userId: string; sv: number } | null> {
  try {
    const { payload } = await jwtVerify(token, accessTokenKey(), { algorithms: ['HS256'], issuer: ISSUER });
    const { sid, sub, sv } = Payload.parse(payload);
    return { sid, userId: sub, sv };
  } catch {
    return null;
  }
}
