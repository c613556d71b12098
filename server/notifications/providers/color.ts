import type { Tone } from '../messages/message';

/** The solid state colors of the light theme. */
const colors: Record<Tone, string> = {
  down: '#b20d16',
  degraded: '#c77112',
  acknowledged: '#5a91ba',
  up: '#259770',
  neutral: '#47555b',
};

/** The color of a message, for providers that show one beside it. */
export const colorOf = (tone: Tone): string => colors[tone];
