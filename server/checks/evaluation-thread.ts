import { parentPort } from 'node:worker_threads';
import { evaluate } from './evaluate';
import type { Question } from './evaluate-apart';

/** A Buffer arrives as the bytes it holds. */
function received({ observation, ...question }: Question): Question {
  const { answer } = observation;
  return {
    ...question,
    observation: { ...observation, answer: answer && { ...answer, body: Buffer.from(answer.body) } },
  };
}

// A thread of its own: whatever patterns and paths of users take, the process goes on. `evaluate-apart` ends it.
parentPort?.on('message', (question: Question) => {
  const { target, observation, at } = received(question);
  parentPort?.postMessage(evaluate(target, observation, at));
});
parentPort?.postMessage('ready');
