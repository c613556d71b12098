// @ts-check

/**
 * A change that breaks one rule or guard of the product.
 * @typedef {object} Mutation
 * @property {string} breaks what no longer holds
 * @property {string} file the source file
 * @property {string} from text that occurs once in it
 * @property {string} to its replacement
 * @property {string} test the file with the test that fails then
 */

const verdict = 'server/checks/verdict';
const unitVerdict = 'tests/unit/checks/verdict';
const simulated = 'tests/unit/checks/simulated/traces.test.ts';
const connectionTests = 'tests/integration/checks/connection-tests.test.ts';

/** @type {Mutation[]} */
const verdicts = [
  {
    breaks: 'a monitor goes down only after all rechecks failed',
    file: `${verdict}/transition.ts`,
    from: 'return row.checks >= row.needed &&',
    to: 'return row.checks >= row.needed - 1 &&',
    test: `${unitVerdict}/transition.test.ts`,
  },
  {
    breaks: 'a streak lasts as long as its rechecks take',
    file: `${verdict}/transition.ts`,
    from: ' && row.lastedMs >= (row.needed - 1) * delayMs * TOLERANCE',
    to: '',
    test: `${unitVerdict}/transition.test.ts`,
  },
  {
    breaks: 'intermittent failures add up',
    file: `${verdict}/transition.ts`,
    from: 'const failures = Math.max(0, state.failures - PASSING);',
    to: 'const failures = 0;',
    test: `${unitVerdict}/transition.test.ts`,
  },
  {
    breaks: 'an outage starts with the first failing check of its streak',
    file: `${verdict}/transition.ts`,
    from: 'const turnedAt = latest(state.turnedAt ?? seen.at, new Date(seen.at.getTime() - longestMs));',
    to: 'const turnedAt = seen.at;',
    test: `${unitVerdict}/transition.test.ts`,
  },
  {
    breaks: 'a check that is older than the last one changes nothing',
    file: `${verdict}/transition.ts`,
    from: 'if (state.lastCheckedAt && seen.at < state.lastCheckedAt) {',
    to: 'if (false) {',
    test: `${unitVerdict}/transition.test.ts`,
  },
  {
    breaks: 'time without checks is unknown',
    file: `${verdict}/transition.ts`,
    from: 'return known < seen.at ? known : null;',
    to: 'return null;',
    test: `${unitVerdict}/transition.test.ts`,
  },
  {
    breaks: 'five changes within the window are flapping',
    file: `${verdict}/flapping.ts`,
    from: 'export const FLAP_CHANGES = 5;',
    to: 'export const FLAP_CHANGES = 6;',
    test: `${unitVerdict}/flapping.test.ts`,
  },
  {
    breaks: 'a downtime soon after another one is flapping',
    file: `${verdict}/flapping.ts`,
    from: 'return flapWindowMs(intervalSeconds) / 40;',
    to: 'return flapWindowMs(intervalSeconds) / 400;',
    test: `${unitVerdict}/flapping.test.ts`,
  },
  {
    breaks: 'the incident of a flapping monitor stays open until the monitor is steady',
    file: `${verdict}/flapping.ts`,
    from: 'if (!isSteady || at.getTime() < endsMs) {',
    to: 'if (!isSteady && at.getTime() < endsMs) {',
    test: `${unitVerdict}/flapping.test.ts`,
  },
  {
    breaks: 'a flapping monitor that is up is notified after a quarter of the window at the latest',
    file: `${verdict}/flapping.ts`,
    from: 'return flapWindowMs(intervalSeconds) / 4;',
    to: 'return flapWindowMs(intervalSeconds) / 2;',
    test: `${unitVerdict}/flapping.test.ts`,
  },
  {
    breaks: 'a flapping monitor that stays down is notified',
    file: `${verdict}/flapping.ts`,
    from: 'return flapWindowMs(intervalSeconds) / 6;',
    to: 'return flapWindowMs(intervalSeconds);',
    test: `${unitVerdict}/flapping.test.ts`,
  },
  {
    breaks: 'unknown time does not start the wait for the end of flapping again',
    file: `${verdict}/flapping.ts`,
    from: 'new Date(Math.min(since.getTime() + unknownMs, at.getTime()))',
    to: '(unknownMs > 0 ? at : since)',
    test: `${unitVerdict}/flapping.test.ts`,
  },
  {
    breaks: 'a monitor that was down before an unknown check is down with the next failing one',
    file: `${verdict}/transition.ts`,
    from: "if (status === 'down' || openIncident !== 'downtime') return",
    to: 'return',
    test: simulated,
  },
  {
    breaks: 'a service that fails now and then is up within minutes after an outage',
    file: `${verdict}/transition.ts`,
    from: 'if (recoveries > 0) return -RELAPSE_ROWS * row;',
    to: 'if (recoveries > 0) return 0;',
    test: simulated,
  },
  {
    breaks: 'failing checks delay a recovery no further than two rows of passing ones',
    file: `${verdict}/transition.ts`,
    from: 'Math.max(-RELAPSE_ROWS * row, recoveries - FAILING)',
    to: 'recoveries - FAILING * 2',
    test: simulated,
  },
  {
    breaks: 'the failing checks of a noisy monitor last longer before it is down',
    file: `${verdict}/noise.ts`,
    from: 'return until > at ? until : null;',
    to: 'return null;',
    test: `${unitVerdict}/noise.test.ts`,
  },
  {
    breaks: 'a confirmation that somebody set is not extended by noise',
    file: `${verdict}/noise.ts`,
    from: '!policy.isAdaptive || ',
    to: '',
    test: `${unitVerdict}/noise.test.ts`,
  },
  {
    breaks: 'the noise of many short failures is over as soon as that of four',
    file: `${verdict}/noise.ts`,
    from: 'Math.min(from + addedMs(policy), at.getTime() + MOST_COUNTED * addedMs(policy))',
    to: 'from + addedMs(policy)',
    test: `${unitVerdict}/noise.test.ts`,
  },
  {
    breaks: 'a failing connection test only asks for a check',
    file: 'server/checks/schedule/claim.ts',
    from: 'update monitor_states set due_at = now()\n    where monitor_id',
    to: 'update monitor_states set due_at = now(), failures = failures + 3\n    where monitor_id',
    test: connectionTests,
  },
  {
    breaks: 'connection tests end after three that failed in vain',
    file: 'server/checks/schedule/connection-tests.ts',
    from: 'const MOST_IN_VAIN = 3;',
    to: 'const MOST_IN_VAIN = 4;',
    test: connectionTests,
  },
  {
    breaks: 'monitors in regions have no connection tests',
    file: 'server/monitor-types/config/tests-connection.ts',
    from: ' || regions.length > 0',
    to: '',
    test: connectionTests,
  },
  {
    breaks: 'a flapping monitor must be up for longer than it was between two downtimes',
    file: `${verdict}/flapping.ts`,
    from: 'const LONGEST_UPS = 2;',
    to: 'const LONGEST_UPS = 1;',
    test: `${unitVerdict}/flapping.test.ts`,
  },
  {
    breaks: 'a failing check makes a flapping monitor wait anew',
    file: `${verdict}/flapping.ts`,
    from: 'countsFailing(moment, step), at)',
    to: 'false, at)',
    test: `${unitVerdict}/flapping.test.ts`,
  },
  {
    breaks: 'a failing check of a region does not end flapping as up',
    file: `${verdict}/flapping.ts`,
    from: ' && (isDown || !isFailing)',
    to: '',
    test: simulated,
  },
  {
    breaks: 'a failing connection test does not move a check that was claimed meanwhile',
    file: 'server/checks/schedule/claim.ts',
    from: 'and (claimed_until is null or claimed_until < now())`;\n  return changed',
    to: '`;\n  return changed',
    test: connectionTests,
  },
  {
    breaks: 'latency around the limit changes nothing',
    file: `${verdict}/latency-streak.ts`,
    from: 'wasDegraded ? !isSlow && !seen.isNearlySlow : isSlow',
    to: 'wasDegraded ? !isSlow : isSlow',
    test: `${unitVerdict}/latency-streak.test.ts`,
  },
  {
    breaks: 'a vote counts only while its check is recent',
    file: `${verdict}/majority.ts`,
    from: 'lastCheckedAt !== null && now < watchedUntil(watch, lastCheckedAt);',
    to: 'lastCheckedAt !== null;',
    test: `${unitVerdict}/majority.test.ts`,
  },
  {
    breaks: 'a region that checked lately is not asked again',
    file: `${verdict}/decide-regions.ts`,
    from: '(lastCheckedAt === null || lastCheckedAt.getTime() < now.getTime() - CHECKED_LATELY_MS);',
    to: 'true;',
    test: `${unitVerdict}/decide-regions.test.ts`,
  },
  {
    breaks: 'a machine that never reached the egress targets suppresses no outage',
    file: `${verdict}/egress.ts`,
    from: "if (workedAt === null) return now <= graceUntil ? 'self' : 'target';",
    to: "if (workedAt === null) return 'self';",
    test: `${unitVerdict}/egress.test.ts`,
  },
  {
    breaks: 'a heartbeat is down only after its grace period',
    file: `${verdict}/heartbeat.ts`,
    from: 'later(expectedAfter(schedule, expectedSince), schedule.graceSeconds);',
    to: 'expectedAfter(schedule, expectedSince);',
    test: `${unitVerdict}/heartbeat.test.ts`,
  },
  {
    breaks: 'silence while Upwatch received no pings is unknown',
    file: `${verdict}/heartbeat.ts`,
    from: 'if (gap && (until === null || at < until)) return excuse(gap, until);',
    to: '',
    test: `${unitVerdict}/heartbeat.test.ts`,
  },
  {
    breaks: 'nobody is notified during maintenance',
    file: `${verdict}/maintenance.ts`,
    from: 'return isInside(maintenance, at) || isInside(maintenance, now);',
    to: 'return isInside(maintenance, now);',
    test: `${unitVerdict}/maintenance.test.ts`,
  },
  {
    breaks: 'a certificate counts as replaced after ten minutes',
    file: `${verdict}/certificate.ts`,
    from: 'const GOOD_FOR_MS = 600_000;',
    to: 'const GOOD_FOR_MS = 0;',
    test: `${unitVerdict}/certificate.test.ts`,
  },
];

