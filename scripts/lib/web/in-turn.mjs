// @ts-check

/** @typedef {import('node:http').IncomingMessage} IncomingMessage */
/** @typedef {import('node:http').ServerResponse} ServerResponse */
/** @typedef {import('../../../server/platform/errors').AppError} AppError */

/**
 * Returns the function that answers a request when it is its turn, or refuses it.
 * @param {{ enter: (request: IncomingMessage, gone: AbortSignal) => Promise<() => void> }} gate
 * @param {(request: IncomingMessage, response: ServerResponse, refusal: AppError) => void} refuse
 * @param {(request: IncomingMessage, response: ServerResponse, leave: () => void) => void} [begin] may arrange that the request leaves before its
 *   response is closed
 */
export function inTurn(gate, refuse, begin = () => undefined) {
  return async (
    /** @type {IncomingMessage} */ request,
    /** @type {ServerResponse} */ response,
    /** @type {() => void} */ answer,
  ) => {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    try {
      const leave = await gate.enter(request, gone.signal);
      if (gone.signal.aborted) return leave();
      gone.signal.addEventListener('abort', leave, { once: true });
      begin(request, response, leave);
    } catch (error) {
      if (gone.signal.aborted) return;
      return refuse(request, response, /** @type {AppError} */ (error));
    }
    answer();
  };
}
