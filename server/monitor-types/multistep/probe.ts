import {
  Attempt,
  isRefusal,
  type ObserveOptions,
  OwnFailure,
  TargetFailure,
} from '@/server/monitor-types/probing/attempt';
import { ownHeaders } from '@/server/monitor-types/probing/headers';
import type { Observation, SeenCertificate, Timings } from '@/server/monitor-types/probing/observation';
import type { SeenStep } from '@/server/monitor-types/probing/trace';
import { runBounded } from '@/server/platform/bounded/run-bounded';
import { LimitError } from '@/server/platform/bounded/task';
import { CostlyTurns, FOR_ONE_ANSWER } from '@/server/platform/net';
import type { HttpAnswer } from '../http/answer';
import type { HttpRequest } from '../http/redirect';
import { PRESETS, requestAnswer, type Session } from '../http/request-answer';
import { CookieJar } from './cookies';
import type { MultistepConfig, Step } from './definition';
import type { MultistepAnswer } from './evaluate';
import type { StepAnswer, StepQuestion } from './judge';
import { judgeStepTask } from './judge-task';
import {
  bodyForm,
  expandBody,
  expandHeader,
  expandUrl,
  guessContentType,
  isServerVariable,
  MOST_OF_REQUEST,
  TemplateError,
  variablesIn,
} from './template';

/** The maximum size of all bodies of a check, and of the values that its steps take. */
const MOST_BODY_BYTES = 4 * 1024 * 1024;
const MOST_OF_VALUES = 16 * 1024;
/** What is kept of the bodies of a check, at least as much as evidence shows and searches for secrets. */
const KEPT_OF_BODY = 32 * 1024;
/** A step more takes a few milliseconds. */
const limitsFor = (steps: number) => ({ ...FOR_ONE_ANSWER, computingMs: FOR_ONE_ANSWER.computingMs + 20 * steps });

const PHASES = ['dnsMs', 'connectMs', 'tlsMs', 'firstByteMs', 'downloadMs'] as const;

/** The phases since `before`. */
function timingsSince(before: Timings, after: Timings): Timings {
  const since = { ...after };
  for (const phase of PHASES) {
    const [was, is] = [before[phase], after[phase]];
    if (was !== null && is !== null) since[phase] = is > was ? is - was : null;
  }
  return since;
}

const expiryOf = (certificate: SeenCertificate): number =>
  certificate === 'unreadable' ? Number.POSITIVE_INFINITY : certificate.validTo.getTime();

/** The requests of one check, one after the other. */
class Run {
  private readonly values: Map<string, string>;
  private readonly secrets: string[] = [];
  private readonly jar = new CookieJar((value) => this.secrets.push(value));
  private readonly steps: SeenStep[];
  private readonly evidence: MultistepAnswer = { fault: null, rules: [] };
  private redirects = 0;
  private bodyBytes = 0;
  private valueCharacters = 0;
  /** The certificate that expires first, with its fingerprint. */
  private certificate: [SeenCertificate, fingerprint: string | null] | null = null;
  /** The URL that answered the step before. */
  private base: URL | null = null;

  constructor(
    private readonly config: MultistepConfig,
    private readonly attempt: Attempt,
  ) {
    this.values = new Map(Object.entries(config.variables));
    const timings = { ...attempt.timings };
    this.steps = config.steps.map(({ name }) => ({ name, statusCode: null, latencyMs: null, timings, isMet: null }));
    attempt.trace.steps = this.steps;
    attempt.trace.secrets = this.secrets;
    attempt.soFar = { evidence: this.evidence };
  }

  private readonly session: Session = {
    cookiesFor: (url) => this.jar.headerFor(url),
    onResponse: (url, { statusCode, headers }) => {
      const step = this.steps.findLast(({ isMet }) => isMet !== null);
      if (step) step.statusCode = statusCode ?? null;
      this.attempt.soFar.statusCode = statusCode ?? null;
      this.jar.store(url, headers['set-cookie'] ?? []);
    },
  };

  /** @throws TargetFailure if a value cannot be sent where it is used */
  private requestOf({ url, method, headers, body }: Step): HttpRequest {
    const { values } = this;
    try {
      let left = MOST_OF_REQUEST;
      const templates = Object.entries(ownHeaders(headers));
      const expanded = templates.map(([name, text]) => {
        const value = expandHeader(text, values, left);
        left -= value.length;
        return [name, value] as const;
      });
      const own = Object.fromEntries(expanded);
      const filled = new Set(templates.flatMap(([name, text]) => (variablesIn(text).length > 0 ? name : [])));
      const request = { url: expandUrl(url, values, this.base), method, headers: { ...PRESETS, ...own }, filled };
      if (body === undefined || body === '') return { ...request, body: null };
      const contentType = own['content-type'] ?? guessContentType(body);
      const sent = { ...request.headers, 'content-type': contentType };
      return { ...request, headers: sent, body: expandBody(body, values, bodyForm(contentType), left) };
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error;
      // A stored variable that does not fit says nothing about the target.
      const isOwn = error.variable !== null && Object.hasOwn(this.config.variables, error.variable);
      throw new (isOwn ? OwnFailure : TargetFailure)(error.message);
    }
  }