/** @type {Mutation[]} */
const reports = [
  {
    breaks: 'exclusions do not count in the uptime',
    file: 'server/history/uptime.ts',
    from: "return cover(checked, merge(exclusions), { state: 'excluded' });",
    to: 'return checked;',
    test: 'tests/unit/history/uptime.test.ts',
  },
  {
    breaks: 'unknown time counts as neither up nor down',
    file: 'server/history/uptime.ts',
    from: 'const downSeconds = time.down / 1000;',
    to: 'const downSeconds = (time.down + time.unknown) / 1000;',
    test: 'tests/unit/history/uptime.test.ts',
  },
  {
    breaks: 'an edit of the interval does not change the past',
    file: 'server/history/watched-until.ts',
    from: 'if (!watchChanged || checkedAt >= watchChanged.at)',
    to: 'if (!watchChanged || checkedAt)',
    test: 'tests/unit/history/watch.test.ts',
  },
  {
    breaks: 'the end of a maintenance window is not inside it',
    file: 'server/time/edges.ts',
    from: 'const next = edges.findIndex((edge) => edge > at);',
    to: 'const next = edges.findIndex((edge) => edge >= at);',
    test: 'tests/unit/time/edges.test.ts',
  },
];

/** @type {Mutation[]} */
const alerts = [
  {
    breaks: 'a refused message is retried five times only',
    file: 'server/notifications/deliveries/retry-delay.ts',
    from: 'isRefusal(failure.statusCode) ? DELAYS.slice(0, DELAYS_AFTER_REFUSAL) : DELAYS',
    to: 'DELAYS',
    test: 'tests/unit/notifications/retry-delay.test.ts',
  },
  {
    breaks: 'a permanent failure is not retried',
    file: 'server/notifications/deliveries/retry-delay.ts',
    from: 'if (failure.permanent) return null;',
    to: '',
    test: 'tests/unit/notifications/retry-delay.test.ts',
  },
  {
    breaks: 'messages to a channel stay below its limit per minute',
    file: 'server/notifications/deliveries/pace.ts',
    from: 'return new Date(Math.max(now.getTime(), spaced, capped));',
    to: 'return new Date(Math.max(now.getTime(), spaced));',
    test: 'tests/unit/notifications/pace.test.ts',
  },
  {
    breaks: 'quiet hours after midnight belong to the day before',
    file: 'server/notifications/rules/quiet-until.ts',
    from: '?? endOf(hours, today.subtract({ days: 1 }), until)',
    to: '',
    test: 'tests/unit/notifications/quiet-until.test.ts',
  },
  {
    breaks: 'a channel with one failed message is failing only after ten minutes',
    file: 'server/notifications/deliveries/channel-health.ts',
    from: 'failedMessages >= MANY_MESSAGES ? MANY_AFTER_MS : ONE_AFTER_MS',
    to: 'MANY_AFTER_MS',
    test: 'tests/unit/notifications/channel-health.test.ts',
  },
  {
    breaks: 'missed steps of an escalation are not taken all at once',
    file: 'server/on-call/escalation/advance.ts',
    from: 'nextStepAt = goesOn ? now : later(now, isEmpty ? wait : wait + ACCEPTED_WITHIN_MINUTES);',
    to: 'nextStepAt = goesOn ? now : later(nextStepAt, isEmpty ? wait : wait + ACCEPTED_WITHIN_MINUTES);',
    test: 'tests/unit/on-call/advance.test.ts',
  },
  {
    breaks: 'a step that reaches nobody is followed by the next one at once',
    file: 'server/on-call/escalation/advance.ts',
    from: 'const goesOn = !reach.canReach && step + 1 < plan.steps.length;',
    to: 'const goesOn = false;',
    test: 'tests/unit/on-call/advance.test.ts',
  },
  {
    breaks: 'hand-overs keep their time of day when the clocks change',
    file: 'server/on-call/rota/turns.ts',
    from: 'const startOf = (turn: number) => clock.momentOf(first + turn * lengthMs);',
    to: 'const startOf = (turn: number) => clock.momentOf(first) + turn * lengthMs;',
    test: 'tests/unit/on-call/turns.test.ts',
  },
];

