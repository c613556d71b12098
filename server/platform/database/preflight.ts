// The database checks of start script and web process, bundled separately, since neither is bundled.
export { assertFits, claimSecret, readFingerprint } from './app-secret';
export { assertConnections } from './assert-connections';
export { assertSessions } from './assert-sessions';
export { exitCodeOf, isRefusal, untilUsable } from './until-usable';
