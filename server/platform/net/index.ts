export { isPublicAddress } from './address';
export { describeNetworkError } from './describe';
export { BlockedTargetError, DnsError, InvalidTargetError, NetworkTimeoutError } from './errors';
export { assertAllowedHost, assertPort, normalizeHost } from './host';
export { guardedConnection, guardedLookup } from './lookup';
export { type GuardedRequest, type GuardedResponse, guardedRequest } from './request';
export { type ResolvedAddress, resolveTarget } from './resolve';
