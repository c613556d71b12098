import type { HttpAnswer } from './answer';
import type { HttpAssertion } from './assertion';
import { selectJson } from './select-json';

/** Why an assertion fails or a value is missing, or why neither could be decided. The message is a sentence for users. */
export class Unmet extends Error {}

/** A response whose body is decoded and parsed at most once, and only if something reads it. */
export class Readable {
  readonly text: () => string;
  private readonly json: () => unknown;

  /** @param isSaved whether the body may be quoted */
  constructor(
    readonly answer: HttpAnswer,
    readonly latencyMs: number,
    readonly isSaved: boolean,
  ) {
    this.text = once(() => decode(answer));
    this.json = once(() => parse(this.text(), whyUnread(answer)));
  }

  /** The value of a header; undefined without it. */
  header(name: string): string | undefined {
    const { headers } = this.answer;
    const key = name.toLowerCase();
    return Object.hasOwn(headers, key) ? headers[key] : undefined;
  }

  /**
   * The values that a JSON path selects.
   * @throws Unmet if the body is not JSON, or the path cannot be evaluated
   */
  select(path: string): unknown[] {
    const document = this.json();
    try {
      return selectJson(document, path);
    } catch (error) {
      throw new Unmet(`${path} could not be evaluated: ${error instanceof Error ? error.message : 'it is not valid'}`);
    }
  }
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function decode({ headers, body }: HttpAnswer): string {
  const label = /charset="?([^";\s]+)/i.exec(headers['content-type'] ?? '')?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(label).decode(body);
  } catch {
    return body.toString('utf8');
  }
}

/** Why the rest of a body is unknown; null if all of it was read. */
export const whyUnread = ({ truncated, unread }: HttpAnswer): string | null =>
  unread ?? (truncated ? 'The body is longer than 1 MiB' : null);

function parse(text: string, unread: string | null): unknown {
  if (unread !== null) throw new Unmet(`${unread}, so its JSON was not parsed`);
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new Unmet('The body is not JSON');
  }
}

/** The bytes of a body that assertions read in the caller's thread: up to 20 ms. */
const MOST_READ = 1024 * 1024;

/** Whether assertions about the body take long, because they are many or the body is long. */
export const readsMuch = (assertions: HttpAssertion[], answer: HttpAnswer | null): boolean =>
  (answer?.body.length ?? 0) * assertions.filter(({ source }) => source === 'body').length > MOST_READ;
