// What start script and web process ask of a database before anything uses it, bundled apart from both: neither is.
export { assertFits, claimSecret, readFingerprint } from './app-secret';
export { assertConnections } from './assert-connections';
export { assertSessions } from './assert-sessions';
export { isRefusal, untilUsable } from './until-usable';
