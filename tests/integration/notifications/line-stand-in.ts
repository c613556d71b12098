import { type HttpReceiver, type ReceivedRequest, startHttpReceiver } from '@/tests/support/receivers';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

interface PushBody {
  to?: unknown;
  messages?: { type?: unknown; text?: unknown }[];
}

export interface LineStandIn extends HttpReceiver {
  token: string;
  /** Messages as their recipients see them: one per accepted retry key. */
  shown: { to: string; text: string }[];
  /** Accepts the next message, but drops its answer. */
  loseNextAnswer(): void;
}

function json(status: number, body: unknown, headers: Record<string, string> = {}) {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) };
}

function problemOf(request: ReceivedRequest, token: string) {
  if (request.method !== 'POST' || request.path !== '/v2/bot/message/push') return json(404, { message: 'Not found' });
  if (request.headers.authorization !== `Bearer ${token}`) {
    return json(401, {
      message: 'Authentication failed. Confirm that the access token in the authorization header is valid.',
    });
  }
  const key = request.headers['x-line-retry-key'];
  if (typeof key === 'string' && !UUID.test(key)) return json(400, { message: 'Invalid retry key' });
  const { to, messages } = JSON.parse(request.body) as PushBody;
  const wellFormed = messages?.every(
    ({ type, text }) => type === 'text' && typeof text === 'string' && text.length <= 5000,
  );
  if (typeof to !== 'string' || !wellFormed || messages?.length !== 1) {
    return json(400, { message: 'The request body has 1 error(s)' });
  }
  return null;
}

/** LINE's Messaging API for push messages with retry keys: a key that was accepted before gets a 409. */
export async function startLine(): Promise<LineStandIn> {
  const receiver = await startHttpReceiver();
  const token = 'line-channel-access-token';
  const accepted = new Map<string, string>();
  const shown: LineStandIn['shown'] = [];
  let loses = false;
  receiver.respond((request) => {
    const problem = problemOf(request, token);
    if (problem) return problem;
    const key = String(request.headers['x-line-retry-key']);
    const earlier = accepted.get(key);
    if (earlier) {
      return json(409, { message: 'The retry key is already accepted' }, { 'x-line-accepted-request-id': earlier });
    }
    const { to, messages } = JSON.parse(request.body) as { to: string; messages: { text: string }[] };
    shown.push({ to, text: messages[0]?.text ?? '' });
    accepted.set(key, `request-${accepted.size + 1}`);
    if (loses) {
      loses = false;
      return 'reset';
    }
    return json(200, { sentMessages: [{ id: String(shown.length) }] });
  });
  const loseNextAnswer = () => {
    loses = true;
  };
  return { ...receiver, token, shown, loseNextAnswer };
}
