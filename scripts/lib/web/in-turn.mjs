// @ts-check

/** @typedef {import('node:http').IncomingMessage} IncomingMessage */
/** @typedef {import('node:http').ServerResponse} ServerResponse */
/** @typedef {import('../../../server/platform/errors').AppError} AppError */

/**
 * Returns the function that answers a request when it is its turn, or refuses it.
 * @param {{ enter: (request: IncomingMessage, gone: AbortSignal) => Promise<() => void> }} gate
 * @param {(request: IncomingMessage, response: ServerResponse, refusal: AppError) => void} refuse
 * @param {(response: ServerResponse, leave: () => void) => void} [until] calls `leave` when the answer takes no more time
 */
export function inTurn(gate, refuse, until = (response, leave) => void response.once('close', leave)) {
  return async (
    /** @type {IncomingMessage} */ request,
    /** @type {ServerResponse} */ response,
    /** @type {() => void} */ answer,
  ) => {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    try {
      const leave = await gate.enter(request, gone.signal);
      if (response.destroyed || response.closed) return leave();
      until(response, leave);
    } catch (error) {
      if (gone.signal.aborted) return;
      return refuse(request, response, /** @type {AppError} */ (error));
    }
    answer();
  };
}
