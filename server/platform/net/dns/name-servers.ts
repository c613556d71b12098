import { CostlyTurns, type Payer } from '../costly-turns';
import { DnsFailure, failureOf, isAnswer, isServersFailure } from './dns-failure';
import { exchange, type Question } from './exchange';
import { type DnsRecords, recordsOf } from './records';
import { parseServerAddress, type ServerAddress } from './server-address';

export interface NameServersOptions {
  /** As `parseServerAddress` parses them; invalid ones are skipped. */
  servers: string[];
  /** The timeout of the first attempt; null for the default. */
  timeoutMs?: number | null;
  /** The number of rounds over the servers; null for the default. */
  attempts?: number | null;
}

const FIRST_WAIT_MS = 1_000;
/** The timeout of the first attempt if there is another server to query. */
const SHORT_WAIT_MS = 500;
const ATTEMPTS = 3;
/** The reason with which other open attempts are ended. */
const OVER = new Error('Another try was answered');
/** A server with this many consecutive timeouts is queried last for a while. */
const SILENT_IN_A_ROW = 3;
const AVOIDED_FOR_MS = 30_000;

interface Server {
  address: ServerAddress;
  silent: number;
  silentAt: number;
}

interface Turn {
  server: Server;
  waitMs: number;
}

/**
 * Queries a list of name servers in turn and repeatedly, like glibc, but keeps listening for responses to earlier attempts: the first conclusive
 * answer counts, however late. Unlike getaddrinfo, it holds no thread while it waits.
 */
export class NameServers {
  /** When one of the servers last answered a query, by `performance.now()`. */
  answeredAt = Number.NEGATIVE_INFINITY;
  private readonly list: Server[];
  private readonly firstWaitMs: number;
  private readonly attempts: number;

  constructor({ servers, timeoutMs = null, attempts = null }: NameServersOptions) {
    const addresses = servers.map(parseServerAddress).filter((address) => address !== null);
    this.list = addresses.map((address) => ({ address, silent: 0, silentAt: 0 }));
    this.firstWaitMs = timeoutMs ?? (addresses.length > 1 ? SHORT_WAIT_MS : FIRST_WAIT_MS);
    this.attempts = attempts ?? ATTEMPTS;
  }

  /**
   * Returns the records from the first server that can answer.
   * @param payer the team that pays for the time of reading responses; without one, reading never waits
   * @throws DnsFailure: ENOTFOUND and ENODATA are answers too; ESERVFAIL, EREFUSED and similar mean that a server could not answer, ETIMEOUT and
   * ECONNREFUSED that none did
   * @throws the reason of `signal`, or the error of a local socket
   */
  ask(question: Question, signal?: AbortSignal, payer?: Payer): Promise<DnsRecords> {
    return new Promise((resolve, reject) => {
      const turns = this.turns();
      const stop = new AbortController();
      const unable = new Set<Server>();
      const failures: unknown[] = [];
      const costly = payer && new CostlyTurns(payer);
      let timer: NodeJS.Timeout | undefined;
      let current: Server | undefined;
      let running = 0;

      const end = (settle: () => void) => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', cancel);
        settle();
        if (running > 0) stop.abort(OVER);
      };
      const inTurn = (step: () => void) => {
        // A server whose message waits to be read is not silent.
        if (costly?.mustWait) clearTimeout(timer);
        return costly ? costly.take(step) : step();
      };
      const cancel = () => end(() => reject(signal?.reason));
      const next = () => {
        clearTimeout(timer);
        let turn = turns.shift();
        while (turn && unable.has(turn.server)) turn = turns.shift();
        if (!turn) return end(() => reject(failureOf(failures) ?? new DnsFailure('ECONNREFUSED')));
        const { server, waitMs } = turn;
        current = server;
        timer = setTimeout(() => {
          this.noteSilence(server);
          failures.push(new DnsFailure('ETIMEOUT'));
          next();
        }, waitMs);
        void run(server);
      };
      const run = async (server: Server) => {
        running += 1;
        const response = exchange(server.address, question, stop.signal, inTurn).finally(() => {
          running -= 1;
        });
        try {
          const records = recordsOf(await response, question);
          this.noteAnswer(server);
          end(() => resolve(records));
        } catch (error) {
          if (stop.signal.aborted) return;
          if (isAnswer(error)) this.noteAnswer(server);
          if (!isServersFailure(error)) return end(() => reject(error));
          server.silent = 0;
          failures.push(error);
          unable.add(server);
          if (server === current) next();
        }
      };
      if (signal?.aborted) return reject(signal.reason);
      signal?.addEventListener('abort', cancel, { once: true });
      next();
    });
  }

  /** Returns every attempt, in order: each round waits twice as long as the previous one. Servers that were silent lately come last in each round. */
  private turns(): Turn[] {
    const since = performance.now() - AVOIDED_FOR_MS;
    const isAvoided = ({ silent, silentAt }: Server) => silent >= SILENT_IN_A_ROW && silentAt > since;
    const order = this.list.toSorted((one, other) => Number(isAvoided(one)) - Number(isAvoided(other)));
    return Array.from({ length: this.attempts }, (_, round) =>
      order.map((server) => ({ server, waitMs: this.firstWaitMs * 2 ** round })),
    ).flat();
  }

  private noteAnswer(server: Server): void {
    this.answeredAt = performance.now();
    server.silent = 0;
  }

  private noteSilence(server: Server): void {
    server.silent += 1;
    server.silentAt = performance.now();
  }
}
