export { isPublicAddress } from './address';
export { type BudgetLimits, FOR_ONE_ANSWER } from './budget';
export { Collected } from './collected';
export { CostlyTurns } from './costly-turns';
export { Deadline, type Patience } from './deadline';
export { decodeBody } from './decode-body';
export { describeNetworkError } from './describe';
export { type DialTarget, dial, startTls } from './dial';
export { DnsFailure } from './dns/dns-failure';
export { isInternalName } from './dns/internal-name';
export { NameServers } from './dns/name-servers';
export { names } from './dns/names';
export type { DnsRecord, DnsRecords } from './dns/records';
export type { ResolvedAddress } from './dns/types';
export { until } from './dns/until';
export {
  BlockedTargetError,
  connectionClosed,
  DnsError,
  FloodError,
  InternalNameError,
  InvalidTargetError,
  NameServersError,
  NetworkTimeoutError,
} from './errors';
export { assertAllowedHost, assertPort, isLoopbackHost, normalizeHost } from './host';
export { assertHeaders, countInterim, headersOf, httpTarget, readBody, sendRequest } from './http-exchange';
export { assertPublicAnswer, assertPublicName } from './own-names';
export { type GuardedRequest, type GuardedResponse, guardedRequest } from './request';
export { type Asker, resolveTarget } from './resolve';
export type { TlsTrust } from './secure-context';
export { Sockets } from './sockets';
