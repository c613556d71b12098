import { log } from '@/server/platform/log';
import { codeOf, isAnswer } from './dns-failure';
import type { NameServers } from './name-servers';

const CONTROL_WITHIN_MS = 1_200;
/** For how long all callers share one result. */
const KNOWN_FOR_MS = 1_000;
const CALIBRATE_EVERY_MS = 60_000;

/** Whether the name servers answer a control query, for the root zone's name servers, which every recursive name server can answer. */
async function answersControl(servers: NameServers): Promise<boolean> {
  try {
    await servers.ask({ name: '.', type: 'NS' }, AbortSignal.timeout(CONTROL_WITHIN_MS));
    return true;
  } catch (error) {
    return isAnswer(error);
  }
}

/**
 * Distinguishes an outage of this instance's name servers from a name without an answer, for which its owner is responsible, by whether the servers
 * answer anything else.
 */
export class OutageJudge {
  /** Whether the control query was ever answered: some name servers always reject it. */
  private worked = false;
  private control: { at: number; answer: Promise<boolean> } | null = null;

  private isOut = false;

  constructor(private readonly servers: NameServers) {}

  /**
   * Records that the name servers answered. Until it has worked once, also tries the control query, at most once a minute, without waiting for it.
   */
  calibrate(): void {
    this.become(false);
    if (this.worked || (this.control && this.control.at > performance.now() - CALIBRATE_EVERY_MS)) return;
    void this.ask();
  }

  /**
   * Whether the name servers are the cause of a failed lookup, because they answer nothing at present.
   * @param since the start of the lookup, by `performance.now()`
   */
  async isOutage(error: unknown, since: number): Promise<boolean> {
    // Nothing listens at the server's address, so the name does not matter.
    if (codeOf(error) === 'ECONNREFUSED') {
      this.become(true);
      return true;
    }
    const answeredSince = () => this.servers.answeredAt > Math.max(since, performance.now() - KNOWN_FOR_MS);
    if (answeredSince()) return false;
    const hasAnswered = this.servers.answeredAt > Number.NEGATIVE_INFINITY;
    if ((await this.ask()) || answeredSince()) return false;
    this.become(this.worked || !hasAnswered);
    return this.isOut;
  }

  private become(isOut: boolean): void {
    if (this.isOut === isOut) return;
    this.isOut = isOut;
    log.warn(isOut ? 'The name servers answer nobody; checks by name are unknown' : 'The name servers answer again');
  }

  private ask(): Promise<boolean> {
    const now = performance.now();
    if (!this.control || this.control.at < now - KNOWN_FOR_MS) {
      const answer = answersControl(this.servers).then((answers) => {
        this.worked ||= answers;
        return answers;
      });
      this.control = { at: now, answer };
    }
    return this.control.answer;
  }
}
