import type { Observation, Verdict } from '@/server/monitor-types/probing/observation';
import type { HttpAssertion } from '@/server/monitor-types/schema';
import { excerpt } from '../excerpt';
import { assertionRules, firstUnmet } from '../http/assertions';
import { includesText } from '../linear-search';
import { down, NOT_SAVED, type Rule, UP } from '../verdict';
import type { MqttConfig } from './definition';
import type { MqttMessage } from './session';

const show = (text: string) => JSON.stringify(excerpt(text));

/** Returns the rule for the JSON of a message, in the form of an HTTP assertion; empty if none is set. */
function jsonRule({ jsonPath, expectedValue }: MqttConfig): HttpAssertion[] {
  if (jsonPath === undefined || expectedValue === undefined) return [];
  return [{ source: 'json', property: jsonPath, operator: 'equals', value: expectedValue }];
}

const answerOf = ({ payload }: MqttMessage) => {
  return { statusCode: 0, headers: {}, body: Buffer.from(payload), truncated: false, redirects: 0 };
};

export function evaluateMqtt(config: MqttConfig, { evidence }: Observation<MqttMessage>): Verdict {
  if (!evidence) return down('No message arrived');
  const { expect, saveResponseBody: isSaved = true } = config;
  if (expect !== undefined && !includesText(evidence.payload, expect)) {
    return down(`Expected a message with ${show(expect)}, got ${isSaved ? show(evidence.payload) : NOT_SAVED}`);
  }
  const unmet = firstUnmet(jsonRule(config), answerOf(evidence), 0, isSaved);
  return unmet === null ? UP : down(unmet.replace('The body', 'The message'));
}

export function mqttRules(config: MqttConfig, { evidence }: Observation<MqttMessage>): Rule[] {
  if (!evidence) return [];
  const { expect, saveResponseBody: isSaved = true } = config;
  const value = isSaved ? show(evidence.payload) : NOT_SAVED;
  const isMet = expect !== undefined && includesText(evidence.payload, expect);
  const contains = expect === undefined ? [] : [{ rule: `message contains ${show(expect)}`, value, isMet }];
  return [...contains, ...assertionRules(jsonRule(config), answerOf(evidence), 0, isSaved)];
}
