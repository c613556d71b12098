/** Chooses the long form of a test in `npm run test:nightly`, and the short one in `npm test`. */
export const inNightly = <T>(long: T, short: T): T => (process.env.NIGHTLY === '1' ? long : short);
