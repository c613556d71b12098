import { Attempt, type ObserveOptions, TargetFailure } from '@/server/monitor-types/probing/attempt';
import { dial } from '@/server/monitor-types/probing/dial';
import type { Observation } from '@/server/monitor-types/probing/observation';
import { NetworkTimeoutError } from '@/server/platform/net';
import { loginTarget } from '../config/login';
import type { MqttConfig } from './definition';
import { type MqttMessage, MqttSession } from './session';

/** The maximum size of all packets. One may have 64 KiB. */
const MOST_BYTES = 256 * 1024;

/**
 * Waits for a message.
 * @throws TargetFailure that says that no message arrived, at the timeout
 */
async function awaitMessage(session: MqttSession, config: MqttConfig, { signal }: Attempt): Promise<MqttMessage> {
  try {
    return await session.message(config.retained);
  } catch (error) {
    if (!(signal.reason instanceof NetworkTimeoutError)) throw error;
    throw new TargetFailure(`No message of the topic within ${Math.round(config.timeoutMs / 100) / 10} s`);
  }
}

/**
 * Logs in, subscribes to the topic and waits for a message. `evaluate` judges its payload. The latency is the time until the subscription, because
 * how long a message takes depends on its sender. All within `timeoutMs`. Rejects only if the signal aborts.
 */
export async function observeMqtt(config: MqttConfig, options: ObserveOptions): Promise<Observation<MqttMessage>> {
  const { topic, username, password } = config;
  const attempt = new Attempt(config.timeoutMs, options);
  return attempt.observe(async () => {
    const session = new MqttSession(await dial(loginTarget(config), attempt), attempt);
    attempt.budget.answerOf(MOST_BYTES);
    const from = attempt.now();
    await session.logIn(username, password);
    const exchange = attempt.exchange(`SUBSCRIBE ${topic}`);
    await session.subscribe(topic);
    const latencyMs = attempt.spent('firstByteMs', from);
    const message = await awaitMessage(session, config, attempt);
    exchange.body = [message.payload];
    session.end();
    return { evidence: message, latencyMs };
  });
}