/** @type {Mutation[]} */
const network = [
  {
    breaks: 'addresses inside of IPv6 translations are verified',
    file: 'server/platform/net/address.ts',
    from: 'if (ip.match(NAT64)) return isGlobalIPv4(embedded(bytes, 12));',
    to: 'if (ip.match(NAT64)) return true;',
    test: 'tests/unit/platform/net/address.test.ts',
  },
  {
    breaks: "addresses of a cloud's own services are blocked",
    file: 'server/platform/net/address.ts',
    from: ' && !CLOUD_INTERNAL.has(ip.toString())',
    to: '',
    test: 'tests/unit/platform/net/address.test.ts',
  },
  {
    breaks: 'another origin gets no credentials after a redirect',
    file: 'server/monitor-types/http/redirect.ts',
    from: 'if (url.origin === request.url.origin) return next;',
    to: 'if (url.hostname === request.url.hostname) return next;',
    test: 'tests/unit/monitor-types/http/redirect.test.ts',
  },
  {
    breaks: 'a redirect never leads to a file or another scheme',
    file: 'server/monitor-types/http/redirect.ts',
    from: "if (url.protocol !== 'http:' && url.protocol !== 'https:') {",
    to: 'if (false) {',
    test: 'tests/unit/monitor-types/http/redirect.test.ts',
  },
  {
    breaks: 'a status outside of the expected ranges is down',
    file: 'server/monitor-types/http/evaluate.ts',
    from: 'return statusCode >= Number(from) && statusCode <= Number(to);',
    to: 'return statusCode >= Number(from);',
    test: 'tests/unit/monitor-types/evaluate.test.ts',
  },
  {
    breaks: 'a team leaves slots to the next one',
    file: 'server/platform/fair-pool.ts',
    from: 'return this.isShared() ? team.running < free :',
    to: 'return this.isShared() ? free > 0 :',
    test: 'tests/unit/platform/fair-pool.test.ts',
  },
  {
    breaks: 'a burst takes no more tokens than a full bucket has',
    file: 'server/platform/token-buckets.ts',
    from: 'if (waitMs > 0.001) return waitMs;',
    to: '',
    test: 'tests/unit/platform/token-buckets.test.ts',
  },
  {
    breaks: 'a session cookie that names a costly algorithm is not decrypted',
    file: 'server/trpc/session.ts',
    from: '? decode(params) : null;',
    to: '? decode(params) : decode(params);',
    test: 'tests/unit/trpc/session-cookie.test.ts',
  },
];

