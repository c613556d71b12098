// The database checks of the start script, in a module of their own, because they are bundled and the script is not.
export { assertFits, claimSecret, readFingerprint } from './app-secret';
export { assertConnections } from './assert-connections';
export { assertSessions } from './assert-sessions';
