// The database checks of the start script, bundled, since the script itself is not.
export { assertFits, claimSecret, readFingerprint } from './app-secret';
export { assertConnections } from './assert-connections';
export { assertSessions } from './assert-sessions';