/** @type {Mutation[]} */
const access = [
  {
    breaks: "a key's scopes are enforced",
    file: 'server/trpc/access.ts',
    from: "if (actor.kind === 'key' && !allows(actor.scopes, access.scope, resource)) {",
    to: 'if (false) {',
    test: 'tests/integration/api/rest-bridge.test.ts',
  },
  {
    breaks: 'an expired API key is rejected',
    file: 'server/trpc/queries.ts',
    from: ' and (k.expires_at is null or k.expires_at > now())',
    to: '',
    test: 'tests/integration/trpc/resolve-actor.test.ts',
  },
  {
    breaks: 'a weaker role is rejected',
    file: 'server/trpc/access.ts',
    from: 'if (isStronger(access.role, actor.role)) {',
    to: 'if (false) {',
    test: 'tests/integration/teams/members.test.ts',
  },
  {
    breaks: 'a team keeps an owner',
    file: 'server/teams/assert-other-owner.ts',
    from: 'if (others === 0)',
    to: 'if (others < 0)',
    test: 'tests/integration/teams/members.test.ts',
  },
  {
    breaks: 'nobody invites with a stronger role than their own',
    file: 'server/teams/invitations/can-invite.ts',
    from: ' && !isStronger(role, issuer)',
    to: '',
    test: 'tests/integration/teams/invitations.test.ts',
  },
  {
    breaks: 'an invitation is used once',
    file: 'server/teams/invitations/accept-invitation.ts',
    from: '  await lockTeam(tx, teamId);\n',
    to: '',
    test: 'tests/integration/teams/accept-invitation.test.ts',
  },
  {
    breaks: 'a revoked session is rejected',
    file: 'server/trpc/queries.ts',
    from: 'and s.revoked_at is null and s.expires_at > now()',
    to: 'and s.expires_at > now()',
    test: 'tests/integration/auth/account.test.ts',
  },
  {
    breaks: 'wrong passwords are limited',
    file: 'server/auth/authenticate.ts',
    from: "if (!user || !matches) throw new AppError('UNAUTHENTICATED', 'Incorrect email or password.');\n  await succeeded();",
    to: "await succeeded();\n  if (!user || !matches) throw new AppError('UNAUTHENTICATED', 'Incorrect email or password.');",
    test: 'tests/integration/auth/log-in.test.ts',
  },
];

/** Mutations of rules and guards, each with the test that catches it. `npm run test:mutations` shows that all are caught. */
export const mutations = [...verdicts, ...reports, ...alerts, ...network, ...access];