  /** Judges a response. Patterns and JSON paths run in a thread; the clock is paused meanwhile. */
  private async judge(question: StepQuestion): Promise<StepAnswer> {
    const { attempt } = this;
    const { teamId: team, signal } = attempt;
    const turns = new CostlyTurns(attempt.asker, Number.POSITIVE_INFINITY);
    try {
      return await attempt.waitForUs(() => turns.take(() => runBounded(judgeStepTask, question, { team, signal })));
    } catch (error) {
      if (!(error instanceof LimitError)) throw error;
      return { fault: `The rules could not be evaluated within ${error.limit}`, rules: [], values: [] };
    }
  }

  /** Keeps the start of a step's bodies, as much as evidence shows. */
  private noteBodies(from: number, step: number): void {
    for (const exchange of this.attempt.trace.exchanges.slice(from)) {
      exchange.step = step;
      const { body } = exchange;
      if (!(body instanceof Uint8Array) || body.length <= KEPT_OF_BODY) continue;
      exchange.bytes = body.length;
      // A copy, because a part would keep the whole.
      exchange.body = Uint8Array.prototype.slice.call(body, 0, KEPT_OF_BODY);
    }
  }

  /** Steps may have several servers; the certificate that expires first is the check's. */
  private noteCertificate(): void {
    const { attempt } = this;
    const seen = attempt.certificate;
    if (seen === null) return;
    const [earliest] = this.certificate ?? [];
    if (earliest === undefined || expiryOf(seen) < expiryOf(earliest)) {
      this.certificate = [seen, attempt.trace.fingerprint];
    }
    const [certificate = seen, fingerprint = null] = this.certificate ?? [];
    attempt.certificate = certificate;
    attempt.trace.fingerprint = fingerprint;
  }

  private async send(step: Step): Promise<HttpAnswer> {
    const { config, attempt } = this;
    attempt.answering = false;
    const settings = {
      ...config,
      followRedirects: step.followRedirects,
      maxRedirects: config.maxRedirects - this.redirects,
    };
    const request = this.requestOf(step);
    const { answer, url } = await requestAnswer(request, settings, attempt, this.session).catch((error: unknown) => {
      // The target decides on values.
      throw isRefusal(error) && isServerVariable(step.url) ? new TargetFailure(error.message) : error;
    });
    this.base = url;
    this.redirects += answer.redirects;
    this.bodyBytes += answer.body.length;
    if (this.bodyBytes <= MOST_BODY_BYTES) return answer;
    throw new TargetFailure('The responses of all steps have more than 4 MiB');
  }

  private keep(values: StepAnswer['values']): void {
    for (const [name, value] of values) {
      this.values.set(name, value);
      this.valueCharacters += value.length;
    }
    if (this.valueCharacters <= MOST_OF_VALUES) return;
    const most = MOST_OF_VALUES.toLocaleString('en');
    throw new TargetFailure(`The values of all steps have more than ${most} characters`);
  }

  /** Runs a step. @returns whether it passed */
  private async runStep(step: Step, seen: SeenStep, index: number): Promise<boolean> {
    const { attempt, evidence } = this;
    const before = { from: attempt.now(), timings: { ...attempt.timings }, exchanges: attempt.trace.exchanges.length };
    seen.isMet = false;
    attempt.place = `Step ${index + 1} "${step.name}": `;
    const measure = () => {
      seen.latencyMs = attempt.now() - before.from;
      seen.timings = timingsSince(before.timings, attempt.timings);
    };
    let answer: HttpAnswer;
    try {
      answer = await this.send(step);
    } finally {
      measure();
      this.noteCertificate();
      this.noteBodies(before.exchanges, index);
    }
    const { latencyMs } = seen;
    const isSaved = this.config.saveResponseBody ?? true;
    const { fault, rules, values } = await this.judge({ step, answer, latencyMs: latencyMs ?? 0, isSaved });
    // Also those of a step that failed: its evidence shows the response.
    this.secrets.push(...values.map(([, value]) => value));
    evidence.rules.push(...rules.map((rule) => ({ ...rule, step: index })));
    if (fault !== null) evidence.fault = `${attempt.place}${fault}`;
    else this.keep(values);
    seen.isMet = fault === null;
    return seen.isMet;
  }

  /** Runs the steps until one does not pass. */
  async all(): Promise<MultistepAnswer> {
    for (const [index, step] of this.config.steps.entries()) {
      const seen = this.steps[index];
      if (!seen || !(await this.runStep(step, seen, index))) break;
    }
    return this.evidence;
  }
}

/**
 * Sends the requests of all steps until one fails, with cookies and with values of earlier responses. Each goes through the guarded dialler, which
 * checks its host anew. `timeoutMs` covers all of them. Rejects only if the signal aborts.
 */
export async function observeMultistep(
  config: MultistepConfig,
  options: ObserveOptions,
): Promise<Observation<MultistepAnswer>> {
  const attempt = new Attempt(config.timeoutMs, options, limitsFor(config.steps.length));
  return attempt.observe(async () => {
    const evidence = await new Run(config, attempt).all();
    return { ...attempt.soFar, evidence };
  });
}
