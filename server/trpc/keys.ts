import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { env } from '@/server/platform/env';

/** Derives a 256-bit key for one purpose from APP_SECRET by HKDF (RFC 5869), so that no two purposes share a key. */
function derive(purpose: string): Buffer {
  if (!env.appSecret) throw new Error('APP_SECRET is not set: start Upwatch with "npm start".');
  return Buffer.from(hkdfSync('sha256', env.appSecret, '', `upwatch ${purpose}`, 32));
}

let accessTokens: KeyObject | undefined;
let sessionCookies: string | undefined;

/** Returns the signing key of access tokens. */
export function accessTokenKey(): KeyObject {
  accessTokens ??= createSecretKey(derive('access token'));
  return accessTokens;
}

/** Returns the secret of the dashboard's session cookie, in next-auth's form. */
export function sessionCookieSecret(): string {
  sessionCookies ??= derive('session cookie').toString('base64url');
  return sessionCookies;
}
